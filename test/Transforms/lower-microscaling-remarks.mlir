// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-lower-microscaling))' --split-input-file --verify-diagnostics --remarks-filter='tile-microscaling'

!E = !tile.view<?x?xf8E4M3FN>
!S = !tile.view<?x?xf8E8M0FNU>
!V = !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales row_major>
!X = !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
tile.kernel @offset_of_the_launch(%A: !E, %S: !S, %k: index) programs(%m, %n) over %A by [64, 128] {
  %X = tile.mx_view %A, %S : !E, !S -> !V
  // expected-remark@+1 {{Reason="blocks begin at multiples of 32 elements", Remark="the offset along axis 1 is taken to be a multiple of 32, which is not proved", Suggestion="'tile.assume %offset divisible 32' says so; other offsets read and write wrong scales"}}
  %x = tile.mx_load %X[%m, %k] : !V -> !X
  tile.return
}

// What is assumed, and what steps through the program space or a loop, is proved.
tile.kernel @negative_proved(%A: !E, %S: !S, %k: index) programs(%m, %n) over %A by [64, 128] {
  %X = tile.mx_view %A, %S : !E, !S -> !V
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %j = tile.assume %k divisible 32
  %x = tile.mx_load %X[%m, %j] : !V -> !X
  %y = tile.mx_load %X[%m, %n] : !V -> !X
  scf.for %i = %c0 to %k step %c128 {
    %z = tile.mx_load %X[%m, %i] : !V -> !X
  }
  tile.return
}

// -----

!E = !tile.view<?x?xf8E4M3FN>
!I = !tile.view<?x?x32x4x4xf8E8M0FNU, strides [?, 512, 16, 4, 1]>
!V = !tile.mx_view<?x?xf8E4M3FN, block 32, scale f8E8M0FNU, scales interleaved_128x4>
!X = !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
tile.kernel @interleaved_offsets_of_the_launch(%A: !E, %S: !I, %i: index, %k: index) programs(%m, %n) over %A by [64, 128] {
  %X = tile.mx_view %A, %S : !E, !I -> !V
  // expected-remark@+1 {{Reason="interleaved scales of 64 rows begin at multiples of 64 rows", Remark="the offset along axis 0 is taken to be a multiple of 64, which is not proved", Suggestion="'tile.assume %offset divisible 64'}}
  %x = tile.mx_load %X[%i, %n] : !V -> !X
  // expected-remark@+1 {{Reason="interleaved scales of 4 blocks of 32 begin at multiples of 4 blocks", Remark="the offset along axis 1 is taken to be a multiple of 128, which is not proved", Suggestion="'tile.assume %offset divisible 128'}}
  %y = tile.mx_load %X[%m, %k] : !V -> !X
  tile.return
}

// Whole groups of 128 rows and 4 blocks are boxes wherever they begin.
tile.kernel @negative_interleaved_proved(%A: !E, %S: !I, %i: index, %k: index) programs(%m, %n) over %A by [64, 128] {
  %X = tile.mx_view %A, %S : !E, !I -> !V
  %row = tile.assume %i divisible 128
  %column = tile.assume %k divisible 128
  %s = tile.load_scales %X[%row, %column] : !V -> !tile.tile<256x8xf8E8M0FNU>
  tile.return
}
