#!/bin/sh
# Copies what a machine with a GPU needs, the program and the PTX; beside them only the driver.
#   bundle.sh BINARY DESTINATION
# There:  DESTINATION/simulator-programs DESTINATION/ptx --device gpu
set -eu
if [ $# -ne 2 ]; then
  echo "usage: bundle.sh BINARY DESTINATION" >&2
  exit 2
fi
mkdir -p "$2/ptx"
cp "$1" "$2/simulator-programs"
cp "$(dirname "$0")"/cuda/*.ptx "$2/ptx"
