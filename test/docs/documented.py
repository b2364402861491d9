"""Documentation that is a test. For every op of dialect/*.td:
  - its description has at least one ```mlir example and names every operand, attribute and result;
  - test/dialect has a file named after it, and one of invalid cases if it has a verifier.
Every line of every ```mlir example in dialect/ (.td and .md) is a line of some test. No source file has over 800 lines.
Usage: documented.py ROOT; prints one line per finding and fails if there is any.
"""
import pathlib
import re
import sys

MAX_LINES = 800
SOURCES = {".td", ".h", ".cpp", ".py", ".mlir", ".cmake", ".txt", ".md"}
CODE = ("dialect", "lib", "tools", "test", "python-free-examples")

DEFINITION = re.compile(r"^(def|class)\s+(\w+)(?:<[^>]*>)?\s*:\s*(\w+)<(.*?)(?=^(?:def|class)\s|\Z)", re.M | re.S)
EXAMPLE = re.compile(r"```mlir\n(.*?)```", re.S)


def files(root, *folders):
    """Source files below the folders, in a fixed order."""
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            # Golden data is a table by machine, not text to read.
            if path.suffix in SOURCES and path.is_file() and path.parent.name != "golden":
                yield path


def field(body, name):
    """The text of `let name = …;`, or nothing. Values end at a semicolon outside `[{ }]` and strings."""
    match = re.search(r"let\s+%s\s*=\s*(\[\{.*?\}\]|\"[^\"]*\"|[^;]*);" % name, body, re.S)
    return match.group(1) if match else None


class Definition:
    """One def or class of a .td file; what it does not say comes from its parent class."""

    def __init__(self, kind, name, parent, body, path, line):
        self.kind, self.name, self.parent, self.body, self.path, self.line = kind, name, parent, body, path, line

    def inherited(self, name, classes):
        value = field(self.body, name)
        parent = classes.get(self.parent)
        return value if value is not None or parent is None else parent.inherited(name, classes)

    def is_op(self, classes):
        return self.parent == "Tile_Op" or (self.parent in classes and classes[self.parent].is_op(classes))

    def mnemonic(self):
        match = re.match(r'\s*"(\w+)"', self.body)
        return match.group(1) if match else None


def definitions(root):
    for path in sorted((root / "dialect").glob("*.td")):
        text = path.read_text()
        for match in DEFINITION.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            yield Definition(match[1], match[2], match[3], match[4], path, line)


def names_of(dag):
    return re.findall(r":\$(\w+)", dag or "")


def is_described(name, description, assembly):
    """By its own name, or by the keyword that introduces it in the text form."""
    keywords = re.findall(r"`(\w+)`\s*(?:`[^`]*`\s*)*\$%s\b" % name, assembly or "")
    return any(re.search(r"\b%s\b" % re.escape(word), description) for word in [name, *keywords])


def check_op(op, classes, root):
    where = "%s:%d: '%s'" % (op.path.relative_to(root), op.line, op.mnemonic())
    description = op.inherited("description", classes) or ""
    prose = EXAMPLE.sub("", description)
    if not field(op.body, "summary"):
        yield where + " has no summary"
    if not EXAMPLE.search(description):
        yield where + " has no ```mlir example in its description"
    assembly = op.inherited("assemblyFormat", classes)
    for dag in ("arguments", "results", "regions"):
        for name in names_of(op.inherited(dag, classes)):
            if not is_described(name, prose, assembly):
                yield "%s does not describe '%s'" % (where, name)
    name = op.mnemonic().replace("_", "-")
    wanted = [name + ".mlir"]
    if re.search(r"let\s+has(Region)?Verifier\s*=\s*1", op.body):
        wanted.append(name + "-invalid.mlir")
    for file in wanted:
        if not (root / "test" / "dialect" / file).is_file():
            yield "%s has no test/dialect/%s" % (where, file)


def check_examples(root):
    """Lines of examples that no test has."""
    tested = set()
    for path in files(root, "test", "python-free-examples"):
        if path.suffix == ".mlir":
            tested.update(line.strip() for line in path.read_text().splitlines())
    for path in files(root, "dialect"):
        if path.suffix not in (".td", ".md"):
            continue
        text = path.read_text()
        for match in EXAMPLE.finditer(text):
            first = text.count("\n", 0, match.start(1)) + 1
            for offset, line in enumerate(match[1].splitlines()):
                if line.strip() and line.strip() not in tested:
                    yield "%s:%d: no test has the line: %s" % (path.relative_to(root), first + offset, line.strip())


def check_lengths(root):
    for path in files(root, *CODE):
        length = path.read_text(errors="replace").count("\n")
        if length > MAX_LINES:
            yield "%s: %d lines, expected at most %d" % (path.relative_to(root), length, MAX_LINES)


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    everything = list(definitions(root))
    classes = {d.name: d for d in everything if d.kind == "class"}
    ops = [d for d in everything if d.kind == "def" and d.is_op(classes)]
    findings = [] if ops else ["dialect/: no op found"]
    for op in ops:
        findings += check_op(op, classes, root)
    findings += check_examples(root)
    findings += check_lengths(root)
    print("\n".join(findings) if findings else "%d ops documented and tested" % len(ops))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
