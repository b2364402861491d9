// C = A + B on vectors of any length.
//
// Parameters: tilec -D BN=1024 -D T=bf16 replaces the right sides below.
#BN = 2048 : index             // elements per program
!T  = f32
!v  = !tile.view<?x!T>         // length and stride are known at the launch
!t  = !tile.tile<[#BN] x !T>

tile.kernel @vector_add(%A: !v, %B: !v, %C: !v)
    programs(%i) over %C by [#BN]
    tune {#BN in [1024, 2048, 4096]} {
  // %i is this program's first element. The last tile may hang over the end: what lies outside a view loads as zero
  // and is not stored, so there is no mask here.
  %a = tile.load %A[%i] : !v -> !t
  %b = tile.load %B[%i] : !v -> !t
  %c = arith.addf %a, %b : !t
  tile.store %c, %C[%i] : !t, !v
  tile.return
}
