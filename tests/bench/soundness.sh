#!/bin/sh
# Regenerates results/soundness.md: the full machine model, then three passes of everybody's code against its
# ceilings, which stay frozen. Needs a quiet machine for about six minutes, and installs the peers.
#
#   tests/bench/soundness.sh [FOLDER FOR THE RAW RESULTS]
#
# Environment, for a quick try: PASSES (3), OUT the file to write.
set -eu
export COLUMNS=10000  # tables in Markdown have whole rows
root=$(cd "$(dirname "$0")/../.." && pwd)
passes=${PASSES:-3}
out=${OUT:-$root/results/soundness.md}
raw=${1:-$root/results/local/soundness}
# From nothing: ceilings that an earlier run raised would hide those that are too low.
rm -rf "$raw"
mkdir -p "$raw"
status=0
"$root/rooftune" peers soundness --passes "$passes" --quiet --results "$raw" >"$raw/audit.md" || status=$?
# 1 is an answer: something is above a ceiling, and the table says so.
[ "$status" -le 1 ] || exit "$status"
{
    printf '# Is anybody above the ceilings?\n\n'
    printf 'Regenerate with `tests/bench/soundness.sh`, which runs `./rooftune peers soundness --passes %s`: the full\n' "$passes"
    printf 'machine model from nothing, then %s passes over everybody, ceilings frozen. Each measurement is a process\n' "$passes"
    printf 'of its own, checks one answer against plain arithmetic, and gives the fastest of its windows (4 ms or more).\n'
    printf 'Flops are 2mnk; bytes are those that the loop must move, never write-allocation. What is above a ceiling is\n'
    printf 'measured twice more and the ceiling is probed again at its own footprint: either the probe reaches the rate\n'
    printf '(the machine is faster than when it was modelled), or the rate does not come back, or nobody knows.\n\n'
    sed '1{/^Is anybody/{s/^Is anybody above the ceilings? /Machine: /}}' "$raw/audit.md"
} >"$raw/table.md"
cp "$raw/table.md" "$out"
