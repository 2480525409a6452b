#!/bin/bash
# Regenerates results/own.md: the kernels of tests/examples/kernels, as a user has them, each measured whole and tuned. What
# declared work excludes is held against the times of all variants, and both winners run side by side.
#
#   tests/bench/own.sh [NAME…]     20 to 30 minutes for all on two cores; a NAME is KERNEL[:KEY=VALUE…]
#
# BUDGET (30s) is that of a tune.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${ROOFTUNE_BUILD_DIR:-$root/build}" && pwd)
raw=$root/results/local/own
budget=${BUDGET:-30s}
cmake --build "$build" --target rooftune_program own_check >/dev/null
(($#)) || set -- axpy.c five_point.cpp blocked_matmul.cpp "csr_product.cpp:A=${ROOFTUNE_DATA:?}/matrices/memplus.mtx.gz" \
    n_body.cpp reduction.cpp transpose.c flags_alone.cpp convolution.cl sum.cl
rm -rf "$raw"
mkdir -p "$raw"
rooftune=$build/rooftune
"$rooftune" machine --quick --quiet --results "$raw/all" >/dev/null
mkdir -p "$raw/tuned"
held=0
rows=$raw/rows
for wanted in "$@"; do
    IFS=: read -r -a words <<<"$wanted"
    kernel=$root/tests/examples/kernels/${words[0]}
    [ -d "$raw/tuned/machines" ] || cp -r "$raw/all/machines" "$raw/tuned"
    name=$raw/${words[0]}
    "$rooftune" tune "$kernel" "${words[@]:1}" --exhaustive --audit 0 --results "$raw/all" --json >"$name.all.json"
    "$rooftune" export --format rooftune --with-machine --results "$raw/all" --output "$name.export.json"
    "$rooftune" tune "$kernel" "${words[@]:1}" --budget "$budget" --results "$raw/tuned" --json >"$name.tuned.json"
    config() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["files"]["config"])' "$name.$1.json"; }
    # Status 1 is a verdict, and so is 3.
    "$rooftune" compare "$(config all)" "$(config tuned)" --results "$raw/all" --json >"$name.compare.json" || (($? != 2))
    python3 "$root/tests/bench/own.py" "$build/tests/own_check" "$name" "$root/tests/examples/kernels" >>"$rows" || held=1
done
{
    printf '# Kernels of users: excluded by declared work, and found\n\n'
    printf 'Regenerate with `tests/bench/own.sh` (tunes of %s, quick as a user calls them). Each kernel of `tests/examples/kernels`\n' "$budget"
    printf 'is measured whole (`--exhaustive`) and tuned; *excluded* are variants whose proven bound, under the highest rates that the\n'
    printf 'machine file has, is above the winner of all; *faster* are those of them that took less than the winner, *beaten* those\n'
    printf 'that were faster than their own bound. The ratio is the time of what the tune found over that of the winner of all, side\n'
    printf 'by side (`rooftune compare`), with its interval.\n\n'
    printf 'Machine: %s\n\n' "$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)"
    printf '| kernel | variants | failed | excluded | faster | beaten | largest bound over time | winner: of its bound | the tune: measured, excluded, set aside | tuned over all |\n'
    printf '|---|---:|---:|---:|---:|---:|---:|---:|---|---|\n'
    cat "$rows"
} >"$root/results/own.md.part"
mv "$root/results/own.md.part" "$root/results/own.md"
exit "$held"
