#!/bin/sh
# Regenerates results/plots/default_jobs.svg, the picture in the README: the roofline of the machine it runs on, with
# the winners of the default jobs. Needs a quiet machine and about four minutes, or a results folder in which
# `rooftune tune` has finished the default jobs (results/local, say), which takes no time.
#
#   tests/bench/readme_plot.sh [RESULTS]
#
# The README names the machine beside the picture: the script prints what to write there.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
out=${OUT:-$root/results/plots/default_jobs.svg}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
results=${1:-}
if [ -z "$results" ]; then
    results=$work/results
    "$root/rooftune" tune --results "$results" >"$work/tune.txt"
fi
# The set's file has the job's name: another job's plot would stand beside another.
if [ ! -r "$results/tuned/default.json" ] || [ ! -r "$results/tuned/winners.svg" ]; then
    echo "readme_plot.sh: $results holds no finished tune of the default jobs; run \`./rooftune tune\` first" >&2
    exit 2
fi
mkdir -p "$(dirname "$out")"
cp "$results/tuned/winners.svg" "$out"
machine=$(sed -n 's/^  "machine": "\(.*\)",*$/\1/p' "$results/tuned/default.json" | head -n 1)
echo "wrote $out; the machine is ${machine:-not named in $results/tuned/default.json}"
