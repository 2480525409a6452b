#!/bin/bash
# Regenerates results/together.md: a tune, a run and a compare, first each alone and then all three started together on
# one machine. Each should take its budget and what it says it waited, and say what it said alone. Needs a quiet
# machine, python3 and three minutes.
#
#   tests/bench/together.sh [FOLDER FOR THE RAW RESULTS]
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
raw=${1:-$root/results/local/together}
command -v python3 >/dev/null || {
    echo 'together.sh: python3 is missing, which makes the table: apt-get install python3' >&2
    exit 3
}
program=${ROOFTUNE_PROGRAM:-$root/rooftune}
rm -rf "$raw"
mkdir -p "$raw/base"
"$program" --version >/dev/null
"$program" tune matmul m=256,n=256,k=256 --budget 15s --quiet --results "$raw/base" >"$raw/base.txt"
"$program" tune spmv gen=elasticity3,nx=16 --budget 8s --quiet --results "$raw/base" >>"$raw/base.txt"
config=$(echo "$raw"/base/tuned/matmul_*.json)
spmv=$(echo "$raw"/base/tuned/spmv_*.json)

# timed NAME COMMAND…: its output, what it said, its seconds and its status.
timed() {
    local name=$1 begun status=0
    shift
    begun=$(date +%s.%N)
    "$@" >"$raw/$name.json" 2>"$raw/$name.err" || status=$?
    printf '%s %s %s\n' "$begun" "$(date +%s.%N)" "$status" >"$raw/$name.time"
}
tune() { timed "tune_$1" "$program" tune stencil points=7,nx=64,ny=64,nz=64 --budget 8s --fresh --json --results "$raw/base" --out "$raw/out_$1"; }
run() { timed "run_$1" "$program" run "$config" --seconds 6 --json --results "$raw/base"; }
compare() { timed "compare_$1" "$program" compare "$spmv" "$spmv" --json --results "$raw/base"; }

tune alone
run alone
compare alone
tune together &
run together &
compare together &
wait

python3 - "$raw" >"$root/results/together.md" <<'TABLE'
import json
import re
import sys

raw = sys.argv[1]


def load(name):
    with open(f"{raw}/{name}.json", encoding="utf-8") as file:
        return json.load(file)


def wall(name):
    with open(f"{raw}/{name}.time", encoding="utf-8") as file:
        begun, ended, status = file.read().split()
    return float(ended) - float(begun), int(status)


def waited(name):
    """What its document says, where it says it; else what it says on standard error when it is done."""
    seconds = load(name).get("waited_seconds")
    if seconds is not None:
        return seconds
    with open(f"{raw}/{name}.err", encoding="utf-8") as file:
        text = file.read()
    found = re.search(r"rooftune: ([^\n]*) of this went by waiting for others", text)
    units = {"h": 3600, "min": 60, "s": 1, "ms": 1e-3}
    return sum(float(n) * units[unit] for n, unit in re.findall(r"([\d.]+) (h|min|ms|s)\b", found[1])) if found else 0.0


def said(kind, name):
    document = load(name)
    if kind == "tune":
        ratio = document["naive"]["time_over_best"]
        return f"winner {document['best']['seconds']['median'] * 1e6:.3g} µs, {ratio['median']:.2f} [{ratio['low']:.2f}, {ratio['high']:.2f}] over naive"
    if kind == "run":
        arms = document["variants"]
        return ", ".join(f"{arm['name']} {arm['seconds']['median'] * 1e6:.3g} µs" for arm in arms)
    v = document["verdicts"][0]
    return f"{v['verdict']} {v['ratio']:.3f} [{v['low']:.3f}, {v['high']:.3f}]"


print("# Three at once\n")
print("Regenerate with `tests/bench/together.sh`: a tune of 8 s, a run of 6 s and a comparison of one config with itself,")
print("alone and then started together. Whoever comes second waits for a turn, and says so.\n")
print("| what | alone, s | together, s | of these it waited, s | the rest, s | said alone | said together | status |")
print("|---|---:|---:|---:|---:|---|---|---:|")
for kind in ("tune", "run", "compare"):
    alone, _ = wall(kind + "_alone")
    both, status = wall(kind + "_together")
    w = waited(kind + "_together")
    print(f"| {kind} | {alone:.1f} | {both:.1f} | {w:.1f} | {both - w:.1f} | {said(kind, kind + '_alone')} "
          f"| {said(kind, kind + '_together')} | {status} |")
TABLE
cat "$root/results/together.md"
