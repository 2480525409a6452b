#!/bin/sh
# Regenerates results/estimates.md: how the ranking estimate orders variants that were measured, by how much of the
# shorter of computing and moving is taken not to hide behind the longer. Nothing is measured, so the machine need not be
# quiet. Needs ROOFTUNE_DATA for the matrices.
#
#   tests/bench/estimates.sh [FILE…]     others than the spaces of results/spaces
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${ROOFTUNE_BUILD_DIR:-$root/build}
: "${ROOFTUNE_DATA:?set ROOFTUNE_DATA to the folder that holds matrices/}"
cmake --build "$build" --target estimate_check >/dev/null
[ $# -gt 0 ] || set -- "$root"/results/spaces/drawn/*.json.gz "$root"/results/spaces/*.json.gz
{
    printf '# How estimates order variants\n\n'
    printf 'Regenerate with `tests/bench/estimates.sh`. "Not hidden": the share of the shorter of the two parts of an estimate (in\n'
    printf 'the cores, moving data) that is added to the longer one; tunes use that of\n'
    printf '`BoundSource::kNotHidden`. Order: the rank correlation of estimate and time. Then times over estimates, and how far the\n'
    printf 'fastest of the first few by estimate is from the fastest of all, ties in any order (the median of 201 orders).\n\n'
    "$build/tests/estimate_check" "$@"
} >"$root/results/estimates.md.part"
mv "$root/results/estimates.md.part" "$root/results/estimates.md"
