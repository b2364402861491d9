/// Messages of the language server protocol: a header with the length, and a JSON body (base protocol of LSP 3.17).
#ifndef TOOLS_TILE_LSP_SERVER_MESSAGES_H
#define TOOLS_TILE_LSP_SERVER_MESSAGES_H

#include <cstdio>
#include <optional>
#include <string>

namespace mlir::tile {

/// The body of the next message; nothing at the end of the stream, and where a header has no length that can be read.
[[nodiscard]] std::optional<std::string> readMessage(std::FILE *stream);

/// Writes a message and flushes the stream. False where the other side is gone.
bool writeMessage(std::FILE *stream, const std::string &body);

} // namespace mlir::tile

#endif
