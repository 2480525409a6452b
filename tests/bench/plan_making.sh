#!/bin/sh
# Regenerates results/plan_making.md: what making a sparse plan takes where a config exists. Two minutes, on a quiet
# machine. Needs ROOFTUNE_DATA.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${ROOFTUNE_BUILD_DIR:-$root/build}
out=${OUT:-$root/results/plan_making.md}
cmake --build "$build" --target plan_making >/dev/null
{
    printf '# What making a sparse plan takes\n\n'
    printf 'Regenerate with `tests/bench/plan_making.sh`. From a program'"'"'s arrays, where a config for the matrix exists (made\n'
    printf 'up here, so that each format has its turn), in runs of plain CSR on as many threads: `view` checks the arrays,\n'
    printf '`plan` chooses and converts, and `both` is what a program waits for; with `copy` in place of `view` where its\n'
    printf 'arrays go before the plan is made. `new values`: update_values(). `first transposed`: the run that makes the plan\n'
    printf 'of the transposed, which has no config. The least of 7 (of 35 for the run); the first transposed once.\n\n'
    printf 'Machine: %s\n\n' "$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)"
    "$build/tests/plan_making" "$ROOFTUNE_DATA/matrices/ship_001_mesh.mtx.gz"
} >"$out.new"
mv "$out.new" "$out"
