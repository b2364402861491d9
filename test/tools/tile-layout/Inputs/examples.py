"""Runs the examples of a README: blocks indented by four that begin with `$ command`. The output must be what follows, up to the
end of the block; a line `…` stands for any lines. Usage: examples.py README"""
import pathlib
import shlex
import subprocess
import sys


def blocks(lines):
    """(command, expected lines) of each example."""
    i = 0
    while i < len(lines):
        if not lines[i].startswith("    $ "):
            i += 1
            continue
        command, expected = lines[i][6:], []
        i += 1
        # Blank lines belong to the example while more of it follows.
        while i < len(lines) and (lines[i].startswith("    ") or not lines[i]):
            expected.append(lines[i][4:])
            i += 1
        while expected and not expected[-1]:
            expected.pop()
        yield command, expected


def matches(actual, expected):
    if not expected:
        return not actual
    if expected[0] == "…":
        return any(matches(actual[i:], expected[1:]) for i in range(len(actual) + 1))
    return bool(actual) and actual[0] == expected[0] and matches(actual[1:], expected[1:])


count = 0
for command, expected in blocks(pathlib.Path(sys.argv[1]).read_text().splitlines()):
    count += 1
    actual = subprocess.run(shlex.split(command), capture_output=True, text=True).stdout.splitlines()
    if not matches(actual, expected):
        sys.exit("differs: %s\n%s" % (command, "\n".join(actual)))
sys.exit(count == 0)
