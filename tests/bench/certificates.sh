#!/bin/sh
# Regenerates results/certificates.md: certificates of two cut spaces against exhaustive measurement,
# one matrix that caches hold and one that they do not. Takes about ten minutes of a quiet machine.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${ROOFTUNE_BUILD_DIR:-$root/build}
cmake --build "$build" --target certificate_check >/dev/null
{
    printf '# Certificates against the truth\n\n'
    printf 'Regenerate with `tests/bench/certificates.sh`. Ceilings are frozen after the probes and enter without a margin\n'
    printf 'where bounds are compared with times; every variant of the cut space is measured in full, in random order.\n\n'
    "$build/tests/certificate_check" spmv --budget 120 gen=elasticity3,nx=10 --only 'prefetch=0' --only 'streams=1|4' \
        --only 'chunk=4|8|16|32' --only 'sigma=1' --only 'block=2x2|3x3|6x3'
    "$build/tests/certificate_check" spmv --budget 120 gen=poisson27,nx=80 --only 'prefetch=0' --only 'streams=1|4' \
        --only 'chunk=4|8|16|32|64' --only 'sigma=1' --only 'block=2x1|2x2|3x1|3x3'
} >"$root/results/certificates.md"
