#!/bin/sh
# Regenerates results/machine_repeats.md: `rooftune machine` five times, each into a folder of its own,
# then once more into the first: how far each ceiling's maximum repeats, and that none that is stored falls.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
raw=${1:-$root/results/local/repeats}
build=${ROOFTUNE_BUILD_DIR:-$root/build}
cmake --build "$build" --target rooftune_program machine_table >/dev/null
program=$build/rooftune
table=$build/tests/machine_table
rm -rf "$raw"
for i in 1 2 3 4 5; do
    "$program" machine --quiet --results "$raw/$i" >/dev/null
done
cp "$raw"/1/machines/*.json "$raw/before.json"
"$program" machine --quick --quiet --results "$raw/1" >/dev/null
{
    printf '# Five machine models\n\nRegenerate with `tests/bench/machine_repeats.sh`: `./rooftune machine` five times from nothing.\n'
    printf 'Ratios of the largest to the smallest and to the second largest of the five maxima, by kind of ceiling; then\n'
    printf 'whether a sixth (quick) run on top of the first lowered any stored maximum.\n\n'
    "$table" "$raw"/[1-5]/machines/*.json
    printf '\n'
    "$table" --stored "$raw/before.json" "$raw"/1/machines/*.json
} >"$root/results/machine_repeats.md"
