#!/bin/sh
# Regenerates results/bounds.md: how fast spaces are counted and bounded, and a search of 5e9 variants. Needs
# libbenchmark-dev, a quiet machine for half a minute, and a machine file.
#
#   tests/bench/bounds.sh [MACHINE.json] (default: the newest below results/local/machines)
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${ROOFTUNE_BUILD_DIR:-$root/build}
machine=${1:-$(ls -t "$root"/results/local/machines/*.json 2>/dev/null | head -n 1)}
[ -n "$machine" ] || { echo "bounds.sh: no machine file; run ./rooftune machine, or name one" >&2; exit 3; }
cmake -DROOFTUNE_BENCH=ON "$build" >/dev/null
cmake --build "$build" --target bounds >/dev/null
load() { cut -d ' ' -f 1 /proc/loadavg; }
{
    printf '# How fast bounds are\n\n'
    printf 'Regenerate with `tests/bench/bounds.sh`. One core of %s; load when it began: %s.\n\n' \
        "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$(load)"
    printf 'Ceilings: %s.\n' "$(basename "$machine" .json)"
    printf 'Variants: a uniform sample of 16 384. "Each worked out" is work model and bound of every variant; a search asks\n'
    printf 'through the classes of equal work, and works out each once ("from nothing": all classes of the sample are new).\n'
    printf 'The aim is 10 million a second.\n\n'
    "$build/tests/bounds" rates "$machine"
    printf '\n## A space of 5e9 variants\n\n'
    printf 'A made-up space with a condition, two constraints and a known best variant (`tests/support/wide_space.h`), searched\n'
    printf 'from the first values of everything, with 60 audited variants; times come from a formula. The aim is 1 s and\n'
    printf '100 MB.\n\n'
    "$build/tests/bounds" wide
} >"$root/results/bounds.md.part"
mv "$root/results/bounds.md.part" "$root/results/bounds.md"
