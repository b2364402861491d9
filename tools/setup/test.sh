#!/bin/sh
# Builds what the tests need and runs them; the last line counts them: "tests: 512 passed, 0 failed, 0 skipped".
set -eu

if [ $# -gt 0 ]; then
  case $1 in
  --help | -h)
    echo "usage: tools/setup/test.sh [--help]"
    echo "Runs all tests of the build that tools/setup/setup.sh made; the exit status is zero if all passed."
    exit 0 ;;
  *)
    echo "test: error: unknown argument '$1' (see --help)" >&2
    exit 1 ;;
  esac
fi

cd "$(dirname "$0")/../.."
if [ ! -f build/release/build.ninja ]; then
  echo "test: error: build/release is not configured; run tools/setup/setup.sh first" >&2
  exit 1
fi
counts=build/release/test/counts.txt
rm -f "$counts"
status=0
ninja -C build/release check-tilec || status=$?
if [ $status -ne 0 ]; then
  # After a failure ninja has the last word; the counts belong there.
  if [ -f "$counts" ]; then
    cat "$counts"
  else
    echo "tests: none was run, since the build failed"
  fi
fi
exit $status
