// RUN: tile-opt %s --tile-pipeline --split-input-file --verify-diagnostics

// expected-error @+1 {{'tile.kernel' op expects the plan's stages to be from 1 to 64, found 65}}
tile.kernel @too_many_stages(%n: index) programs(%i) in (%n) by [1] plan {stages = 65 : i64} {
  tile.return
}

// -----

// expected-error @+1 {{'tile.kernel' op expects the plan's stages to be from 1 to 64, found 0}}
tile.kernel @no_stage(%n: index) programs(%i) in (%n) by [1] plan {stages = 0 : i64} {
  tile.return
}
