#!/bin/sh
# Copies what a machine with a GPU needs to make golden files: the program, built without the simulator too, and the table.
#   bundle.sh BINARY DESTINATION
# There:  DESTINATION/run.sh FOLDER    writes FOLDER/*.golden and FOLDER/*.full.gz, one of each for a file of the table
set -eu
if [ $# -ne 2 ]; then
  echo "usage: bundle.sh BINARY DESTINATION" >&2
  exit 2
fi
mkdir -p "$2/forms"
cp "$1" "$2/simulator-conformance"
cp "$(dirname "$0")"/forms/*.forms "$2/forms"
cat > "$2/run.sh" <<'END'
#!/bin/sh
here=$(cd "$(dirname "$0")" && pwd)
out=$1
mkdir -p "$out"
for file in "$here"/forms/*.forms; do
  name=$(basename "$file" .forms)
  ( timeout -k 2 ${CONFORMANCE_SECONDS:-100} "$here/simulator-conformance" "$file" --device gpu --verbose \
      --write "$out/$name.golden" --write-full "$out/$name.full" > "$out/$name.log" 2>&1
    echo "status $?" >> "$out/$name.log"
    gzip -1 -f "$out/$name.full" ) &
done
wait
tail -n 3 "$out"/*.log
END
chmod +x "$2/run.sh"
