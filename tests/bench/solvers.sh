#!/bin/sh
# Regenerates results/solvers.md: conjugate gradients, and time steps with new values each, in an OpenMP program whose
# threads are bound, with a plan, with MKL and with the plain loop. Needs a quiet machine, python3, and a quarter of an
# hour; MKL where tests/peers/mkl/fetch.sh has fetched it, the real matrix where $ROOFTUNE_DATA has it.
#
#   tests/bench/solvers.sh
#
# Environment: BUDGET of each tune (60s), ROUNDS (9).
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${ROOFTUNE_BUILD_DIR:-$root/build}" && pwd)
raw=$root/results/local/solvers
cmake -S "$root" -B "$build" -DROOFTUNE_PEERS=ON >/dev/null
cmake --build "$build" --target rooftune_program solvers >/dev/null
rm -rf "$raw"
mkdir -p "$raw"
set -- gen=poisson5,nx=200 gen=poisson27,nx=80
[ -z "${ROOFTUNE_DATA:-}" ] || set -- "$@" "matrix=$ROOFTUNE_DATA/matrices/bcsstk16.mtx.gz"
"$build/rooftune" machine --quick --quiet --results "$raw" >/dev/null
for problem in "$@"; do
    "$build/rooftune" tune spmv "$problem" --budget "${BUDGET:-60s}" --quiet --results "$raw" --out "$raw/tuned" >>"$raw/tunes.txt"
done
python3 "$root/tests/bench/solvers.py" "$build/tests/solvers" "$raw/tuned" "${BUDGET:-60s}" "${ROUNDS:-9}" "$@" >"$raw/table.md"
mv "$raw/table.md" "$root/results/solvers.md"
