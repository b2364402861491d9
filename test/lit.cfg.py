# How the tests below this folder run: .mlir and .test files, with tilec's tools and LLVM's (FileCheck, not, split-file)
# in front of the PATH.
#
# Substitutions: %source_root, %build_root, %python, and %ptxas where there is one (feature `ptxas`), %gxx where there is
# GCC (feature `gxx`). Feature `libdevice` says that CUDA's maths library is at hand. Without ptxas, %ptxas-check does
# nothing: `tilec … | %ptxas-check -arch=sm_80` assembles where that is possible.
import lit.formats
import os
import shutil
import sys

config.name = "tilec"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "unit", "cases"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.tilec_binary_dir, "test")

bin_dir = os.path.join(config.tilec_binary_dir, "bin")
config.environment["PATH"] = os.pathsep.join([bin_dir, config.llvm_tools_dir, os.environ.get("PATH", "")])
config.substitutions.append(("%source_root", config.tilec_source_dir))
config.substitutions.append(("%build_root", config.tilec_binary_dir))
config.substitutions.append(("%python", sys.executable))

for name in ("TILEC_PTXAS", "TILEC_LIBDEVICE", "CUDA_HOME", "CUDA_PATH", "VIRTUAL_ENV", "ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]


def find_cuda_file(variable, suffix, other):
    """The order of lib/Codegen/CudaToolkit.cpp, as far as a build machine needs it."""
    if os.environ.get(variable):
        return os.environ[variable]
    build = os.path.dirname(config.tilec_binary_dir)
    roots = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    wheels = [os.path.join(build, "cuda", "nvidia", "cu13")]
    for path in [os.path.join(r, suffix) for r in roots if r] + [other] + [os.path.join(w, suffix) for w in wheels]:
        if path and os.path.isfile(path):
            return path
    return None


ptxas = find_cuda_file("TILEC_PTXAS", "bin/ptxas", shutil.which("ptxas"))
config.substitutions.append(("%ptxas-check", f"{ptxas} -o /dev/null -" if ptxas else "true"))
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))
gxx = shutil.which("g++-12") or shutil.which("g++")
if gxx:
    config.available_features.add("gxx")
    config.substitutions.append(("%gxx", gxx))
if find_cuda_file("TILEC_LIBDEVICE", "nvvm/libdevice/libdevice.10.bc", None):
    config.available_features.add("libdevice")
