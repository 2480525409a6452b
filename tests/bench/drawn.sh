#!/bin/bash
# Regenerates results/drawn.md: bounds against variants drawn at random from spaces of DRAM-sized problems and of two that caches hold, and from
# the spaces that were measured whole. Nothing is excluded while they are measured.
#
#   tests/bench/drawn.sh                         the table, from results/spaces and results/spaces/drawn
#   tests/bench/drawn.sh --measure [PROBLEM…]    draws and measures first: NAME:EVALUATIONS:FAMILY:PROBLEM
#
# Without a PROBLEM those of the list below; three to twenty minutes each, and the larger matrix longer. What an earlier
# call measured on this machine is kept, and the draws go on.
set -eu
shopt -s nullglob
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${ROOFTUNE_BUILD_DIR:-$root/build}
: "${ROOFTUNE_DATA:?set ROOFTUNE_DATA to the folder that holds matrices/}"
spaces=$root/results/spaces
results=$root/results/local/drawn
cmake --build "$build" --target rooftune_program drawn_check >/dev/null
if [ "${1:-}" = --measure ]; then
    shift
    (($#)) || set -- \
        spmv_poisson27_80:5000:spmv:gen=poisson27,nx=80 spmv_poisson27_120:5000:spmv:gen=poisson27,nx=120 \
        stencil_7_256:5000:stencil:points=7,nx=256,ny=256,nz=256 matmul_1024:5000:matmul:m=1024,n=1024,k=1024 \
        "spmv_memplus_drawn:3000:spmv:matrix=$ROOFTUNE_DATA/matrices/memplus.mtx.gz" \
        "spmv_bcsstk16_drawn:3000:spmv:matrix=$ROOFTUNE_DATA/matrices/bcsstk16.mtx.gz"
    mkdir -p "$spaces/drawn"
    for wanted in "$@"; do
        IFS=: read -r name evaluations family problem <<<"$wanted"
        "$build/rooftune" tune "$family" "$problem" --strategy random --no-bounds --audit 0 --epsilon 0 \
            --patience "$evaluations" --budget "$evaluations" --results "$results" --quiet >/dev/null
        "$build/rooftune" export --format rooftune --with-machine --results "$results" \
            --output "$spaces/drawn/$name.json.gz"
    done
fi
held=0
{
    printf '# Bounds against drawn variants\n\n'
    printf 'Regenerate with `tests/bench/drawn.sh`. Variants drawn at random (`rooftune tune --strategy random --no-bounds`)\n'
    printf 'or all of a space (those of `results/spaces`), each with its fastest slot held against both tiers of bounds under\n'
    printf 'the highest rates that its machine file has, without a margin. What the second tier allows is not proven:\n'
    printf 'it is stated here how often it was beaten.\n\n'
    printf 'Only terms whose ceilings the machine file has can bind: those of 2026-11-23 and before have no loads by width and
'
    printf 'no split loads.

'
    "$build/tests/drawn_check" "$spaces"/drawn/*.json.gz "$spaces"/*.json.gz || held=$?
} >"$root/results/drawn.md.part"
((held != 2)) || exit 2
mv "$root/results/drawn.md.part" "$root/results/drawn.md"
((held == 0)) || echo 'drawn.sh: a bound was beaten, or nothing was timed: see results/drawn.md' >&2
exit "$held"
