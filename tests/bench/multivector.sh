#!/bin/sh
# Regenerates results/multivector.md: products with several vectors, at once and one after the other, beside MKL's. Needs
# a quiet machine, python3, and twenty minutes; MKL where tests/peers/mkl/fetch.sh has fetched it, the real matrix where
# $ROOFTUNE_DATA has it.
#
#   tests/bench/multivector.sh
#
# Environment: BUDGET of each tune (30s), ROUNDS (5).
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${ROOFTUNE_BUILD_DIR:-$root/build}" && pwd)
raw=$root/results/local/multivector
cmake -S "$root" -B "$build" -DROOFTUNE_PEERS=ON >/dev/null
cmake --build "$build" --target rooftune_program multivector >/dev/null
rm -rf "$raw"
mkdir -p "$raw"
set -- gen=poisson27,nx=110 gen=poisson27,nx=110,dtype=f32 gen=elasticity3,nx=60 gen=poisson5,nx=1500
[ -z "${ROOFTUNE_DATA:-}" ] || set -- "$@" "matrix=$ROOFTUNE_DATA/matrices/bcsstk16.mtx.gz"
"$build/rooftune" machine --quick --quiet --results "$raw" >/dev/null
for problem in "$@"; do
    # Each KEY=VALUE is an argument of its own.
    (
        IFS=,
        # shellcheck disable=SC2086
        "$build/rooftune" tune spmv $problem --budget "${BUDGET:-30s}" --quiet --results "$raw" --out "$raw/tuned"
    ) >>"$raw/tunes.txt"
done
python3 "$root/tests/bench/multivector.py" "$build/tests/multivector" "$raw/tuned" "${BUDGET:-30s}" "${ROUNDS:-5}" "$@" \
    >"$raw/table.md"
mv "$raw/table.md" "$root/results/multivector.md"
