#!/bin/sh
# Regenerates results/spmv_winners.md: a tune of 60 s for each real matrix, as one table, and the
# command behind it. Needs ROOFTUNE_DATA and a quiet machine.
#
#   tests/bench/winners.sh [FOLDER FOR THE RAW RESULTS]
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
raw=${1:-$root/results/local/winners}
: "${ROOFTUNE_DATA:?set ROOFTUNE_DATA to the folder that holds matrices/}"
mkdir -p "$raw"
set --
for name in ship_001_mesh bcsstk16 memplus BOYD1_A CONT-300_A wing; do
    "$root/rooftune" tune spmv --matrix "$ROOFTUNE_DATA/matrices/$name.mtx.gz" --budget 60s --json --quiet \
        --results "$raw" >"$raw/$name.json"
    set -- "$@" "$raw/$name.json"
done
{
    printf '# SpMV: winners on real matrices\n\n'
    printf 'Regenerate with `tests/bench/winners.sh`, which runs for each matrix\n'
    printf '`./rooftune tune spmv --matrix FILE --budget 60s --json` (f64, warm caches, all threads).\n'
    printf 'Speed-ups are medians of interleaved rounds, over plain CSR on all threads and over the default variant.\n\n'
    printf 'Machine: %s\n\n' "$(sed -n 's/^ *"name": "\(.*\)",*$/\1/p' "$1" | head -n 1)"
    "$root/rooftune" results table "$@"
} >"$root/results/spmv_winners.md"
