// RUN: tile-opt %s --allow-unregistered-dialect -split-input-file -verify-diagnostics

tile.kernel @op_of_an_unregistered_dialect(%n: index) programs(%i) in (%n) by [1] {
  // expected-error@+1 {{'other.op' op is not allowed in a kernel: expected ops of 'tile' and 'scf', and those of 'arith' and 'math' that dialect/README.md lists}}
  "other.op"() : () -> ()
  tile.return
}

// -----

// expected-error@+1 {{'tile.kernel' op expects the body to end in 'tile.return'}}
tile.kernel @body_ends_in_an_unregistered_op(%n: index) programs(%i) in (%n) by [1] {
  "other.end"() : () -> ()
}

// -----

// expected-error@+1 {{'tile.kernel' op expects the program space to end in 'tile.extents'}}
tile.kernel @space_ends_in_an_unregistered_op(%n: index) programs(%i) in {
  "other.end"() : () -> ()
} by [1] {
  tile.return
}

// -----

"other.op"() ({
// expected-error@+1 {{expected values of '!tile.view<?xf32>' only inside 'tile.kernel'}}
^bb0(%A: !tile.view<?xf32>):
  "other.end"() : () -> ()
}) : () -> ()
