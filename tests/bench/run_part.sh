#!/bin/sh
# Regenerates results/run_part.md: what runs on the caller's own threads cost over run(). Two minutes, on a quiet
# machine; needs a compiler with OpenMP.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${ROOFTUNE_BUILD_DIR:-$root/build}
out=${OUT:-$root/results/run_part.md}
cmake --build "$build" --target run_part >/dev/null
{
    printf '# Plans on the threads of the caller\n\n'
    printf 'Regenerate with `tests/bench/run_part.sh`. One plan (its default variant) on the same data, run three ways:\n'
    printf 'run() on its own threads; run_part() on all threads of one OpenMP region, run after run; run(executor) with\n'
    printf 'an OpenMP loop for each call of the executor. Batches of 20 ms take turns, there and back; the medians of\n'
    printf 'the ratios of 40 rounds, with their 95 %% intervals, and what that is a run.\n\n'
    printf 'Machine: %s\n\n' "$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)"
    "$build/tests/run_part"
} >"$out.new"
mv "$out.new" "$out"
