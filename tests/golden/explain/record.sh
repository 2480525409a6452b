#!/bin/sh
# Records the three results that tests/golden/explain_test.cpp explains, on a quiet machine:
#   tests/golden/explain/record.sh [PROGRAM [BUDGET]]        (default: build/rooftune 30s)
# then ROOFTUNE_REGENERATE_GOLDEN=1 with the test "real results are explained as they were approved", and
# read the texts. Machine and paths are made generic, and plots are left out.
set -eu
program=${1:-build/rooftune}
budget=${2:-30s}
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$program" machine --quick --results "$work" >/dev/null

record() {
    name=$1
    shift
    "$program" tune "$@" --budget "$budget" --results "$work" --json >"$work/result.json"
    sed -e '/^    "points": \[$/,/^    \]/c\    "points": [],' \
        -e '/^    "ceilings": \[$/,/^    \]/c\    "ceilings": []' \
        -e '/^  "machine": {/,/^  }/s/"id": ".*"/"id": "example"/' \
        -e '/^  "machine": {/,/^  }/s/"name": ".*"/"name": "Example CPU, 2 cores"/' \
        -e '/^  "files": {/,/^  }/s/": ".*\/\([^/]*\)"/": "\/results\/\1"/' \
        "$work/result.json" >"$here/$name.json"
}

record compute_bound matmul m=1024,n=1024,k=1024,dtype=f64
record dram_bound spmv gen=elasticity3,nx=40,dtype=f64 --state cold
record cache_bound spmv gen=elasticity3,nx=16,dtype=f64
