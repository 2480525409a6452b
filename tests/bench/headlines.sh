#!/bin/bash
# Regenerates results/headlines.md: many short tunes beside a disturber, and whether each headline says what its
# rounds show. Budgets are drawn from 1 to 20 s, evenly over their logarithm, problems in turn; all use one machine
# model, made beside the disturber as well. Needs $ROOFTUNE_DATA, python3, and about forty minutes.
#
#   tests/bench/headlines.sh [FOLDER FOR THE RAW RESULTS [TUNES]]
#
# What the folder has already is not tuned again; what is judged is how the program words the stored results today.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
raw=${1:-$root/results/local/headlines}
tunes=${2:-200}
: "${ROOFTUNE_DATA:?set ROOFTUNE_DATA to the folder that holds matrices/}"
command -v python3 >/dev/null || {
    echo 'headlines.sh: python3 is missing, which makes the table: apt-get install python3' >&2
    exit 3
}
export COLUMNS=10000
program=${ROOFTUNE_PROGRAM:-$root/rooftune}
problems=("matmul m=256,n=256,k=256" "stencil points=7,nx=64,ny=64,nz=64" "spmv gen=elasticity3,nx=16"
    "spmv matrix=$ROOFTUNE_DATA/matrices/memplus.mtx.gz" "stencil points=27,nx=96,ny=96,nz=96,dtype=f32"
    "matmul m=64,n=1000,k=200,dtype=f32" "spmv gen=poisson27,nx=48" "stencil points=7,nx=160,ny=160,nz=160")
mkdir -p "$raw"
"$program" --version >/dev/null
"$root/tests/bench/disturb.sh" &
disturber=$!
trap 'kill -TERM "$disturber" 2>/dev/null || true' EXIT
for ((i = 1; i <= tunes; ++i)); do
    [ -s "$raw/$i.txt" ] && continue
    problem=${problems[$(((i - 1) % ${#problems[@]}))]}
    budget=$(awk -v i="$i" 'BEGIN { srand(i); rand(); printf "%.1f", 20 ^ rand() }')
    # shellcheck disable=SC2086  # the family and its problem are two words
    "$program" tune $problem --budget "${budget}s" --seed "$i" --fresh --results "$raw/store" --out "$raw/$i" \
        >"$raw/$i.part" 2>"$raw/$i.log" || true
    printf 'budget %s s\n' "$budget" >>"$raw/$i.part"
    python3 -c 'import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute("select max(id) from runs").fetchone())' \
        "$raw/store/rooftune.db" >"$raw/$i.run"
    mv "$raw/$i.part" "$raw/$i.txt"
done
kill -TERM "$disturber"
for ((i = 1; i <= tunes; ++i)); do
    "$program" results show "run:$(cat "$raw/$i.run")" --short --results "$raw/store" >"$raw/$i.txt"
done
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$root/tests/bench python3 "$root/tests/bench/headlines.py" "$raw" "$tunes" \
    >"$root/results/headlines.md.part"
mv "$root/results/headlines.md.part" "$root/results/headlines.md"
tail -n 3 "$root/results/headlines.md"
