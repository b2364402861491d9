"""Writes a kernel whose loop body loads and adds tiles N times: repeated-loop.py N > kernel.mlir."""
import sys

count = int(sys.argv[1])
print("""!v = !tile.view<?xf32>
!t = !tile.tile<128xf32>
tile.kernel @k(%A: !v, %B: !v, %n: index) programs(%m) over %B by [128] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t0 = tile.load %A[%m] : !v -> !t
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x0 = %t0) -> (!t) {""")
for i in range(count):
    print(f"""    %d{i} = arith.constant {128 * i} : index
    %j{i} = arith.addi %m, %d{i} : index
    %l{i} = tile.load %A[%j{i}] : !v -> !t
    %y{i} = arith.mulf %l{i}, %l{i} : !t
    %x{i + 1} = arith.addf %x{i}, %y{i} : !t""")
print(f"""    scf.yield %x{count} : !t
  }}
  tile.store %r, %B[%m] : !t, !v
  tile.return
}}""")
