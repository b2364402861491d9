// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-plan))' -split-input-file -verify-diagnostics

// expected-error@+2 {{'tile.kernel' op expects its module to name a target}}
// expected-note@+1 {{as in 'module attributes {tile.target = "sm_80"}'; known are sm_80, }}
tile.kernel @no_target(%A: !tile.view<?xf32>) programs(%m) over %A by [8] {
  tile.return
}

// -----

module attributes {tile.target = "sm_12"} {
// expected-error@+1 {{'tile.kernel' op expects a known target, found 'sm_12'; known are sm_80, }}
tile.kernel @unknown_target(%A: !tile.view<?xf32>) programs(%m) over %A by [8] {
  tile.return
}
}

// -----

module attributes {tile.target = "sm_80"} {
// expected-error@+2 {{'tile.kernel' op has no schedule key 'stagse'}}
// expected-note@+1 {{known are warps, warps_m, warps_n, stages, group_m, blocks_per_sm, require}}
tile.kernel @unknown_key(%A: !tile.view<?xf32>) programs(%m) over %A by [8] schedule {stagse = 3} {
  tile.return
}
}

// -----

module attributes {tile.target = "sm_80"} {
// expected-error@+1 {{'tile.kernel' op expects schedule key 'warps' to be a power of two from 1 to 32, found 6}}
tile.kernel @six_warps(%A: !tile.view<?xf32>) programs(%m) over %A by [8] schedule {warps = 6} {
  tile.return
}
}

// -----

module attributes {tile.target = "sm_80"} {
// expected-error@+1 {{'tile.kernel' op expects schedule key 'stages' to be a number from 1 to 16, found "many"}}
tile.kernel @stages_in_words(%A: !tile.view<?xf32>) programs(%m) over %A by [8] schedule {stages = "many"} {
  tile.return
}
}

// -----

module attributes {tile.target = "sm_80"} {
// expected-error@+1 {{'tile.kernel' op expects 'warps_m' times 'warps_n' to be 'warps', 8, found 4}}
tile.kernel @product(%A: !tile.view<?xf32>) programs(%m) over %A by [8] schedule {warps = 8, warps_m = 2, warps_n = 2} {
  tile.return
}
}

// -----

module attributes {tile.target = "sm_80"} {
// expected-error@+1 {{'tile.kernel' op expects 'warps_n' to be at most 'warps', 2, found 4}}
tile.kernel @one_side(%A: !tile.view<?xf32>) programs(%m) over %A by [8] schedule {warps = 2, warps_n = 4} {
  tile.return
}
}

// -----

module attributes {tile.target = "sm_80"} {
// expected-error@+1 {{'tile.kernel' op expects schedule key 'require' to be "native", found "fast"}}
tile.kernel @required(%A: !tile.view<?xf32>) programs(%m) over %A by [8] schedule {require = "fast"} {
  tile.return
}
}

// -----

module attributes {tile.target = "sm_80"} {
tile.kernel @selected_view(%A: !tile.view<?xf32>, %B: !tile.view<?xf32>, %c: i1) programs(%m) over %A by [8] {
  // expected-error@+2 {{'arith.select' op expects views to be arguments of the kernel, or 'tile.packed_view' of them, but chooses or carries one of '!tile.view<?xf32>'}}
  // expected-note@+1 {{choose between the tiles that are loaded instead}}
  %V = arith.select %c, %A, %B : !tile.view<?xf32>
  %x = tile.load %V[%m] : !tile.view<?xf32> -> !tile.tile<8xf32>
  tile.store %x, %A[%m] : !tile.tile<8xf32>, !tile.view<?xf32>
  tile.return
}
}

// -----

module attributes {tile.target = "sm_80"} {
tile.kernel @view_of_a_branch(%A: !tile.view<?xf32>, %B: !tile.view<?xf32>, %c: i1) programs(%m) over %A by [8] {
  // expected-error@+2 {{'scf.if' op expects views to be arguments of the kernel, or 'tile.packed_view' of them, but chooses or carries one of '!tile.view<?xf32>'}}
  // expected-note@+1 {{choose between the tiles that are loaded instead}}
  %V = scf.if %c -> (!tile.view<?xf32>) {
    scf.yield %A : !tile.view<?xf32>
  } else {
    scf.yield %B : !tile.view<?xf32>
  }
  %x = tile.load %V[%m] : !tile.view<?xf32> -> !tile.tile<8xf32>
  tile.store %x, %A[%m] : !tile.tile<8xf32>, !tile.view<?xf32>
  tile.return
}
}

// -----

module attributes {tile.target = "sm_80"} {
tile.kernel @view_that_a_loop_carries(%A: !tile.view<?xf32>, %B: !tile.view<?xf32>, %n: index) programs(%m) over %A by [8] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+2 {{'scf.for' op expects views to be arguments of the kernel, or 'tile.packed_view' of them, but chooses or carries one of '!tile.view<?xf32>'}}
  // expected-note@+1 {{choose between the tiles that are loaded instead}}
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %A, %q = %B) -> (!tile.view<?xf32>, !tile.view<?xf32>) {
    %x = tile.load %p[%m] : !tile.view<?xf32> -> !tile.tile<8xf32>
    tile.store %x, %q[%m] : !tile.tile<8xf32>, !tile.view<?xf32>
    scf.yield %q, %p : !tile.view<?xf32>, !tile.view<?xf32>
  }
  tile.return
}
}

// -----

// Without results: values of its regions do as well.
module attributes {tile.target = "sm_80"} {
tile.kernel @view_that_a_while_carries(%A: !tile.view<?xf32>, %B: !tile.view<?xf32>, %c: i1) programs(%m) over %A by [8] {
  // expected-error@+2 {{'scf.while' op expects views to be arguments of the kernel, or 'tile.packed_view' of them, but chooses or carries one of '!tile.view<?xf32>'}}
  // expected-note@+1 {{choose between the tiles that are loaded instead}}
  scf.while (%p = %A) : (!tile.view<?xf32>) -> () {
    %x = tile.load %p[%m] : !tile.view<?xf32> -> !tile.tile<8xf32>
    tile.store %x, %A[%m] : !tile.tile<8xf32>, !tile.view<?xf32>
    scf.condition(%c)
  } do {
    scf.yield %B : !tile.view<?xf32>
  }
  tile.return
}
}
