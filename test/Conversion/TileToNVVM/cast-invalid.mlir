// RUN: tile-opt %s --convert-tile-to-nvvm --verify-diagnostics --split-input-file

#l = #tile.layout<registers = [[1], [2]], lanes = [[4], [8], [16], [32], [64]], warps = []>
module attributes {tile.target = "sm_80"} {
  tile.kernel @cast_to_f8E8M0FNU(%A: !tile.view<?xf32>, %B: !tile.view<?xf8E8M0FNU>)
      programs(%m) over %B by [128] plan {warps = 1 : i64} {
    %t = tile.load %A[%m] : !tile.view<?xf32> -> !tile.tile<128xf32, #l>
    // expected-error @+2 {{cannot convert 'f32' to 'f8E8M0FNU': no rounding is defined}}
    // expected-note @+1 {{f8E8M0FNU holds powers of two only, as block scales}}
    %c = tile.cast %t : !tile.tile<128xf32, #l> -> !tile.tile<128xf8E8M0FNU, #l>
    tile.store %c, %B[%m] : !tile.tile<128xf8E8M0FNU, #l>, !tile.view<?xf8E8M0FNU>
    tile.return
  }
}

// -----

module attributes {tile.target = "sm_80"} {
  tile.kernel @truncf_downward(%x: f64, %n: index) programs(%m) in (%n) by [128] plan {warps = 1 : i64} {
    // expected-error @+2 {{expects to_nearest_even as its rounding mode, found downward}}
    // expected-note @+1 {{leave the rounding mode away}}
    %y = arith.truncf %x downward : f64 to f32
    tile.return
  }
}
