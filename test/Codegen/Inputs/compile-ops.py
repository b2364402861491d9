"""Compiles one kernel for each elementwise op and element type: compile-ops.py SOURCE-ROOT TILEC [OPTION…].

Each must become PTX without a word. The ops are those of dialect/ElementwiseList.cpp, which is read so that an op cannot
be on the list without a lowering. Prints what went otherwise and the count.
"""
import concurrent.futures
import os
import re
import subprocess
import sys

INTEGERS = ["i1", "i8", "i16", "i32", "i64"]
FLOATS = ["f16", "bf16", "f32", "f64"]
# How an op's class name is spelled in text, where that is not the lower-case name.
SPELLINGS = {"CmpIOp": "cmpi slt,", "CmpFOp": "cmpf olt,", "CountLeadingZerosOp": "ctlz", "CountTrailingZerosOp": "cttz"}
UNARY = {"negf", "absi", "absf", "ctlz", "cttz", "ctpop"}
BINARY = {"atan2", "copysign", "powf"}
ELSEWHERE = {"ConstantOp", "SelectOp"}


def listed_ops(source):
    text = open(os.path.join(source, "dialect", "ElementwiseList.cpp")).read()
    body = text[text.index("bool tile::isElementwise") :]
    for dialect, name in re.findall(r"(arith|math)::(\w+Op)", body[: body.index("}")]):
        if name not in ELSEWHERE:
            yield dialect + "." + SPELLINGS.get(name, name[:-2].lower())


def types_of(op):
    name = op.split(".")[1]
    if op.startswith("math.") and name not in ("absi", "ctlz", "cttz", "ctpop"):
        return FLOATS
    return FLOATS if re.match(r"(add|sub|mul|div|rem|neg)f$|(max|min)(imum|num)f$|cmpf", name) else INTEGERS


def kernel(op, type):
    name = op.split(".")[1]
    count = 3 if name == "fma" else 2 if op.startswith("arith.") and name not in UNARY or name in BINARY else 1
    result = "i1" if "cmp" in op else type
    loads = "".join(
        f"  %o{i} = arith.constant {7 * i} : index\n  %j{i} = arith.addi %m, %o{i} : index\n"
        f"  %x{i} = tile.load %A[%j{i}] : !tile.view<?x{type}> -> !tile.tile<256x{type}>\n"
        for i in range(count)
    )
    operands = ", ".join(f"%x{i}" for i in range(count))
    return f"""tile.kernel @k(%A: !tile.view<?x{type}>, %B: !tile.view<?x{result}>) programs(%m) over %B by [256] {{
{loads}  %y = {op} {operands} : !tile.tile<256x{type}>
  tile.store %y, %B[%m] : !tile.tile<256x{result}>, !tile.view<?x{result}>
  tile.return
}}
"""


def main():
    source, command = sys.argv[1], sys.argv[2:]
    cases = [(op, type) for op in listed_ops(source) for type in types_of(op)]

    def compile_one(case):
        return subprocess.run(command + ["-"], input=kernel(*case), capture_output=True, text=True)

    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (op, type), run in zip(cases, pool.map(compile_one, cases)):
            if run.returncode or run.stderr or ".entry" not in run.stdout:
                wrong += 1
                print(f"{op} on {type}: exit {run.returncode}, {run.stderr.splitlines()[:1]}")
    print(f"{len(cases)} ops and types, {wrong} wrong")
    return 1 if wrong or len(cases) < 150 else 0


if __name__ == "__main__":
    sys.exit(main())
