#!/bin/sh
# From a bare Debian 12 machine to a first kernel in PTX. The tool that makes PTX is built first, so that there is
# something to see early; the rest follows. Running it again does only what is missing.
set -eu

usage() {
  cat <<'END'
usage: tools/setup/setup.sh [--help] [--no-install] [--jobs N]

Installs what tilec needs (Debian packages; ptxas and libdevice from an installed CUDA toolkit, else from pip wheels,
else not at all), builds it in build/release, compiles python-free-examples/04-matmul/kernel.mlir to PTX, and runs that on the
simulated device: with all checks, and against double precision.

  --no-install  fail instead of installing where a package is missing
  --jobs N      how many compilers run at once (default: one per processor)
END
}

say() { printf 'setup: %s\n' "$*"; }
fail() {
  printf 'setup: error: %s\n' "$*" >&2
  exit 1
}

install=yes
jobs=$(nproc)
while [ $# -gt 0 ]; do
  case $1 in
  --help | -h) usage; exit 0 ;;
  --no-install) install=no ;;
  --jobs)
    [ $# -gt 1 ] || fail "--jobs expects a number"
    shift
    jobs=$1
    case $jobs in '' | *[!0-9]* | 0) fail "--jobs expects a number, but got '$jobs'" ;; esac ;;
  *) fail "unknown argument '$1' (see --help)" ;;
  esac
  shift
done

cd "$(dirname "$0")/../.."
log=build/setup.log
mkdir -p build
: >"$log"

# Runs a command with its output in the log, which is shown only if it fails.
quietly() {
  if ! "$@" >>"$log" 2>&1; then
    tail -n 40 "$log" >&2
    fail "'$*' failed; all of its output is in $log"
  fi
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null 2>&1; then
    sudo "$@"
  else
    fail "'$*' needs root; run this as root or install sudo"
  fi
}

#--- Debian packages ---------------------------------------------------------------------------------------------------
packages='llvm-22-dev libmlir-22-dev mlir-22-tools llvm-22-tools clang-22 lld-22 ninja-build cmake ccache libgtest-dev
libgmock-dev libeigen3-dev libzstd-dev zlib1g-dev python3'

missing=
for package in $packages; do
  if [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)" != installed ]; then
    missing="$missing $package"
  fi
done
if [ -n "$missing" ]; then
  [ "$install" = yes ] || fail "missing packages:$missing"
  command -v apt-get >/dev/null 2>&1 || fail "this machine has no apt-get; install these by hand:$missing"
  say "installing$missing"
  quietly as_root apt-get update
  for package in $missing; do
    if ! apt-cache show "$package" >/dev/null 2>&1; then
      fail "apt knows no '$package'; add a source of LLVM 22 packages for this Debian release (the LLVM project has one," \
        "so does Debian's security suite) to /etc/apt/sources.list.d and run this again"
    fi
  done
  # shellcheck disable=SC2086 # a list
  quietly as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing
fi

#--- ptxas and libdevice, which are optional ---------------------------------------------------------------------------
# The same places in the same order as lib/Codegen/CudaToolkit.cpp.
find_file() { # VARIABLE SUFFIX
  eval "chosen=\${$1:-}"
  if [ -n "$chosen" ]; then
    [ -f "$chosen" ] || fail "$1 names '$chosen', which is not a file"
    echo "$chosen"
    return 0
  fi
  for root in "${CUDA_HOME:-}" "${CUDA_PATH:-}" /usr/local/cuda build/cuda/nvidia/cu13; do
    if [ -n "$root" ] && [ -f "$root/$2" ]; then
      echo "$root/$2"
      return 0
    fi
  done
  [ "$2" != bin/ptxas ] || command -v ptxas || true
}

ptxas=$(find_file TILEC_PTXAS bin/ptxas)
libdevice=$(find_file TILEC_LIBDEVICE nvvm/libdevice/libdevice.10.bc)
if [ -z "$ptxas" ] || [ -z "$libdevice" ]; then
  if [ "$install" = yes ] && python3 -m pip --version >/dev/null 2>&1; then
    say "installing ptxas and libdevice from the wheels nvidia-cuda-nvcc and nvidia-nvvm into build/cuda"
    python3 -m pip install --quiet --no-deps --upgrade --target build/cuda 'nvidia-cuda-nvcc>=13,<14' \
      'nvidia-nvvm>=13,<14' >>"$log" 2>&1 || say "pip could not install them; its output is in $log"
    ptxas=$(find_file TILEC_PTXAS bin/ptxas)
    libdevice=$(find_file TILEC_LIBDEVICE nvvm/libdevice/libdevice.10.bc)
  fi
fi
[ -n "$ptxas" ] || say "no ptxas: tilec makes PTX but no cubin and no resource report, and tests that assemble are skipped"
[ -n "$libdevice" ] || say "no libdevice: kernels that call functions such as exp or sin of full precision do not compile"

#--- Build, the compiler first -----------------------------------------------------------------------------------------
build=build/release
if [ ! -f $build/build.ninja ]; then
  say "configuring $build"
fi
quietly cmake --preset release
[ -x $build/bin/tilec ] || say "building tilec (minutes)"
quietly ninja -C $build -j "$jobs" tilec

#--- The first kernel --------------------------------------------------------------------------------------------------
example=python-free-examples/04-matmul/kernel.mlir
ptx=$build/04-matmul.ptx
$build/bin/tilec "$example" -o "$ptx" || fail "tilec could not compile $example"
kernels=$(sed -n 's/.*\.entry \([A-Za-z0-9_$]*\).*/\1/p' "$ptx" | paste -sd ' ' -)
target=$(sed -n 's/^\.target \([a-z0-9_]*\).*/\1/p' "$ptx")
say "made $ptx from $example: $(wc -c <"$ptx") bytes, for $target, kernels: $kernels"
if [ -n "$ptxas" ]; then
  if verdict=$("$ptxas" -v -arch="$target" -o /dev/null "$ptx" 2>&1); then
    say "ptxas accepts it: $(printf '%s\n' "$verdict" | sed -n 's/.*: Used \([0-9]* registers\).*/\1/p' | paste -sd ' ' -)," \
      "$(printf '%s\n' "$verdict" | sed -n 's/.*, \([0-9]* bytes spill stores\).*/\1/p' | paste -sd ' ' -)"
  else
    fail "ptxas refuses it: $(printf '%s\n' "$verdict" | head -n 1)"
  fi
fi

#--- The first kernel runs, on the simulated device --------------------------------------------------------------------
[ -x $build/bin/tile-run ] || say "building the simulated device and the example"
quietly ninja -C $build -j "$jobs" tile-run 04-matmul
if checked=$($build/bin/tile-run "$example" --device "sim:$target" --arg random:bf16:128x96:1 --arg random:bf16:256x96:2 \
  --arg empty:bf16:128x256 --save 2=$build/04-matmul.npy 2>&1); then
  say "tile-run: $checked; the product is in $build/04-matmul.npy"
else
  fail "tile-run found faults in $example: $checked"
fi
if compared=$(TILEC_SIMULATE="$target" $build/bin/04-matmul 2>&1); then
  say "its host program compares with double precision:" \
    "$(printf '%s\n' "$compared" | grep -c ': right') runs right, such as" \
    "$(printf '%s\n' "$compared" | sed -n 's/^matmul  *128 x/128 x/p' | tail -n 1)"
else
  printf '%s\n' "$compared" >&2
  fail "$build/bin/04-matmul found wrong results"
fi

#--- Everything else ---------------------------------------------------------------------------------------------------
[ -f $build/complete ] || say "building the rest"
quietly ninja -C $build -j "$jobs" all tilec_unit_tests
touch $build/complete
say "done; tools/setup/test.sh runs the tests"
