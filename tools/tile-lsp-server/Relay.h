/// Stands between the editor and MLIR's language server and adds documentation to what it says of ops.
///
/// MLIR's server shows an op under the cursor in its generic form; it has no place where a dialect could say more. So
/// it runs in a process of its own, all messages pass through here unchanged, and only answers to `textDocument/hover`
/// that are about an op get the op's documentation.
#ifndef TOOLS_TILE_LSP_SERVER_RELAY_H
#define TOOLS_TILE_LSP_SERVER_RELAY_H

#include <functional>

namespace mlir::tile {

/// Runs `server` on its own standard input and output and relays messages until it ends. Returns its exit status; where
/// no process can be made, that of `server` run without documentation.
int relayWithDocumentation(const std::function<int()> &server);

} // namespace mlir::tile

#endif
