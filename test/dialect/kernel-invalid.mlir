// RUN: tile-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{'tile.kernel' op expects a name of letters, digits and '_', found 'a b'}}
tile.kernel @"a b"(%n: index) programs(%i) in (%n) by [1] {
  tile.return
}

// -----

// expected-error@+1 {{expected SSA operand}}
tile.kernel @no_coordinates(%n: index) programs() in () by [] {
  tile.return
}

// -----

// expected-error@+1 {{'tile.kernel' op expects positive steps in 'by', found -8}}
tile.kernel @negative_step(%n: index) programs(%i) in (%n) by [-8] {
  tile.return
}

// -----

// expected-error@+1 {{'tile.kernel' op expects positive steps in 'by', found 0}}
tile.kernel @zero_step(%n: index) programs(%i) in (%n) by [0] {
  tile.return
}

// -----

// expected-error@+1 {{'tile.kernel' op expects one step per coordinate, got 1 and 2}}
tile.kernel @too_few_steps(%n: index) programs(%i, %j) in (%n, %n) by [8] {
  tile.return
}

// -----

// expected-error@+1 {{expected a step to be an integer, found '"8"'}}
tile.kernel @step_is_a_string(%n: index) programs(%i) in (%n) by ["8"] {
  tile.return
}

// -----

// expected-error@+1 {{expected a step to be an integer, found 'true'}}
tile.kernel @step_is_a_boolean(%n: index) programs(%i) in (%n) by [true] {
  tile.return
}

// -----

// expected-error@+1 {{'tile.kernel' op expects arguments to be views or scalars, but 't' has type '!tile.tile<8xf32>'}}
tile.kernel @argument_is_a_tile(%n: index, %t: !tile.tile<8xf32>) programs(%i) in (%n) by [8] {
  tile.return
}

// -----

// expected-error@+1 {{'tile.kernel' op expects arguments to be views or scalars, but 't' has type '!tile.mx<32x32xf8E4M3FN, block 32, scale f8E8M0FNU>'}}
tile.kernel @argument_is_an_mx_tile(%n: index, %t: !tile.mx<32x32xf8E4M3FN, block 32, scale f8E8M0FNU>) programs(%i) in (%n) by [8] {
  tile.return
}

// -----

// expected-error@+1 {{'tile.kernel' op expects arguments to be views or scalars, but 't' has type 'i7'}}
tile.kernel @argument_of_odd_width(%n: index, %t: i7) programs(%i) in (%n) by [8] {
  tile.return
}

// -----

// expected-error@+1 {{'tile.kernel' op expects arguments to be views or scalars, but 't' has type 'ui32'}}
tile.kernel @argument_is_unsigned(%n: index, %t: ui32) programs(%i) in (%n) by [8] {
  tile.return
}

// -----

// expected-error@+1 {{'tile.kernel' op expects arguments to be views or scalars, but 't' has type 'memref<8xf32>'}}
tile.kernel @argument_is_a_memref(%n: index, %t: memref<8xf32>) programs(%i) in (%n) by [8] {
  tile.return
}

// -----

// expected-error@+1 {{expected '%n' to be a view of rank 1, one coordinate per axis, but its type is 'index'}}
tile.kernel @space_over_a_scalar(%n: index) programs(%i) over %n by [8] {
  tile.return
}

// -----

// expected-error@+1 {{expected '%A' to be a view of rank 1, one coordinate per axis, but its type is '!tile.view<?x?xf32>'}}
tile.kernel @space_over_another_rank(%A: !tile.view<?x?xf32>) programs(%i) over %A by [8] {
  tile.return
}

// -----

// expected-error@+1 {{expected an argument of the kernel, found '%B'}}
tile.kernel @space_over_nothing(%A: !tile.view<?x?xf32>) programs(%i) over %B by [8] {
  tile.return
}

// -----

// expected-error@+1 {{expected '%n' to be an index, but its type is 'i32'}}
tile.kernel @space_in_i32(%n: i32) programs(%i) in (%n) by [8] {
  tile.return
}

// -----

// expected-error@+1 {{expected one extent per coordinate, got 1 and 2}}
tile.kernel @space_with_too_few_extents(%n: index) programs(%i, %j) in (%n) by [8, 8] {
  tile.return
}

// -----

// expected-error@+1 {{expected 'in' or 'over'}}
tile.kernel @space_without_keyword(%n: index) programs(%i) (%n) by [8] {
  tile.return
}

// -----

// expected-error@+1 {{'tile.kernel' op expects integers of at most 64 bits and strings in schedule and plan, found "stages" = [1]}}
tile.kernel @schedule_with_a_list(%n: index) programs(%i) in (%n) by [8] schedule {stages = [1]} {
  tile.return
}

// -----

// expected-error@+1 {{'tile.kernel' op expects integers of at most 64 bits and strings in schedule and plan, found "stages" = 3 : ui8}}
tile.kernel @plan_with_an_unsigned_integer(%n: index) programs(%i) in (%n) by [8] plan {stages = 3 : ui8} {
  tile.return
}

// -----

// expected-error@+1 {{'tile.kernel' op expects at least one value of "BM" in tune}}
tile.kernel @tune_without_values(%n: index) programs(%i) in (%n) by [8] tune {BM = 8 : index in []} {
  tile.return
}

// -----

// expected-error@+1 {{expected valid keyword}}
tile.kernel @tune_without_name(%n: index) programs(%i) in (%n) by [8] tune {8 in [8]} {
  tile.return
}

// -----

// expected-error@+1 {{'tile.kernel' op expects entries of tune to have a name, a value and values, found 3 : i64}}
tile.kernel @tune_attribute_that_is_no_entry(%n: index) programs(%i) in (%n) by [8] attributes {tune = [3]} {
  tile.return
}

// -----

// expected-error@+1 {{attribute 'steps' occurs more than once in the attribute list}}
tile.kernel @steps_twice(%n: index) programs(%i) in (%n) by [8] attributes {steps = array<i64: 3>} {
  tile.return
}

// -----

// expected-error@+1 {{'tile.kernel' op expects a body of one block, found 2; branches are 'scf.if', loops 'scf.for' and 'scf.while'}}
tile.kernel @two_blocks(%n: index) programs(%i) in (%n) by [8] {
  tile.return
^next:
  tile.return
}

// -----

tile.kernel @outer(%n: index) programs(%i) in (%n) by [1] {
  // expected-error@+1 {{'tile.kernel' op symbol's parent must have the SymbolTable trait}}
  tile.kernel @inner(%m: index) programs(%j) in (%m) by [1] {
    tile.return
  }
  tile.return
}

// -----

tile.kernel @uses_an_outer_value(%n: index) programs(%i) in (%n) by [1] {
  // expected-error@+1 {{use of undeclared SSA value name}}
  %x = arith.addi %n, %m : index
  tile.return
}

// -----

tile.kernel @body_without_return(%n: index) programs(%i) in (%n) by [1] {
  // expected-error@+1 {{block with no terminator}}
  %x = arith.addi %n, %n : index
}

// -----

tile.kernel @space_reads_memory(%A: !tile.view<?xf32>, %n: index) programs(%i) in {
  // expected-error@+1 {{'tile.load' op is not allowed in a program space: expected 'tile.dim', 'tile.assume' or 'arith' on integers}}
  %t = tile.load %A[%n] : !tile.view<?xf32> -> !tile.tile<8xf32>
  tile.extents %n
} by [1] {
  tile.return
}

// -----

tile.kernel @space_computes_floats(%n: index, %f: f32) programs(%i) in {
  // expected-error@+1 {{'arith.addf' op is not allowed in a program space: expected 'tile.dim', 'tile.assume' or 'arith' on integers}}
  %t = arith.addf %f, %f : f32
  tile.extents %n
} by [1] {
  tile.return
}

// -----

tile.kernel @space_makes_a_tile(%n: index) programs(%i) in {
  // expected-error@+1 {{'tile.iota' op is not allowed in a program space: expected 'tile.dim', 'tile.assume' or 'arith' on integers}}
  %t = tile.iota 0 : !tile.tile<8xi32>
  tile.extents %n
} by [1] {
  tile.return
}

// -----

tile.kernel @space_may_divide_by_zero(%n: index) programs(%i) in {
  // expected-error@+1 {{'arith.divui' op is not allowed in a program space: expected a divisor that is a constant other than 0}}
  %t = arith.divui %n, %n : index
  tile.extents %n
} by [1] {
  tile.return
}

// -----

tile.kernel @space_with_a_loop(%n: index) programs(%i) in {
  // expected-error@+1 {{'scf.for' op is not allowed in a program space: expected 'tile.dim', 'tile.assume' or 'arith' on integers}}
  scf.for %j = %n to %n step %n {
  }
  tile.extents %n
} by [1] {
  tile.return
}

// -----

// expected-error@+1 {{'tile.kernel' op expects the program space to end in 'tile.extents'}}
tile.kernel @space_ends_in_return(%n: index) programs(%i) in {
  tile.return
} by [1] {
  tile.return
}

// -----

// expected-error@+1 {{'tile.kernel' op requires attribute 'arg_names'}}
"tile.kernel"() <{coordinate_names = ["i"], steps = array<i64: 1>, sym_name = "generic_without_arg_names"}> ({
^bb0(%n: index, %i: index):
  "tile.return"() : () -> ()
}, {
^bb0(%n: index):
  "tile.extents"(%n) : (index) -> ()
}) : () -> ()

// -----

// expected-error@+1 {{'tile.kernel' op requires attribute 'coordinate_names'}}
"tile.kernel"() <{arg_names = ["n"], steps = array<i64: 1>, sym_name = "generic_without_coordinate_names"}> ({
^bb0(%n: index, %i: index):
  "tile.return"() : () -> ()
}, {
^bb0(%n: index):
  "tile.extents"(%n) : (index) -> ()
}) : () -> ()

// -----

// expected-error@+1 {{'tile.kernel' op requires attribute 'steps'}}
"tile.kernel"() <{arg_names = ["n"], coordinate_names = ["i"], sym_name = "generic_without_steps"}> ({
^bb0(%n: index, %i: index):
  "tile.return"() : () -> ()
}, {
^bb0(%n: index):
  "tile.extents"(%n) : (index) -> ()
}) : () -> ()

// -----

// expected-error@+1 {{'tile.kernel' op requires attribute 'sym_name'}}
"tile.kernel"() <{arg_names = ["n"], coordinate_names = ["i"], steps = array<i64: 1>}> ({
^bb0(%n: index, %i: index):
  "tile.return"() : () -> ()
}, {
^bb0(%n: index):
  "tile.extents"(%n) : (index) -> ()
}) : () -> ()

// -----

// expected-error@+1 {{'tile.kernel' op expects at least one program coordinate}}
"tile.kernel"() <{arg_names = ["n"], coordinate_names = ["i"], steps = array<i64>, sym_name = "generic_without_steps_listed"}> ({
^bb0(%n: index, %i: index):
  "tile.return"() : () -> ()
}, {
^bb0(%n: index):
  "tile.extents"(%n) : (index) -> ()
}) : () -> ()

// -----

// expected-error@+1 {{'tile.kernel' op expects one step per coordinate, got 1 and 0}}
"tile.kernel"() <{arg_names = ["n"], coordinate_names = [], steps = array<i64: 1>, sym_name = "generic_names_fewer_coordinates"}> ({
^bb0(%n: index, %i: index):
  "tile.return"() : () -> ()
}, {
^bb0(%n: index):
  "tile.extents"(%n) : (index) -> ()
}) : () -> ()

// -----

// expected-error@+1 {{'tile.kernel' op attribute 'arg_names' failed to satisfy constraint: string array attribute}}
"tile.kernel"() <{arg_names = [3], coordinate_names = ["i"], steps = array<i64: 1>, sym_name = "generic_names_that_are_no_strings"}> ({
^bb0(%n: index, %i: index):
  "tile.return"() : () -> ()
}, {
^bb0(%n: index):
  "tile.extents"(%n) : (index) -> ()
}) : () -> ()

// -----

// expected-error@+1 {{'tile.kernel' op expects the body to take 2 values, the arguments and the coordinates, found 1}}
"tile.kernel"() <{arg_names = ["n"], coordinate_names = ["i"], steps = array<i64: 1>, sym_name = "generic_body_takes_too_little"}> ({
^bb0(%n: index):
  "tile.return"() : () -> ()
}, {
^bb0(%n: index):
  "tile.extents"(%n) : (index) -> ()
}) : () -> ()

// -----

// expected-error@+1 {{'tile.kernel' op expects the program space to take the 1 arguments, found 0}}
"tile.kernel"() <{arg_names = ["n"], coordinate_names = ["i"], steps = array<i64: 1>, sym_name = "generic_space_takes_too_little"}> ({
^bb0(%n: index, %i: index):
  "tile.return"() : () -> ()
}, {
  %n = arith.constant 1 : index
  "tile.extents"(%n) : (index) -> ()
}) : () -> ()

// -----

// expected-error@+1 {{'tile.kernel' op expects body and program space to take the same arguments, but 'n' has types 'index' and 'i32'}}
"tile.kernel"() <{arg_names = ["n"], coordinate_names = ["i"], steps = array<i64: 1>, sym_name = "generic_space_takes_another_type"}> ({
^bb0(%n: index, %i: index):
  "tile.return"() : () -> ()
}, {
^bb0(%m: i32):
  %n = arith.constant 1 : index
  "tile.extents"(%n) : (index) -> ()
}) : () -> ()

// -----

// expected-error@+1 {{'tile.kernel' op expects coordinates of type index, found 'i32'}}
"tile.kernel"() <{arg_names = ["n"], coordinate_names = ["i"], steps = array<i64: 1>, sym_name = "generic_coordinate_of_i32"}> ({
^bb0(%n: index, %i: i32):
  "tile.return"() : () -> ()
}, {
^bb0(%n: index):
  "tile.extents"(%n) : (index) -> ()
}) : () -> ()

// -----

// expected-error@+1 {{'tile.kernel' op expects a body of one block, found 0; branches are 'scf.if', loops 'scf.for' and 'scf.while'}}
"tile.kernel"() <{arg_names = ["n"], coordinate_names = ["i"], steps = array<i64: 1>, sym_name = "generic_without_body"}> ({}, {
^bb0(%n: index):
  "tile.extents"(%n) : (index) -> ()
}) : () -> ()

// -----

// expected-error@+1 {{'tile.kernel' op region #1 ('space') failed to verify constraint: region with 1 blocks}}
"tile.kernel"() <{arg_names = ["n"], coordinate_names = ["i"], steps = array<i64: 1>, sym_name = "generic_without_space"}> ({
^bb0(%n: index, %i: index):
  "tile.return"() : () -> ()
}, {}) : () -> ()

// -----

// expected-error@+1 {{'tile.kernel' op expected 2 regions}}
"tile.kernel"() <{arg_names = ["n"], coordinate_names = ["i"], steps = array<i64: 1>, sym_name = "generic_with_one_region"}> ({
^bb0(%n: index, %i: index):
  "tile.return"() : () -> ()
}) : () -> ()

// -----

// expected-error@+1 {{empty block: expect at least a terminator}}
"tile.kernel"() <{arg_names = ["n"], coordinate_names = ["i"], steps = array<i64: 1>, sym_name = "generic_with_empty_blocks"}> ({
^bb0(%n: index, %i: index):
}, {
^bb0(%n: index):
  "tile.extents"(%n) : (index) -> ()
}) : () -> ()

// -----

// expected-error@+1 {{'tile.kernel' op requires zero results}}
%0 = "tile.kernel"() <{arg_names = [], coordinate_names = [], steps = array<i64>, sym_name = "k"}> ({}, {}) : () -> index

// -----

// expected-error@+1 {{'tile.kernel' op expects names of arguments and coordinates to be of letters, digits and '_', found '0'}}
tile.kernel @argument_without_a_name(%0: index) programs(%i) in (%0) by [1] {
  tile.return
}

// -----

// expected-error@+1 {{'tile.kernel' op expects names of arguments and coordinates to be of letters, digits and '_', found 'i-1'}}
tile.kernel @coordinate_with_a_sign(%n: index) programs(%i-1) in (%n) by [1] {
  tile.return
}

// -----

// expected-error@+2 {{region entry argument '%n' is already in use}}
// expected-note@+1 {{previously referenced here}}
tile.kernel @coordinate_named_as_an_argument(%n: index) programs(%n) in (%n) by [1] {
  tile.return
}

// -----

// expected-error@+1 {{'tile.kernel' op expects arguments and coordinates to have different names, found 'n' twice}}
"tile.kernel"() <{arg_names = ["n"], coordinate_names = ["n"], steps = array<i64: 1>, sym_name = "generic_with_one_name_twice"}> ({
^bb0(%n: index, %i: index):
  "tile.return"() : () -> ()
}, {
^bb0(%n: index):
  "tile.extents"(%n) : (index) -> ()
}) : () -> ()
