// RUN: tile-opt %s --tile-specialise-alignment --verify-diagnostics

// expected-error @+1 {{'tile.kernel' op expects 'k__general' to be free for its general variant}}
tile.kernel @k(%n: index) programs(%i) in (%n) by [1] {
  tile.return
}
// expected-note @+1 {{it is defined here; give it another name}}
tile.kernel @k__general(%n: index) programs(%i) in (%n) by [1] {
  tile.return
}
