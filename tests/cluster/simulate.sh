#!/bin/sh
# Regenerates results/nodes_simulated.md and results/nodes_simulated.svg: a job over nodes in virtual time. Only the
# CPU time of the coordinator is measured. Takes minutes.
#
#   tests/cluster/simulate.sh        all of it
#   tests/cluster/simulate.sh FILE   table and picture alone, of the runs that `simulate run FILE` left there
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${ROOFTUNE_BUILD_DIR:-$root/build}
cmake --build "$build" --target simulate >/dev/null
program=$build/tests/simulate
if [ $# -gt 0 ]; then
    runs=$1
else
    runs=$(mktemp)
    trap 'rm -f "$runs"' EXIT
    for nodes in 1 10 100 300 1000; do
        "$program" run "$runs" nodes=$nodes
    done
    "$program" run "$runs" nodes=1000 kinds=2 death_hours=2 killers=200
    "$program" run "$runs" nodes=200 problems=500 messages="$root/tests/golden/explain/dram_bound.json"
fi
{
    printf '# A job over simulated nodes\n\n'
    printf 'Regenerate with `tests/cluster/simulate.sh`. Nothing is measured but the CPU time that the coordinator takes:\n'
    printf 'agents that are made up drive the code that decides in a real run (`Coordinator`, `SetPlan`) in virtual time.\n'
    printf 'Nodes come up within a minute, and their ceilings differ by up to 4 %%; one in twenty is 40 %% slow. A tune\n'
    printf 'takes a log-normal time with a median of 60 s, a comparison 2 s. Each node tells 200 results a second divided\n'
    printf 'by the nodes, but two at most. A node dies once in 24 hours, in the row with two kinds once in 2, half of the\n'
    printf 'time without a word, and comes back a minute after that was seen; 20 problems (200 with two kinds) have a\n'
    printf 'variant that takes down whoever runs it.\n\n'
    printf '*Ideal* is the time of all tasks that ended, divided by the nodes that are not slow. *Idle* is the share of\n'
    printf 'the time of such nodes in which they had no task, from their ceilings until the last problem was given out\n'
    printf '(asked: at most 5 %%). *With messages* adds what messages, journal and files cost, at what each costs below\n'
    printf '(asked: at most 30 %% at 200 results a second); the store and writing the set are not in it. *Memory* is that\n'
    printf 'of the whole process, agents and all (asked: at most 1 GB). ![time over nodes](nodes_simulated.svg)\n\n'
    "$program" table "$runs"
} >"$root/results/nodes_simulated.md.part"
mv "$root/results/nodes_simulated.md.part" "$root/results/nodes_simulated.md"
"$program" chart "$runs" >"$root/results/nodes_simulated.svg.part"
mv "$root/results/nodes_simulated.svg.part" "$root/results/nodes_simulated.svg"
