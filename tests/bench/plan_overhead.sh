#!/bin/sh
# Regenerates results/plan_overhead.md: what a plan's call costs over the kernel behind it. Four minutes, on a quiet
# machine.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${ROOFTUNE_BUILD_DIR:-$root/build}
out=${OUT:-$root/results/plan_overhead.md}
cmake --build "$build" --target plan_overhead >/dev/null
{
    printf '# What a plan costs\n\n'
    printf 'Regenerate with `tests/bench/plan_overhead.sh`. A plan'"'"'s call over the kernel behind it, on the same data,\n'
    printf 'variant (the default one) and threads: batches of 200 runs in the order raw, plan, plan, raw; 48 times over,\n'
    printf 'each in a process of its own, because where stack, heap and arrays lie moves a small kernel by per cents: the\n'
    printf 'median over these of the median ratio of 20 rounds, with its 95 %% interval. Stencils go on from their own\n'
    printf 'answers.\n\n'
    printf 'Machine: %s\n\n' "$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)"
    "$build/tests/plan_overhead"
} >"$out.new"
mv "$out.new" "$out"
