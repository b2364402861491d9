"""What tile-layout says that a kernel moves is what the simulated device counts. For kernels of one block without loops.
Usage: counted.py KERNEL.mlir NAME M N TYPE [TARGET]"""
import json
import re
import subprocess
import sys

file, name, m, n, element = sys.argv[1:6]
target = (sys.argv[6:] or ["sm_80"])[0]
definitions = ["-D", "M=" + m, "-D", "N=" + n, "-D", "T=" + element]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


report = json.loads(run("tile-layout", file, *definitions, "--arch", target, "--kernel", name, "--format=json"))
said = {"global requests": 0, "sectors": 0, "shared requests": 0, "wavefronts": 0, "without conflicts": 0}
for access in report["kernels"][0]["accesses"]:
    here, there = access.get("global", {}), access.get("shared", {})
    uses = access["uses"]
    said["global requests"] += uses * here.get("requests", 0)
    said["sectors"] += uses * here.get("sectors", 0)
    said["shared requests"] += uses * there.get("requests", 0)
    said["wavefronts"] += uses * there.get("wavefronts", 0)
    said["without conflicts"] += uses * there.get("least_wavefronts", 0)

counters = run("tile-run", file, *definitions, "--kernel", name.replace("__general", ""), "--counters", "--device",
               "sim:" + target, "--arg",
               "zeros:%s:%sx%s" % (element, m, n), "--arg", "zeros:%s:%sx%s" % (element, n, m))
counted = dict.fromkeys(said, 0)
for requests, sectors in re.findall(r"global (?:loads|stores) +(\d+) requests +\d+ bytes +(\d+) sectors", counters):
    counted["global requests"] += int(requests)
    counted["sectors"] += int(sectors)
for requests, wavefronts, least in re.findall(
        r"shared (?:loads|stores) +(\d+) requests +\d+ bytes +(\d+) wavefronts, (\d+) without", counters):
    counted["shared requests"] += int(requests)
    counted["wavefronts"] += int(wavefronts)
    counted["without conflicts"] += int(least)
print("said   ", said)
print("counted", counted)
sys.exit(said != counted or not said["sectors"])
