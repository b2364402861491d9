// RUN: tile-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{expected 1 to 64 stages, found 0}}
tile.kernel @channel_without_stages(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.channel<0 x ()>} { tile.return }

// -----

// expected-error@+1 {{expected 1 to 64 stages, found 65}}
tile.kernel @channel_of_65_stages(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.channel<65 x ()>} { tile.return }

// -----

// expected-error@+1 {{expected slots to hold shared buffers, found '!tile.tile<8xf32>'}}
tile.kernel @channel_of_a_tile(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.channel<2 x (!tile.tile<8xf32>)>} { tile.return }

// -----

// expected-error@+1 {{expected 'x'}}
tile.kernel @channel_without_list(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.channel<2>} { tile.return }

// -----

// expected-error@+1 {{expected a number of stages of 0 or more that fits 32 bits, found -1}}
tile.kernel @channel_of_negative_stages(%n: index) programs(%i) in (%n) by [1] attributes {t = !tile.channel<-1 x ()>} { tile.return }
