"""growth.py LIMIT SMALL BIG: fails where tilec takes more than LIMIT times as long for BIG as for SMALL, in user time."""
import resource
import subprocess
import sys


def user_seconds(file):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(["tilec", file, "-o", file + ".ptx"], check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


limit, small, big = float(sys.argv[1]), sys.argv[2], sys.argv[3]
# The least of three, as other programs on the machine only add to it.
times = [min(user_seconds(file) for _ in range(3)) for file in (small, big)]
print(f"{times[0]:.2f} s and {times[1]:.2f} s, {times[1] / times[0]:.1f} times as long; expected at most {limit}")
sys.exit(times[1] > limit * times[0])
