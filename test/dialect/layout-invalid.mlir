// RUN: tile-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{expected five lane basis vectors, found 4}}
tile.kernel @layout_with_four_lanes(%n: index) programs(%i) in (%n) by [1] attributes {t = #tile.layout<registers = [], lanes = [[1], [2], [4], [8]], warps = []>} { tile.return }

// -----

// expected-error@+1 {{expected five lane basis vectors, found 0}}
tile.kernel @layout_without_lanes(%n: index) programs(%i) in (%n) by [1] attributes {t = #tile.layout<registers = [], lanes = [], warps = []>} { tile.return }

// -----

// expected-error@+1 {{expected a basis vector of 2 coordinates, found 1}}
tile.kernel @layout_of_mixed_rank(%n: index) programs(%i) in (%n) by [1] attributes {t = #tile.layout<registers = [[1, 0]], lanes = [[1], [2], [4], [8], [16]], warps = []>} { tile.return }

// -----

// expected-error@+1 {{expected a basis vector of 1 or more coordinates, found none}}
tile.kernel @layout_of_rank_0(%n: index) programs(%i) in (%n) by [1] attributes {t = #tile.layout<registers = [[]], lanes = [[], [], [], [], []], warps = []>} { tile.return }

// -----

// expected-error@+1 {{expected 'register' or 'warp', found 'lane'}}
tile.kernel @layout_digit_in_a_lane(%n: index) programs(%i) in (%n) by [1] attributes {t = #tile.layout<registers = [], lanes = [[1], [2], [4], [8], [16]], warps = [], digits = [0 by 3 in lane]>} { tile.return }

// -----

// expected-error@+1 {{integer value too large}}
tile.kernel @layout_coordinate_overflows(%n: index) programs(%i) in (%n) by [1] attributes {t = #tile.layout<registers = [[99999999999]], lanes = [[1], [2], [4], [8], [16]], warps = []>} { tile.return }

// -----

// expected-error@+1 {{expected ','}}
tile.kernel @layout_without_warps(%n: index) programs(%i) in (%n) by [1] attributes {t = #tile.layout<registers = [], lanes = [[1], [2], [4], [8], [16]]>} { tile.return }
