"""Compiles a product for pairs of formats: compile-scaled-dots.py TARGET PAIRS "PTXAS" TILEC [OPTION…].

PAIRS is
  `native`: all pairs that instructions with block scales know where a target has such;
  `each`: each format with itself, with its neighbour in the list and with every plain one, on one side or the other;
  `few`: one pair for each way of widening and scaling, MXFP4 with itself among them.
PTXAS is a command that takes PTX on its standard input; it gets the few. The PTX of an entry must stay below a budget of
lines and be made in time; on a target with block scales, pairs that its instructions know have them and convert nothing,
and the few that they do not know are there as well. Prints what went otherwise and the count.
"""
import concurrent.futures
import subprocess
import sys
import time

FLOATS = ["f8E4M3FN", "f8E5M2", "f6E2M3FN", "f6E3M2FN", "f4E2M1FN"]
MX = [(element, 32, "f8E8M0FNU") for element in FLOATS]
NVFP4 = ("f4E2M1FN", 16, "f8E4M3FN")
GROUPS = [("i4", 32, "f16"), ("i4", 128, "bf16"), ("i8", 64, "f32")]
PLAIN = [("f16", 0, ""), ("bf16", 0, ""), ("f8E4M3FN", 0, ""), ("f8E5M2", 0, "")]
# Lines of an entry with one product of 64x128x128 over four warps, and seconds for its kernel.
LINES, SECONDS = 10000, 30
FEW = [(MX[0], MX[0]), (MX[2], MX[3]), (MX[4], MX[4]), (NVFP4, NVFP4), (PLAIN[1], MX[1]), (PLAIN[1], NVFP4), (GROUPS[0], PLAIN[0])]


def each():
    floats = MX + [NVFP4]
    for i, a in enumerate(floats):
        yield a, a
        yield a, floats[(i + 1) % len(floats)]
        for j, b in enumerate(PLAIN):
            yield (a, b) if (i + j) % 2 else (b, a)
    for i, a in enumerate(GROUPS):
        for j, b in enumerate(PLAIN[:2]):
            yield (a, b) if (i + j) % 2 else (b, a)


def native():
    for a in MX:
        for b in MX:
            yield a, b
        for b in PLAIN[2:]:
            yield a, b
            yield b, a
    yield NVFP4, NVFP4


def pairs(which):
    """The pairs of that name and the few, each once."""
    return list(dict.fromkeys(FEW + list({"native": native, "each": each, "few": list}[which]())))


NATIVE = set(native())


def side(name, format, rows, rhs):
    """The arguments, the code before the loop, the code in it and the type of one operand."""
    element, block, scale = format
    shape = f"128x{rows}" if rhs else f"{rows}x128"
    where = ("%k, %n" if rhs else "%m, %k")
    view = f"!tile.view<?x?x{element}, align 16>"
    if not block:
        tile = f"!tile.tile<{shape}x{element}>"
        if not rhs:
            return f"%{name}: {view}", "", f"    %{name}t = tile.load %{name}[{where}] : {view} -> {tile}\n", tile
        stored = f"!tile.tile<{rows}x128x{element}>"
        load = f"    %{name}s = tile.load %{name}[%n, %k] : {view} -> {stored}\n"
        return f"%{name}: {view}", "", load + f"    %{name}t = tile.transpose %{name}s : {stored} -> {tile}\n", tile
    along = " along 0" if rhs else ""
    mx = f"!tile.mx<{shape}x{element}, block {block}{along}, scale {scale}>"
    mx_view = f"!tile.mx_view<?x?x{element}, block {block}{along}, scale {scale}, scales row_major>"
    scales = f"!tile.view<?x?x{scale}>"
    turned = " transposed" if rhs else ""
    before = f"  %{name}v = tile.mx_view %{name}{turned}, %S{name} : {view}, {scales} -> {mx_view}\n"
    load = f"    %{name}t = tile.mx_load %{name}v[{where}] : {mx_view} -> {mx}\n"
    return f"%{name}: {view}, %S{name}: {scales}", before, load, mx


def kernel(a, b):
    a_args, a_before, a_load, a_type = side("A", a, 64, False)
    b_args, b_before, b_load, b_type = side("B", b, 128, True)
    acc = "!tile.tile<64x128xf32>"
    first = f"!tile.view<?x?x{a[0]}, align 16>"
    return f"""tile.kernel @k({a_args}, {b_args}, %C: !tile.view<?x?xf32>) programs(%m, %n) over %C by [64, 128] {{
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %K = tile.dim %A, 1 : {first}
  %zero = arith.constant dense<0.0> : {acc}
{a_before}{b_before}  %sum = scf.for %k = %c0 to %K step %c128 iter_args(%part = %zero) -> ({acc}) {{
{a_load}{b_load}    %next = tile.dot %At, %Bt, %part : {a_type}, {b_type}, {acc}
    scf.yield %next : {acc}
  }}
  tile.store %sum, %C[%m, %n] : {acc}, !tile.view<?x?xf32>
  tile.return
}}
"""


def main():
    target, which, ptxas, command = sys.argv[1], sys.argv[2], sys.argv[3].split(), sys.argv[4:]

    def compile_one(pair):
        a, b = pair
        start = time.monotonic()
        run = subprocess.run(command + ["--arch", target, "-o", "-", "-"], input=kernel(a, b), capture_output=True, text=True)
        if run.returncode:
            return run.stderr.splitlines()[0]
        taken, lines = time.monotonic() - start, max(part.count("\n") for part in run.stdout.split(".entry"))
        if lines > LINES or taken > SECONDS:
            return f"{lines} lines in {taken:.1f} s"
        if target == "sm_120a" and pair in NATIVE:
            if "block_scale" not in run.stdout or "mma.sync.aligned.m16n8k16" in run.stdout:
                return "no instruction with block scales"
            if any(word in run.stdout for word in ("cvt.rn.f16x2", "mul.f16x2", "mul.rn.f16x2", "bf16x2")):
                return "codes are converted"
        elif "mma.sync" not in run.stdout:
            return "no matrix instruction"
        if pair in FEW:
            assembled = subprocess.run(ptxas, input=run.stdout, capture_output=True, text=True)
            if assembled.returncode:
                return assembled.stderr.splitlines()[0]
        return f"ok {lines}"

    cases, worst, failures = pairs(which), 0, 0
    with concurrent.futures.ThreadPoolExecutor() as pool:
        for pair, outcome in zip(cases, pool.map(compile_one, cases)):
            if outcome.startswith("ok "):
                worst = max(worst, int(outcome[3:]))
                continue
            failures += 1
            print(f"{pair[0]} by {pair[1]} on {target}: {outcome}")
    print(f"{len(cases) - failures} of {len(cases)} pairs compile, into {worst} lines at most")
    sys.exit(failures != 0)


main()
