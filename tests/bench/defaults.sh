#!/bin/bash
# Regenerates results/defaults.md: is the default variant, which programs fall back on, ever slower than the naive
# loop? Every matrix of $ROOFTUNE_DATA, generated ones, stencils, products and the default jobs, in f64 and f32, with
# the vectors that the machine has and masked to 256 and 128 bits: the two variants in rotation, in several processes.
# Needs a quiet machine, python3, and half an hour.
#
#   tests/bench/defaults.sh [FOLDER FOR THE RAW RESULTS [PROBLEM…]]
#
# A PROBLEM is FAMILY:PROBLEM; what is in the folder already is not measured again. Environment: WIDTHS (512 256 128).
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
raw=${1:-$root/results/local/defaults}
(($#)) && shift
: "${ROOFTUNE_DATA:?set ROOFTUNE_DATA to the folder that holds matrices/}"
command -v python3 >/dev/null || {
    echo 'defaults.sh: python3 is missing, which makes the table: apt-get install python3' >&2
    exit 3
}
program=${ROOFTUNE_PROGRAM:-$root/rooftune}
out=$root/results/defaults.md
read -ra widths <<<"${WIDTHS:-512 256 128}"
if (($# == 0)); then
    for matrix in "$ROOFTUNE_DATA"/matrices/*.mtx.gz; do
        set -- "$@" "spmv:matrix=$matrix" "spmv:matrix=$matrix,dtype=f32"
    done
    set -- "$@" spmv:gen=poisson27,nx=80 spmv:gen=poisson27,nx=120 spmv:gen=poisson5,nx=1500 \
        spmv:gen=elasticity3,nx=40 spmv:gen=rmat,scale=18 spmv:gen=banded,n=300000,band=20 \
        stencil:points=7,nx=64,ny=64,nz=64 stencil:points=7,nx=61,ny=37,nz=150,dtype=f32 \
        stencil:points=27,nx=96,ny=96,nz=96,dtype=f32 stencil:points=27,nx=96,ny=96,nz=96 \
        stencil:points=7,nx=256,ny=256,nz=256 stencil:points=7,nx=256,ny=256,nz=256,dtype=f32 \
        stencil:points=27,nx=256,ny=256,nz=256 stencil:points=7,nx=128,ny=128,nz=128,steps=4 \
        matmul:m=37,n=211,k=149 matmul:m=128,n=128,k=128 matmul:m=128,n=128,k=128,dtype=f32 \
        matmul:m=400,n=32,k=32 matmul:m=1024,n=1024,k=1024 matmul:m=1024,n=1024,k=1024,dtype=f32 \
        matmul:m=16,n=4096,k=8192 matmul:m=4096,n=16,k=8192 matmul:m=2048,n=2048,k=2048
fi
mkdir -p "$raw"
version="$("$program" --version), $(git -C "$root" rev-parse HEAD)"
if [ -s "$raw/version" ] && [ "$(cat "$raw/version")" != "$version" ]; then
    echo "defaults.sh: $raw holds results of another build; name another folder, or remove it" >&2
    exit 2
fi
printf '%s\n' "$version" >"$raw/version"
for problem in "$@"; do
    for width in "${widths[@]}"; do
        name=$(printf '%s.%s' "${problem/"$ROOFTUNE_DATA/matrices/"/}" "$width" | tr -c 'a-zA-Z0-9=.' _)
        [ -s "$raw/$name.json" ] && continue
        # Four evaluations are the naive and the default variant, and both in the finals.
        ROOFTUNE_MAX_WIDTH=$width "$program" tune "${problem%%:*}" "${problem#*:}" --budget 4 --audit 0 --fresh --json \
            --results "$raw/store_$width" >"$raw/part" 2>"$raw/$name.log"
        mv "$raw/part" "$raw/$name.json"
    done
done

PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$root/tests/bench python3 - "$raw" "${widths[*]}" "${@/"$ROOFTUNE_DATA/matrices/"/}" >"$out.part" <<'TABLE'
import json
import re
import sys

from tune_result import result_of

raw, widths, *problems = sys.argv[1:]
widths = widths.split()


def load(problem, width):
    name = re.sub(r"[^a-zA-Z0-9=.]", "_", f"{problem}.{width}")
    with open(f"{raw}/{name}.json", encoding="utf-8") as file:
        return result_of(json.load(file))


# The naive variant's time over the default one's, with its interval. One of the two is the best of the run. Fewer than
# six turns (a textbook loop that takes many times as long) have no interval.
def speed_up(result):
    default, naive = result["default"], result["naive"]
    if default["variant"] == naive["variant"]:
        return 1.0, None, None
    best = result["best"]["variant"]
    if best == default["variant"]:
        ratio = naive["time_over_best"]
        low, high = ratio["low"], ratio["high"]
        return ratio["median"], *((low, high) if ratio["slots"] >= 6 else (None, None))
    ratio = default["time_over_best"]
    low, high = 1.0 / ratio["high"], 1.0 / ratio["low"]
    return 1.0 / ratio["median"], *((low, high) if ratio["slots"] >= 6 else (None, None))


def told(median, low, high):
    return f"{median:.2f}" + ("" if low is None else f" [{low:.2f}, {high:.2f}]")


print("# The default variant beside the naive loop\n")
print("Regenerate with `tests/bench/defaults.sh FOLDER`: the naive variant's time over the default one's, in rotation,")
print("each with the 95 % interval of its median, on all threads; with the vectors that the machine has and with fewer")
print("bits (`ROOFTUNE_MAX_WIDTH`). `same` is where the rule takes the naive variant.\n")
rows, medians, behind, alike, machine = [], [], [], 0, None
for problem in problems:
    row = []
    for width in widths:
        result = load(problem, width)
        machine = machine or result["machine"]["name"]
        median, low, high = speed_up(result)
        same = result["default"]["variant"] == result["naive"]["variant"]
        if same:
            alike += 1
        else:
            medians.append(median)
        row.append("same" if same else told(median, low, high))
        if median < 0.98:
            behind.append(f"{problem} at {width} bits ({told(median, low, high)})")
    rows.append((problem, row))
print(f"Machine: {machine}\n")
print("| problem | " + " | ".join(f"{w} bits" for w in widths) + " |")
print("|---" + "|---:" * len(widths) + "|")
for problem, row in rows:
    print(f"| {problem} | " + " | ".join(row) + " |")
least = f"; the least {min(medians):.2f}" if medians else ""
print(f"\nAt least 0.98: {len(medians) - len(behind)} of {len(medians)} that differ{least}. The same: {alike}.")
if behind:
    print("Behind: " + "; ".join(behind) + ".")
TABLE
mv "$out.part" "$out"
