#!/bin/bash
# Regenerates results/repeat.md: do two tunes of one problem agree? Twelve problems, four a family, half of them larger
# than 100 MB, are tuned twice, with other seeds and each from an empty store; then `rooftune compare` runs both winners
# interleaved in fresh processes. Needs a quiet machine, $ROOFTUNE_DATA, python3, and about three quarters of an hour.
#
#   tests/bench/repeat.sh [FOLDER FOR THE RAW RESULTS [BUDGET [PROBLEM…]]]
#
# Environment: DISTURBED=1 tunes beside tests/bench/disturb.sh (and compares without it) and writes
# results/repeat_disturbed.md; LONG=600s tunes a third time with that budget, and compares the first winner with that
# one's as well. A PROBLEM is one word of the list below, for a part of it.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
raw=${1:-$root/results/local/repeat}
budget=${2:-60s}
(($# > 2)) && shift 2 || set --
: "${ROOFTUNE_DATA:?set ROOFTUNE_DATA to the folder that holds matrices/}"
command -v python3 >/dev/null || {
    echo 'repeat.sh: python3 is missing, which makes the table: apt-get install python3' >&2
    exit 3
}
program=${ROOFTUNE_PROGRAM:-$root/rooftune}
out=$root/results/repeat${DISTURBED:+_disturbed}.md
mtx=matrix=$ROOFTUNE_DATA/matrices
all=(
    "spmv:$mtx/memplus.mtx.gz" "spmv:$mtx/bcsstk16.mtx.gz"
    "spmv:gen=poisson27,nx=80" "spmv:gen=poisson27,nx=120"
    "stencil:points=7,nx=64,ny=64,nz=64" "stencil:points=27,nx=96,ny=96,nz=96,dtype=f32"
    "stencil:points=7,nx=256,ny=256,nz=256" "stencil:points=27,nx=256,ny=256,nz=256"
    "matmul:m=128,n=128,k=128" "matmul:m=1024,n=1024,k=1024"
    "matmul:m=16,n=4096,k=8192" "matmul:m=2560,n=2560,k=2560"
)
part="$*"
(($#)) || set -- "${all[@]}"
mkdir -p "$raw"
"$program" --version >/dev/null
disturber=
trap '[ -z "$disturber" ] || kill -TERM "$disturber" 2>/dev/null || true' EXIT

# tune NAME SEED BUDGET FAMILY PROBLEM: what is there already is not tuned again.
tune() {
    [ -s "$raw/$1.json" ] && return
    "$program" tune "$4" "$5" --budget "$3" --seed "$2" --json --results "$raw/$1" >"$raw/$1.part" 2>"$raw/$1.log"
    mv "$raw/$1.part" "$raw/$1.json"
}
# compare NAME OTHER: status 1 is a verdict too.
compare() {
    [ -s "$raw/$1-$2.json" ] && return
    "$program" compare "$raw/$1" "$raw/$2" --delta 0.02 --limit 10 --json --results "$raw/$1" >"$raw/$1-$2.part" \
        2>"$raw/$1-$2.log" || [ $? -ne 2 ]
    mv "$raw/$1-$2.part" "$raw/$1-$2.json"
}

if [ -n "${DISTURBED:-}" ]; then
    "$root/tests/bench/disturb.sh" &
    disturber=$!
fi
names=()
for problem in "$@"; do
    name=$(printf '%s' "${problem/"$ROOFTUNE_DATA/matrices/"/}" | tr -c 'a-zA-Z0-9=' _)
    names+=("$name")
    tune "$name.a" 1 "$budget" "${problem%%:*}" "${problem#*:}"
    tune "$name.b" 2 "$budget" "${problem%%:*}" "${problem#*:}"
    [ -z "${LONG:-}" ] || tune "$name.long" 3 "$LONG" "${problem%%:*}" "${problem#*:}"
done
if [ -n "$disturber" ]; then
    kill -TERM "$disturber"
    disturber=
fi
for name in "${names[@]}"; do
    compare "$name.a" "$name.b"
    [ -z "${LONG:-}" ] || compare "$name.long" "$name.a"
done

PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$root/tests/bench python3 - "$raw" "$budget" "${DISTURBED:-}" "${LONG:-}" "${part//"$ROOFTUNE_DATA"/\$ROOFTUNE_DATA}" "${names[@]}" >"$out" <<'TABLE'
import json
import os
import sys

from tune_result import result_of

raw, budget, disturbed, longer, part, *names = sys.argv[1:]


def load(name):
    path = f"{raw}/{name}.json"
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def percent(value):
    return "unknown" if value is None else f"{100 * value:.0f} %"


def ratio_of(document):
    if not document or not document["verdicts"]:
        return None, "not compared", ""
    v = document["verdicts"][0]
    if v["ratio"] is None:
        return None, v["verdict"], v["reason"]
    return v["ratio"], f"{v['ratio']:.3f} [{v['low']:.3f}, {v['high']:.3f}]", v["verdict"]


setting = "DISTURBED=1 " if disturbed else ""
setting += f"LONG={longer} " if longer else ""
print("# Do two tunes agree?\n")
print(f"Regenerate with `{setting}tests/bench/repeat.sh FOLDER {budget}{' ' + part if part else ''}`:")
print("each problem is tuned twice, with other seeds and from empty stores" + (", beside `tests/bench/disturb.sh`" if disturbed else "")
      + ", and `rooftune compare` runs the two winners interleaved, each turn in a fresh process.")
print("Ratios are the second winner's time over the first one's. Gaps are those at rates held, then the proven ones.\n")
machine = None
rows, off, long_off = [], [], []
for name in names:
    results = [result_of(load(f"{name}.{part}")) for part in "ab"]
    machine = machine or results[0].get("machine", {}).get("name")
    times = " / ".join(f"{1e3 * r['best']['seconds']['median']:.3g}" for r in results)
    held = " / ".join(percent(r["certificate"]["replacement"]["gap"]) for r in results)
    proven = " / ".join(percent(r["certificate"]["gap"]) for r in results)
    evaluated = " / ".join(str(r["certificate"]["measured"] + r["certificate"]["raced_out"]) for r in results)
    over = {}
    for key in ("default", "naive"):
        ratios = [(r.get(key) or {}).get("time_over_best", {}).get("median") for r in results]
        over[key] = " / ".join(f"{t:.2f}" if t else "–" for t in ratios)
    ratio, text, verdict = ratio_of(load(f"{name}.a-{name}.b"))
    if ratio is not None:
        off.append(max(ratio, 1 / ratio))
    row = [name, times, text + (f" {verdict}" if verdict == "INVALID" else ""), over["default"], over["naive"], evaluated,
           held, proven]
    if longer:
        ratio, text, _ = ratio_of(load(f"{name}.long-{name}.a"))
        if ratio is not None:
            long_off.append(ratio)
        row.append(text)
    rows.append(row)
if machine:
    print(f"Machine: {machine}\n")
titles = ["problem", "winners, ms", "ratio", "over the default", "over naive", "evaluated", "gap at rates held",
          "proven gap"]
if longer:
    titles.append(f"first winner over that of {longer}")
print("| " + " | ".join(titles) + " |")
print("|---" + "|---:" * (len(titles) - 1) + "|")
for row in rows:
    print("| " + " | ".join(row) + " |")
if off:
    print(f"\nWithin 2 %: {sum(1 for r in off if r <= 1.02)} of {len(names)}; the worst differ by {100 * (max(off) - 1):.1f} %.")
if long_off:
    print(f"At most 2 % behind the tune of {longer}: {sum(1 for r in long_off if r <= 1.02)} of {len(long_off)}; "
          f"the worst {100 * (max(long_off) - 1):.1f} %.")
TABLE
