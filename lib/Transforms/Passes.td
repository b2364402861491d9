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

#endif
