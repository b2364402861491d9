#!/bin/sh
# Compiles the programs to the PTX beside them and assembles each with ptxas. Needs nvcc of CUDA 13.0.
#   regenerate.sh [NAME]    all of them, or those whose name contains NAME
set -eu
programs=$(cd "$(dirname "$0")/cuda" && pwd)
filter=${1:-}

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cp "$programs"/*.cu "$place"
cd "$place"

# Debug information names the folder of the compilation, in bytes; ./././… of the same length takes its place, so that
# the PTX names no machine. (Names of internal functions in it hold a hash of the folder and change with it.)
bytes() { printf %s "$1" | od -An -v -tu1 | tr -s ' \n' , | sed 's/^,//; s/,$//'; }
folder=$(bytes "$place")
nowhere=$(bytes "$(printf %s "$place" | sed 's/../.\//g; s/[^./]$/./')")

# build OUTPUT SOURCE ARCH FLAGS…
build() {
  output=$1 source=$2 arch=$3
  shift 3
  case $output in *"$filter"*) ;; *) return ;; esac
  nvcc -ptx -std=c++17 -arch="$arch" "$@" "$source.cu" -o "$output.ptx"
  # Names of source files as they are in any checkout.
  sed -i -E '/^[[:space:]]*\.file/s|"[^"]*/([^"/]*)"|"\1"|' "$output.ptx"
  sed -i "s|\.b8 $folder$|.b8 $nowhere|" "$output.ptx"
  ptxas -arch="$arch" -o /dev/null "$output.ptx"
  cp "$output.ptx" "$programs"
  echo "$output"
}

for name in reduce_shuffle histogram gemm_tiled gemm_mma votes atomics; do
  build $name $name sm_80 -lineinfo
done
for name in reduce_last_block scan_three_kernels scan_lookback gemm_wmma gemm_pipeline transpose bitonic_sort \
  grid_barrier cooperative_groups divergence calls tables integer64 black_scholes functions rounding half_precision \
  float8 stencil bits warp_synchronous block_chain producer_consumer; do
  build $name $name sm_80
done
build bulk_copy bulk_copy sm_90a -lineinfo
build cluster cluster sm_90a
build dependent_launch dependent_launch sm_90a
# The same sources in other forms: the hardware's own f8, fast maths, and without optimisation for a debugger.
build float8_sm_90a float8 sm_90a
build black_scholes_fast black_scholes sm_80 -use_fast_math
for name in reduce_shuffle transpose calls; do
  build ${name}_debug $name sm_80 -G -O0
done
