#!/bin/sh
# Regenerates results/replay.md: every strategy on the recorded convolution and dedispersion spaces. Nothing is
# measured, so the machine need not be quiet. Needs ROOFTUNE_DATA.
#
#   tests/bench/replay.sh [PROGRAM] (default: ./rooftune)
set -eu
export COLUMNS=10000  # tables in Markdown have whole rows
root=$(cd "$(dirname "$0")/../.." && pwd)
program=${1:-$root/rooftune}
: "${ROOFTUNE_DATA:?set ROOFTUNE_DATA to the folder that holds spaces/}"
spaces=$ROOFTUNE_DATA/spaces
{
    printf '# Strategies on recorded spaces\n\n'
    printf 'Regenerate with `tests/bench/replay.sh`, which runs `./rooftune replay` (100 runs of each, seed 1) on the\n'
    printf 'spaces of two kernels on three devices, as the association of auto-tuners recorded them. Random sampling near 0\n'
    printf 'over all of them checks the score itself. Constants of strategies that trials decided were tried on\n'
    printf 'other records: of our own families, and of pnpoly.\n\n'
    "$program" replay "$spaces"/convolution/A100.json.gz "$spaces"/convolution/A4000.json.gz \
        "$spaces"/convolution/MI250X.json.gz "$spaces"/dedispersion/A100.json.gz \
        "$spaces"/dedispersion/A4000.json.gz "$spaces"/dedispersion/MI250X.json.gz
} >"$root/results/replay.md.part"
mv "$root/results/replay.md.part" "$root/results/replay.md"
