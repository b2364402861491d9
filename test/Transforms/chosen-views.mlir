// RUN: tile-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(tile.kernel(canonicalize, cse, tile-lower-microscaling, cse, tile-plan))'

// A choice that a constant decides is none: parameters choose views this way.
module attributes {tile.target = "sm_80"} {
tile.kernel @negative_constant_condition(%A: !tile.view<?xf32>, %B: !tile.view<?xf32>) programs(%m) over %A by [8] {
  %true = arith.constant true
  %V = scf.if %true -> (!tile.view<?xf32>) {
    scf.yield %B : !tile.view<?xf32>
  } else {
    scf.yield %A : !tile.view<?xf32>
  }
  %W = arith.select %true, %V, %A : !tile.view<?xf32>
  %x = tile.load %W[%m] : !tile.view<?xf32> -> !tile.tile<8xf32>
  tile.store %x, %A[%m] : !tile.tile<8xf32>, !tile.view<?xf32>
  tile.return
}
}

// -----

!E = !tile.view<?x?xf8E4M3FN>
!S = !tile.view<?x?xf8E8M0FNU>
!V = !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
!X = !tile.mx<32x64xf8E4M3FN, block 32, scale f8E8M0FNU>
module attributes {tile.target = "sm_80"} {
tile.kernel @negative_constant_choice_of_microscaled_views(%A: !E, %B: !E, %S: !S, %C: !tile.view<?x?xf32>) programs(%m, %n) over %C by [32, 64] {
  %true = arith.constant true
  %X = tile.mx_view %A, %S : !E, !S -> !V
  %Y = tile.mx_view %B, %S : !E, !S -> !V
  %Z = arith.select %true, %X, %Y : !V
  %x = tile.mx_load %Z[%m, %n] : !V -> !X
  %y = tile.dequantize %x : !X -> !tile.tile<32x64xf32>
  tile.store %y, %C[%m, %n] : !tile.tile<32x64xf32>, !tile.view<?x?xf32>
  tile.return
}
}

// -----

!E = !tile.view<?x?xf8E4M3FN>
!S = !tile.view<?x?xf8E8M0FNU>
!V = !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
!X = !tile.mx<32x64xf8E4M3FN, block 32, scale f8E8M0FNU>
module attributes {tile.target = "sm_80"} {
tile.kernel @choice_of_microscaled_views(%A: !E, %B: !E, %S: !S, %C: !tile.view<?x?xf32>, %c: i1) programs(%m, %n) over %C by [32, 64] {
  %X = tile.mx_view %A, %S : !E, !S -> !V
  %Y = tile.mx_view %B, %S : !E, !S -> !V
  // expected-error@+2 {{'arith.select' op expects views to be arguments of the kernel, or 'tile.packed_view' of them, but chooses or carries one of '!tile.view<?x?xf8E4M3FN>'}}
  // expected-note@+1 {{choose between the tiles that are loaded instead}}
  %Z = arith.select %c, %X, %Y : !V
  %x = tile.mx_load %Z[%m, %n] : !V -> !X
  %y = tile.dequantize %x : !X -> !tile.tile<32x64xf32>
  tile.store %y, %C[%m, %n] : !tile.tile<32x64xf32>, !tile.view<?x?xf32>
  tile.return
}
}

// -----

!E = !tile.view<?x?xf8E4M3FN>
!S = !tile.view<?x?xf8E8M0FNU>
!V = !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
!X = !tile.mx<32x64xf8E4M3FN, block 32, scale f8E8M0FNU>
module attributes {tile.target = "sm_80"} {
tile.kernel @microscaled_views_that_a_loop_carries(%A: !E, %B: !E, %S: !S, %C: !tile.view<?x?xf32>, %c: i1) programs(%m, %n) over %C by [32, 64] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : !tile.tile<32x64xf32>
  %X = tile.mx_view %A, %S : !E, !S -> !V
  %Y = tile.mx_view %B, %S : !E, !S -> !V
  // expected-error@+2 {{'scf.for' op expects views to be arguments of the kernel, or 'tile.packed_view' of them, but chooses or carries one of '!tile.view<?x?xf8E4M3FN>'}}
  // expected-note@+1 {{choose between the tiles that are loaded instead}}
  %r:3 = scf.for %i = %c0 to %m step %c1 iter_args(%p = %X, %q = %Y, %acc = %zero) -> (!V, !V, !tile.tile<32x64xf32>) {
    %x = tile.mx_load %p[%m, %n] : !V -> !X
    %y = tile.dequantize %x : !X -> !tile.tile<32x64xf32>
    %sum = arith.addf %acc, %y : !tile.tile<32x64xf32>
    scf.yield %q, %p, %sum : !V, !V, !tile.tile<32x64xf32>
  }
  tile.store %r#2, %C[%m, %n] : !tile.tile<32x64xf32>, !tile.view<?x?xf32>
  tile.return
}
}
