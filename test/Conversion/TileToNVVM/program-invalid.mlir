// RUN: tile-opt %s --convert-tile-to-nvvm --verify-diagnostics --split-input-file

// expected-error @+1 {{expected tile.target to be one of sm_80, sm_89, sm_90a, sm_100a, sm_120a, found "sm_75"}}
module attributes {tile.target = "sm_75"} {
  tile.kernel @unknown_target(%n: index) programs(%m) in (%n) by [128] {
    tile.return
  }
}

// -----

module attributes {tile.target = "sm_80"} {
  // expected-error @+1 {{expects microscaled tiles to be lowered; run 'tile-lower-microscaling' first}}
  tile.kernel @microscaled(%n: index, %A: !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU>) programs(%m) in (%n) by [128] {
    tile.return
  }
}

// -----

module attributes {tile.target = "sm_80"} {
  tile.kernel @open_tile(%x: f32, %n: index) programs(%m) in (%n) by [128] {
    // expected-error @+1 {{expects tiles with layouts, found '!tile.tile<128xf32>'; run 'tile-assign-layouts' first}}
    %t = tile.splat %x : !tile.tile<128xf32>
    tile.return
  }
}

// -----

module attributes {tile.target = "sm_80"} {
  tile.kernel @selected_view(%A: !tile.view<?xf32>, %B: !tile.view<?xf32>, %c: i1) programs(%m) over %A by [8] {
    // expected-error @+2 {{'arith.select' op expects views to be arguments of the kernel, or 'tile.packed_view' of them, but chooses or carries one of '!tile.view<?xf32>'}}
    // expected-note @+1 {{choose between the tiles that are loaded instead}}
    %V = arith.select %c, %A, %B : !tile.view<?xf32>
    tile.return
  }
}
