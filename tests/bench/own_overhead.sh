#!/bin/bash
# Regenerates results/own_overhead.md: from Enter to the first variant of a user's kernel, and what a variant costs beyond
# being compiled and run.
#
#   tests/bench/own_overhead.sh     about three minutes
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${ROOFTUNE_BUILD_DIR:-$root/build}" && pwd)
raw=$root/results/local/own_overhead
cmake --build "$build" --target rooftune_program >/dev/null
rm -rf "$raw"
mkdir -p "$raw"
"$build/rooftune" machine --quick --quiet --results "$raw" >/dev/null
{
    printf '# Kernels of users: what waiting there is\n\n'
    printf 'Regenerate with `tests/bench/own_overhead.sh`. Seconds until a record is in the store.\nWhat is beyond the kernel'\''s own time grows with its arrays: they are filled, and answers compared, twice a variant.\n\n'
    printf 'Machine: %s\n\n' "$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)"
    python3 "$root/tests/bench/own_overhead.py" "$build/rooftune" "$root/tests/examples/kernels" "$raw"
} >"$root/results/own_overhead.md.part"
mv "$root/results/own_overhead.md.part" "$root/results/own_overhead.md"
