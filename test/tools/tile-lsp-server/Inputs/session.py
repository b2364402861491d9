"""Drives the language server as an editor does, by JSON-RPC over its standard input and output.
Usage: session.py SERVER FILE [QUESTION LINE CHARACTER]…
Opens FILE and prints the diagnostics of the server, then its answer to each question (hover, definition, references, documentSymbol),
at a position that counts from 0, one line each."""
import json
import pathlib
import subprocess
import sys

server = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def send(method, params, number=None):
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    if number is not None:
        message["id"] = number
    body = json.dumps(message).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    server.stdin.flush()


def receive():
    length = 0
    while True:
        line = server.stdout.readline()
        if not line:
            sys.exit("the server ended")
        if line == b"\r\n":
            return json.loads(server.stdout.read(length))
        name, value = line.split(b":")
        if name.lower() == b"content-length":
            length = int(value)


def ask(method, params, number):
    send(method, params, number)
    while True:
        message = receive()
        if message.get("id") == number:
            return message.get("result", message.get("error"))


def place(span):
    return "%d:%d-%d:%d" % (span["start"]["line"], span["start"]["character"], span["end"]["line"], span["end"]["character"])


text = pathlib.Path(sys.argv[2]).read_text()
uri = pathlib.Path(sys.argv[2]).resolve().as_uri()
ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 1)
send("initialized", {})
send("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "mlir", "version": 1, "text": text}})
while True:
    message = receive()
    if message.get("method") == "textDocument/publishDiagnostics":
        found = message["params"]["diagnostics"]
        print("diagnostics: %d" % len(found))
        for one in found:
            print("%s: severity %d: %s" % (place(one["range"]), one["severity"], one["message"]))
            for note in one.get("relatedInformation", []):
                print("  %s: %s" % (place(note["location"]["range"]), note["message"]))
        break
questions = sys.argv[3:]
for number, (kind, line, character) in enumerate(zip(questions[::3], questions[1::3], questions[2::3]), 2):
    params = {"textDocument": {"uri": uri}, "position": {"line": int(line), "character": int(character)}}
    if kind == "references":
        params["context"] = {"includeDeclaration": True}
    answer = ask("textDocument/" + kind, params, number)
    if kind == "hover":
        print("hover: " + json.dumps(answer and answer["contents"]["value"], ensure_ascii=False))
    elif kind == "documentSymbol":
        print("documentSymbol: " + json.dumps(answer))
    else:
        print(kind + ": " + " ".join(place(one["range"]) for one in answer))
ask("shutdown", None, 1000)
send("exit", None)
server.stdin.close()
sys.exit(server.wait())
