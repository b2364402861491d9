// B = A through a packed buffer, read as a matrix operand: one block, every memory op runs once.
#M = 128 : index
#N = 128 : index
!T = f4E2M1FN
!v = !tile.view<?x?x!T, align 16>
!o = !tile.tile<128x128x!T, #tile.layout<registers = [[0, 1], [0, 2], [8, 0], [0, 16], [0, 32], [0, 64], [64, 0]], lanes = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warps = [[16, 0], [32, 0]]>>
!s = !tile.shared<128x128x!T, #tile.swizzle<order = [1, 0], swizzle = 128>>
!ring = !tile.channel<1 x (!s)>
tile.kernel @packed(%A: !v, %B: !v) programs(%m, %n) over %A by [#M, #N] schedule {warps = 4} {
  %c0 = arith.constant 0 : index
  %ring = tile.channel_create : !ring
  %w = tile.channel_acquire %ring[%c0] : !ring -> !s
  tile.copy_async %A[%m, %n] to %w : !v, !s
  tile.channel_commit %ring[%c0] : !ring
  %r = tile.channel_wait %ring[%c0] pending 0 : !ring -> !s
  %x = tile.shared_load %r : !s -> !o
  tile.channel_release %ring[%c0] : !ring
  tile.store %x, %B[%m, %n] : !o, !v
  tile.return
}
