#!/bin/bash
# Regenerates results/beside.md: matmul 1024x1024x1024 f64 tuned ten times beside tests/bench/disturb.sh, each with
# a store and a machine model of its own, made beside it as well: what was excluded wrongly, and whose bound was
# beaten. Takes a quarter of an hour.
#
#   tests/bench/beside.sh [FOLDER FOR THE RAW RESULTS [TUNES [BUDGET]]]
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
program=${ROOFTUNE_PROGRAM:-$root/rooftune}
raw=${1:-$root/results/local/beside}
tunes=${2:-10}
budget=${3:-60s}
command -v python3 >/dev/null || {
    echo 'beside.sh: python3 is missing, which makes the table: apt-get install python3' >&2
    exit 3
}
rm -rf "$raw"
mkdir -p "$raw"
"$program" --version >/dev/null
"$root/tests/bench/disturb.sh" &
disturber=$!
trap 'kill -TERM "$disturber" 2>/dev/null || true' EXIT
for ((i = 1; i <= tunes; ++i)); do
    "$program" tune matmul m=1024 n=1024 k=1024 --budget "$budget" --seed "$i" --json --results "$raw/$i" \
        >"$raw/$i.json" 2>"$raw/$i.log"
done
kill -TERM "$disturber"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$root/tests/bench python3 - "$raw" "$tunes" "$budget" >"$root/results/beside.md" <<'TABLE'
import json
import sys

from tune_result import result_of

raw, tunes, budget = sys.argv[1], int(sys.argv[2]), sys.argv[3]


print("# Tunes beside a disturber\n")
print(f"Regenerate with `tests/bench/beside.sh FOLDER {tunes} {budget}`, which tunes matmul 1024x1024x1024 f64 beside")
print("`tests/bench/disturb.sh` (a process that takes 60 % of one processor in bursts, and one that streams memory for")
print("a third of the time), each time from an empty store and without a machine model.\n")
rows, wrong, demoted, beaten, audited = [], 0, 0, 0, 0
for i in range(1, tunes + 1):
    with open(f"{raw}/{i}.json", encoding="utf-8") as file:
        r = result_of(json.load(file))
    with open(f"{raw}/{i}.log", encoding="utf-8") as file:
        log = file.read()
    c = r["certificate"]
    a = c["audit"]["excluded"]
    ended = log.count("no longer excludes")
    rows.append((i, r["best"]["seconds"]["median"], c["excluded"], a["measured"], a["wrong"], c["violations"], ended,
                 c["gap"], c["replacement"]["gap"]))
    wrong, demoted, beaten, audited = wrong + a["wrong"], demoted + ended, beaten + c["violations"], audited + a["measured"]
    machine = r.get("machine", {})
print("| seed | winner ms | excluded | of them measured | faster than the winner | bounds beaten | terms demoted "
      "| proven gap | gap at rates held |")
print("|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
for seed, seconds, excluded, measured, faster, violations, ended, gap, held in rows:
    shown = [f"{100 * g:.0f} %" if g is not None else "unknown" for g in (gap, held)]
    print(f"| {seed} | {1e3 * seconds:.2f} | {excluded} | {measured} | {faster} | {violations} | {ended} "
          f"| {shown[0]} | {shown[1]} |")
print(f"\nIn all: {audited} excluded variants were measured, {wrong} of them faster than their winner; "
      f"{beaten} bounds were beaten, {demoted} terms demoted.")
TABLE
