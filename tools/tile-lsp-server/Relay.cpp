#include "tools/tile-lsp-server/Relay.h"
#include "tools/tile-lsp-server/Messages.h"
#include "tools/tile-lsp-server/OpDocumentation.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace mlir::tile;
namespace json = llvm::json;

namespace {
/// The ids of the hovers that the editor waits for, as text, since ids are numbers or strings.
class PendingHovers {
public:
  void add(std::string id) {
    std::lock_guard<std::mutex> lock(mutex);
    ids.insert(std::move(id));
  }
  bool remove(const std::string &id) {
    std::lock_guard<std::mutex> lock(mutex);
    return ids.erase(id) > 0;
  }

private:
  std::mutex mutex;
  std::set<std::string> ids;
};
} // namespace

static std::string toText(const json::Value &value) { return llvm::formatv("{0}", value); }

/// Remembers the id if a message of the editor asks for a hover.
static void noteHover(const std::string &body, PendingHovers &hovers) {
  // Cheaper than to parse every whole file that is sent.
  if (body.find("textDocument/hover") == std::string::npos)
    return;
  llvm::Expected<json::Value> message = json::parse(body);
  if (!message) {
    llvm::consumeError(message.takeError());
    return;
  }
  const json::Object *object = message->getAsObject();
  const json::Value *id = object ? object->get("id") : nullptr;
  if (id && object->getString("method") == llvm::StringRef("textDocument/hover"))
    hovers.add(toText(*id));
}

/// The server's message, with documentation if it answers a hover about an op.
static std::string documented(std::string body, PendingHovers &hovers) {
  llvm::Expected<json::Value> message = json::parse(body);
  if (!message) {
    llvm::consumeError(message.takeError());
    return body;
  }
  json::Object *object = message->getAsObject();
  const json::Value *id = object ? object->get("id") : nullptr;
  if (!id || object->get("method") || !hovers.remove(toText(*id)))
    return body;
  json::Object *result = object->getObject("result");
  json::Object *contents = result ? result->getObject("contents") : nullptr;
  std::optional<llvm::StringRef> text = contents ? contents->getString("value") : std::nullopt;
  std::string documentation = text ? opDocumentation(hoveredOp(*text)) : "";
  if (documentation.empty())
    return body;
  // Of an op the documentation comes first, as its generic form may be long; of a value what the server says, its type.
  bool isValue = text->starts_with("Operation: ");
  std::string own = text->str(), op = hoveredOp(*text).str();
  (*contents)["value"] =
      (isValue ? own + "---\n" : "**" + op + "**\n\n") + documentation + (isValue ? "" : "\n---\n" + own);
  return toText(*message);
}

int mlir::tile::relayWithDocumentation(const std::function<int()> &server) {
  int toServer[2], fromServer[2];
  if (pipe(toServer) != 0)
    return server();
  if (pipe(fromServer) != 0) {
    close(toServer[0]);
    close(toServer[1]);
    return server();
  }
  pid_t child = fork();
  if (child == 0) {
    dup2(toServer[0], STDIN_FILENO);
    dup2(fromServer[1], STDOUT_FILENO);
  }
  if (child <= 0) {
    for (int end : {toServer[0], toServer[1], fromServer[0], fromServer[1]})
      close(end);
    return server();
  }
  close(toServer[0]);
  close(fromServer[1]);
  // A server that is gone is seen by what is read from it.
  std::signal(SIGPIPE, SIG_IGN);
  std::FILE *input = fdopen(toServer[1], "w"), *output = fdopen(fromServer[0], "r");

  PendingHovers hovers;
  std::thread fromEditor([&] {
    while (std::optional<std::string> body = readMessage(stdin)) {
      noteHover(*body, hovers);
      if (!writeMessage(input, *body))
        break;
    }
    // The server ends when its input does.
    std::fclose(input);
  });
  while (std::optional<std::string> body = readMessage(output))
    if (!writeMessage(stdout, documented(std::move(*body), hovers)))
      break;
  int status = 0;
  waitpid(child, &status, 0);
  // The other thread may still wait for the editor, which has nothing more to say to anyone.
  std::fflush(stdout);
  std::_Exit(WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE);
}
