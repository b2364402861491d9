// The passes on kernels. Each does one thing; the order is in lib/Pipeline.
#ifndef LIB_TRANSFORMS_PASSES_TD
#define LIB_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

class TilePass<string argument> : Pass<argument, "::mlir::tile::KernelOp"> {
  let dependentDialects = ["::mlir::tile::TileDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TilePlanPass : TilePass<"tile-plan"> {
  let summary = "chooses warps, stages and program order from target, shapes and types";
  let description = [{
    Writes the dictionary `plan` of the kernel; lib/Plan/README.md lists the keys and how each is chosen. What the
    kernel's `schedule` asks for is taken as it is; an unknown key or a value out of range there is an error that says
    what is allowed. The target is the module's attribute `tile.target`.

    Input: every view is an argument of the kernel or its `tile.packed_view`; one that `arith.select` or `scf` chooses or
    carries is an error. Run `canonicalize` first: it folds choices that constants decide.

    ```mlir
    // before
    tile.kernel @k(…) programs(%m, %n) over %C by [128, 128] schedule {stages = 3 : i64} { … }
    // after
    tile.kernel @k(…) programs(%m, %n) over %C by [128, 128] schedule {stages = 3 : i64}
        plan {group_m = 8 : i64, stages = 3 : i64, warps = 4 : i64, warps_m = 2 : i64, warps_n = 2 : i64} { … }
    ```
  }];
}

def TileAssignLayoutsPass : TilePass<"tile-assign-layouts"> {
  let summary = "gives every tile a layout";
  let description = [{
    Input: a planned kernel, open or laid out in parts; layouts that the author wrote stay. Output: every tile type has
    a layout; a `tile.relayout` stands where a use needs another layout than the value has, once for each value and
    layout, right after the definition. Constants, splats and iotas are made anew instead. Operands and accumulators of
    dots have the layouts of the target's matrix instruction, accesses to global memory are coalesced, and everything
    between follows with as few relayouts as possible. Numbers do not change.

    ```mlir
    // before
    %a = tile.load %A[%m, %k] : !tile.view<?x?xbf16> -> !tile.tile<128x64xbf16>
    %d = tile.dot %a, %b, %c : !tile.tile<128x64xbf16>, !tile.tile<64x128xbf16>, !tile.tile<128x128xf32>
    // after
    %a = tile.load %A[%m, %k] : !tile.view<?x?xbf16> -> !tile.tile<128x64xbf16, #rows>
    %f = tile.relayout %a : !tile.tile<128x64xbf16, #rows> -> !tile.tile<128x64xbf16, #operandA>
    %d = tile.dot %f, %g, %c : !tile.tile<128x64xbf16, #operandA>, !tile.tile<64x128xbf16, #operandB>,
                               !tile.tile<128x128xf32, #accumulator>
    ```
  }];
}

def TileDropDeadArgumentsPass : TilePass<"tile-drop-dead-arguments"> {
  let summary = "removes kernel arguments that neither the body nor the program space uses";
  let description = [{
    One kernel text with optional operands keeps only those that its parameters leave alive. The names and types of the
    others go into the kernel's `dropped_arguments`, for the sidecar.

    ```mlir
    tile.kernel @k(%A: !v, %bias: !row) programs(%m) over %A by [8] { … no %bias … }
    // becomes
    tile.kernel @k(%A: !v) programs(%m) over %A by [8] attributes {dropped_arguments = [["bias", !row]]} { … }
    ```

    Input: dead code is gone (run `canonicalize` first). Output: every argument has a use. Numeric effect: none.
  }];
}

def TileLowerMicroscalingPass : TilePass<"tile-lower-microscaling"> {
  let summary = "turns microscaled tiles into elements and scales";
  let description = [{
    Every value of `!tile.mx` becomes a tile of elements, a tile of scales and, where its type says so, an f32; every
    view the views that it was joined of. Both are carried and chosen in parts; plain views that are still chosen or
    carried when the kernel is planned are an error there, as for views that were never joined. Loads, stores and quantisation become
    ordinary ops, and a dot takes the scales of its operands beside them. A tensor scale multiplies the dot's own sum.
    Products of f4E2M1FN pairs become `packed` where the target (`tile.target` of the module) multiplies such bytes.

    ```mlir
    %X = tile.mx_view %E, %S : !view_e, !view_s -> !mx_view
    %x = tile.mx_load %X[%m, %k] : !mx_view -> !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>
    %d = tile.dot %x, %b, %c : !tile.mx<64x128xf8E4M3FN, block 32, scale f8E8M0FNU>, !b, !c
    // becomes
    %e = tile.load %E[%m, %k] : !view_e -> !tile.tile<64x128xf8E4M3FN>
    %block = arith.shrsi %k, %c5 : index
    %s = tile.load %S[%m, %block] : !view_s -> !tile.tile<64x4xf8E8M0FNU>
    %d = tile.dot %e scaled %s by 32, %b, %c : !tile.tile<64x128xf8E4M3FN> scaled !tile.tile<64x4xf8E8M0FNU>, !b, !c
    ```

    Input: tiles have no layouts, or are joined to microscaled ones by `tile.relayout`, which this pass adds. Output: of
    microscaling `tile.bitcast`, `tile.pack_pairs` and `tile.packed_view` are left; loads that nothing needs any more go
    with `cse`. Numeric effect: none, as quantisation is defined by what it becomes.
  }];
  let dependentDialects = ["::mlir::tile::TileDialect", "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect"];
}

def TileSpecialiseAlignmentPass : Pass<"tile-specialise-alignment", "::mlir::ModuleOp"> {
  let summary = "makes a fast and a general variant of every kernel";
  let description = [{
    Whether 16-byte accesses and 32-bit index arithmetic are right is known when a kernel is launched. So `@k` becomes
    the fast variant, whose views promise `align 16` and whose indices stay up to `max_index`, and a copy `@k__general`
    keeps the declared types and has no `max_index`. The launch header chooses. The promise may be below 16: static
    strides permit no more than they are multiples of, and no access is wider than a row of the tiles that are loaded
    and stored has bytes.

    ```mlir
    tile.kernel @k(%A: !tile.view<?xf32>) programs(%m) over %A by [8] { … }
    // becomes
    tile.kernel @k(%A: !tile.view<?xf32, align 16>) programs(%m) over %A by [8]
        attributes {max_index = 2146435071 : i64} { … }
    tile.kernel @k__general(%A: !tile.view<?xf32>) programs(%m) over %A by [8] { … }
    ```

    `max_index` leaves 2²⁰ below 2³¹ − 1, so that offsets which run ahead do not wrap. A view that is carried or
    selected, which `tile-plan` refuses, keeps its declared type. Numeric effect: none.
  }];
  let dependentDialects = ["::mlir::tile::TileDialect"];
}

def TileStagePass : TilePass<"tile-stage"> {
  let summary = "brings operands of matrix products from memory through shared memory";
  let description = [{
    A loaded tile that only dots use (through `tile.transpose` and `tile.relayout`) is copied into a shared buffer and
    read from there in the operand's layout, which costs one ldmatrix per fragment. The loads of one block share one
    channel of one slot; a load that cannot move up to the others gets a channel of its own.

    ```mlir
    %a = tile.load %A[%m, %k] : !view -> !a_in_rows
    %x = tile.relayout %a : !a_in_rows -> !a_operand
    // becomes
    %ring = tile.channel_create : !tile.channel<1 x (!buffer)>                        (top of the kernel)
    %w = tile.channel_acquire %ring[%c0] : … -> !buffer
    tile.copy_async %A[%m, %k] to %w : !view, !buffer
    tile.channel_commit %ring[%c0] : …
    %r = tile.channel_wait %ring[%c0] pending 0 : … -> !buffer
    %x = tile.shared_load %r : !buffer -> !a_operand
    tile.channel_release %ring[%c0] : …
    ```

    Input: every tile has a layout. Output: what could not be staged is as before, with a remark that says why.
    Numeric effect: none.
  }];
}

def TilePipelinePass : TilePass<"tile-pipeline"> {
  let summary = "lets the copies of a loop run ahead of the iterations that read them";
  let description = [{
    A channel of one slot whose ops stand in the body of one `scf.for` becomes a ring of `stages` slots (of the
    kernel's plan), filled `stages - 1` iterations ahead.

    ```mlir
    scf.for %k = %lb to %ub step %s {          // before: one slot
      acquire[0]; copy(%k); commit[0]; wait[0] pending 0; read; release[0]
    }
    // becomes, with S stages
    for s in 0 … S-2 (unrolled): acquire[s]; copy(%lb + s·step) if %lb + s·step < %ub; commit[s]
    scf.for %k = %lb to %ub step %s iter_args(%read = 0, %write = S-1) {
      wait[%read] pending S-2; acquire[%write]; copy(%k + (S-1)·step) if %k + (S-1)·step < %ub; commit[%write]
      read; release[%read]
      yield (%read + 1) mod S, (%write + 1) mod S
    }
    ```

    Several such channels of one loop become one ring. Input: the output of `tile-stage`, or the same written by
    hand. Run `canonicalize` afterwards: constants and conditions are left as they come. Copies whose offsets depend on
    more than the induction variable and invariants, and loops that write to global memory, stay as they are, with a
    remark. Numeric effect: none.
  }];
}

def TileSliceDotsPass : TilePass<"tile-slice-dots"> {
  let summary = "cuts products whose operands are in shared memory into slices of K, each with loads of its own";
  let description = [{
    The loads of a slice stand before the product of the slice before it, so that the matrix unit hides them; copies of a
    later stage go behind the first slice, and releases behind the last loads. A slice is as thin as the instruction, or
    twice that where loads would be narrower.

    ```mlir
    %x = tile.shared_load %s : !s -> !a
    %y = tile.shared_load %t : !t -> !b
    %z = tile.dot %x, %y, %c : !a, !b, !c
    // becomes, with K = 32 and an instruction of 16
    %x0 = tile.shared_load %s at [0, 0] : !s -> !a_slice
    %y0 = tile.shared_load %t at [0, 0] : !t -> !b_slice
    %x1 = tile.shared_load %s at [0, 16] : !s -> !a_slice
    %y1 = tile.shared_load %t at [16, 0] : !t -> !b_slice
    %z0 = tile.dot %x0, %y0, %c : !a_slice, !b_slice, !c
    %z = tile.dot %x1, %y1, %z0 : !a_slice, !b_slice, !c
    ```

    Input: every tile has a layout; barriers are not placed. Output: products that were not cut are as before, with a
    remark that says why. Numeric effect: none, as slices are added up in the order of the instructions.
  }];
}

def TilePrefetchOperandsPass : TilePass<"tile-prefetch-operands"> {
  let summary = "reads the first operands of an iteration during the last product of the one before";
  let description = [{
    For a loop that begins with a wait for a slot of a ring, as `tile-pipeline` and `tile-slice-dots` leave it.

    ```mlir
    scf.for … iter_args(%read = 0) {
      wait[%read]; x = shared_load; …; dot x; …; release[%read]; dot y
      yield %next
    }
    // becomes
    wait[0]; x0 = shared_load
    scf.for … iter_args(%read = 0, x = x0) {
      slot[%read]; …; dot x; …; release[%read]; wait[%next]; x' = shared_load; dot y
      yield %next, x'
    }
    release[%read of the end]
    ```

    What the wait allows to be in flight stays, as it passes no commit. At most 64 registers per thread are carried. Input:
    barriers are not placed. Output: loops that were not changed are as before, with a remark that says why. Numeric
    effect: none.
  }];
}

def TileLowerRelayoutsPass : TilePass<"tile-lower-relayouts"> {
  let summary = "sends conversions that threads cannot do among themselves through shared memory";
  let description = [{
    ```mlir
    %y = tile.relayout %x : !in -> !out
    // becomes, where registers and shuffles do not do
    %s = tile.shared_alloc : !tile.shared<…>
    tile.shared_store %x, %s : !in, !tile.shared<…>
    %y = tile.shared_load %s : !tile.shared<…> -> !out
    ```

    Input: every tile has a layout. Output: the remaining relayouts need no shared memory. Numeric effect: none.
  }];
}

def TileAllocateSharedPass : TilePass<"tile-allocate-shared"> {
  let summary = "places buffers, channels and scratch in shared memory";
  let description = [{
    Buffers that are not alive at the same time share bytes. Sets `offset` of `tile.shared_alloc` and
    `tile.channel_create`, `scratch` of `tile.reduce`, and `shared_bytes` of the kernel. More than the target
    (`tile.target` of the module) has is an error with a table by buffer.

    ```mlir
    %s = tile.shared_alloc : !tile.shared<32x64xf32, #s>
    // becomes
    %s = tile.shared_alloc {offset = 0 : i64} : !tile.shared<32x64xf32, #s>
    ```

    Input: no pass after this one makes buffers. Numeric effect: none.
  }];
}

def TileInsertBarriersPass : TilePass<"tile-insert-barriers"> {
  let summary = "places barriers where threads may meet each other's shared-memory accesses";
  let description = [{
    A dataflow analysis over bytes of shared memory: a barrier goes right before an op that reads what others wrote,
    or writes what others read or wrote, since the last barrier.

    ```mlir
    tile.shared_store %x, %s : !in, !s
    %y = tile.shared_load %s : !s -> !out
    // becomes
    tile.shared_store %x, %s : !in, !s
    tile.barrier
    %y = tile.shared_load %s : !s -> !out
    ```

    Input: the output of `tile-allocate-shared`. Output: no hazard is left; running the pass again adds nothing.
    Numeric effect: none.
  }];
}

#endif
