#include "tools/tile-lsp-server/Messages.h"
#include "llvm/ADT/StringRef.h"

using llvm::StringRef;

/// A line without its end; nothing at the end of the stream.
static std::optional<std::string> readLine(std::FILE *stream) {
  std::string line;
  for (int c = std::fgetc(stream); c != EOF; c = std::fgetc(stream)) {
    if (c == '\n') {
      if (!line.empty() && line.back() == '\r')
        line.pop_back();
      return line;
    }
    line += static_cast<char>(c);
  }
  return std::nullopt;
}

std::optional<std::string> mlir::tile::readMessage(std::FILE *stream) {
  // More than any source file; what asks for it is no message.
  constexpr size_t most = size_t(1) << 30;
  size_t length = 0;
  for (;;) {
    std::optional<std::string> line = readLine(stream);
    if (!line)
      return std::nullopt;
    if (line->empty())
      break;
    auto [name, value] = StringRef(*line).split(':');
    if (name.equals_insensitive("content-length") && (value.trim().getAsInteger(10, length) || length > most))
      return std::nullopt;
  }
  std::string body(length, '\0');
  if (length == 0 || std::fread(&body[0], 1, length, stream) != length)
    return std::nullopt;
  return body;
}

bool mlir::tile::writeMessage(std::FILE *stream, const std::string &body) {
  return std::fprintf(stream, "Content-Length: %zu\r\n\r\n", body.size()) > 0 &&
         std::fwrite(body.data(), 1, body.size(), stream) == body.size() && std::fflush(stream) == 0;
}
