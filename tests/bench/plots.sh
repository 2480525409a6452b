#!/bin/sh
# Regenerates results/plots: a published machine with its precisions, and this machine with tunes of three
# families on it. Usage: tests/bench/plots.sh [PROGRAM] (default: build/rooftune)
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
program=${1:-$root/build/rooftune}
out=$root/results/plots
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"

"$program" plot --machine h100-sxm --out "$out/h100-sxm.svg"

tune() {
    name=$1
    shift
    "$program" tune "$@" --budget 20s --json --quiet --results "$work/results" >"$work/$name.json"
}
tune spmv spmv gen=poisson27,nx=60,dtype=f64
tune stencil stencil points=7,nx=192,ny=192,nz=192,dtype=f64,steps=1
tune matmul matmul m=512,n=512,k=512,dtype=f64
"$program" plot "$work/spmv.json" "$work/stencil.json" "$work/matmul.json" --results "$work/results" \
    --out "$out/tunes.svg"
