#!/bin/sh
# Regenerates results/soak.md: tunes one after another in one process, and what process and folders hold meanwhile.
#
#   tests/bench/soak.sh [MINUTES]     480 are eight hours
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${ROOFTUNE_BUILD_DIR:-$root/build}
minutes=${1:-480}
case $minutes in
'' | *[!0-9]*) echo "soak.sh: '$minutes' is no number of minutes" >&2 && exit 2 ;;
esac
raw=$root/results/local/soak
cmake --build "$build" --target soak >/dev/null
rm -rf "$raw"
mkdir -p "$raw"
status=0
{
    printf '# Tunes one after another\n\n'
    printf 'Regenerate with `tests/bench/soak.sh %s`: tunes of 4 s of a product, a stencil and a sparse product in turn, by\n' "$minutes"
    printf '`rooftune::tune()` in one process, each measured anew into one store, which keeps what was measured before.\n\n'
    printf 'Machine: %s\n\n' "$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)"
    printf '| minute | tunes | failed | memory, MB | threads | descriptors | children | files in temporary folders | store and configs, MB |\n'
    printf '|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n'
    "$build/tests/soak" "$raw/results" $((60 * minutes)) $((60 * minutes / 16 + 1)) || status=$?
} >"$root/results/soak.md.part"
mv "$root/results/soak.md.part" "$root/results/soak.md"
exit "$status"
