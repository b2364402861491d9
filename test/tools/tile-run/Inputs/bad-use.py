"""Runs the USE: lines of a test in a folder; each must end with status 2 and one line that has what SAYS: says."""
import os
import shlex
import subprocess
import sys

os.chdir(sys.argv[1])
os.environ["TILEC_CUDA_DRIVER"] = "none"
lines = [line.rstrip("\n") for line in sys.stdin]
wrong = 0
for use, says in zip(lines, lines[1:]):
    if not use.startswith("USE:"):
        continue
    done = subprocess.run(["tile-run"] + shlex.split(use[4:]), capture_output=True, text=True)
    expected = says.removeprefix("SAYS:").strip()
    if done.returncode != 2 or done.stderr.count("\n") != 1 or expected not in done.stderr or done.stdout:
        print(f"{use}\n  expected: {expected}\n  status {done.returncode}: {done.stderr}{done.stdout}")
        wrong += 1
sys.exit(wrong != 0)
