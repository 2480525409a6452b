#!/bin/sh
# Regenerates results/ground_truth.md from the spaces in results/spaces, which were measured whole. Nothing is
# measured, so the machine need not be quiet. Needs ROOFTUNE_DATA for the matrices.
#
#   tests/bench/ground_truth.sh            the table
#   tests/bench/ground_truth.sh --measure  the spaces first: three quarters of an hour on a quiet machine
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${ROOFTUNE_BUILD_DIR:-$root/build}
: "${ROOFTUNE_DATA:?set ROOFTUNE_DATA to the folder that holds matrices/}"
spaces=$root/results/spaces
program=$build/rooftune
cmake --build "$build" --target rooftune ground_truth >/dev/null
measure() {
    name=$1
    shift
    results=$root/results/local/ground_truth
    # Matrices are named without their folder, so that the record fits every machine.
    (cd "$ROOFTUNE_DATA/matrices" && "$program" tune "$@" --exhaustive --fresh --quiet --results "$results" >&2 &&
        "$program" export --format rooftune --with-machine --results "$results" --output "$spaces/$name.json.gz")
}
if [ "${1:-}" = --measure ]; then
    mkdir -p "$spaces"
    measure spmv_memplus spmv --matrix memplus.mtx.gz
    measure spmv_bcsstk16 spmv --matrix bcsstk16.mtx.gz
    measure stencil_7_64 stencil points=7,nx=64,ny=64,nz=64,dtype=f64,steps=1
    measure matmul_256 matmul m=256,n=256,k=256,dtype=f64
fi
ls "$spaces"/*.json.gz >/dev/null 2>&1 || {
    echo "ground_truth.sh: results/spaces holds no records; measure them first, with --measure" >&2
    exit 2
}
{
    printf '# Strategies where the truth is known\n\n'
    printf 'Regenerate with `tests/bench/ground_truth.sh`. Every variant of these spaces was measured\n'
    printf '(`rooftune tune … --exhaustive`; what came within twice the best again in three rounds, the best 1536 in heats,\n'
    printf 'the best 192 of these in rotation), and 20 searches\n'
    printf 'of each kind run on the records, with the noise that was recorded. The first row is\n'
    printf '`rooftune tune` with its defaults, audit and finals included; the others get as many evaluations, no audit and\n'
    printf 'the same finals. `yes`: what bounds exclude is not measured.\n\n'
    "$build/tests/ground_truth" "$spaces"/*.json.gz
} >"$root/results/ground_truth.md.part"
mv "$root/results/ground_truth.md.part" "$root/results/ground_truth.md"
