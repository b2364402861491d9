"""Compiles one text for many values of its parameters: compile-shapes.py NAME,… TILEC KERNEL [OPTION…] < values.

A line holds one value for each name. Each must become PTX without a word; "VALUES: text" must fail with one error that holds the text, and be no crash.
Prints what went otherwise and the count.
"""
import subprocess
import sys


def main():
    names, command = sys.argv[1].split(","), sys.argv[2:]
    wrong = done = 0
    for line in sys.stdin:
        shape, _, expected = line.strip().partition(": ")
        if not shape:
            continue
        values = dict(zip(names, shape.split()))
        definitions = [f"-D{name}={value}" for name, value in values.items()]
        run = subprocess.run(command + definitions, capture_output=True, text=True)
        errors = [text for text in run.stderr.splitlines() if ": note: " not in text]
        good = not run.stderr and run.returncode == 0 and ".entry" in run.stdout
        if expected:
            good = run.returncode == 1 and len(errors) == 1 and ": error: " in errors[0] and expected in errors[0]
        done += 1
        if not good:
            wrong += 1
            print(f"{shape}: exit {run.returncode}, {errors[:2] or 'no error'}")
    print(f"{done} shapes, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
