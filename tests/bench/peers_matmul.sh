#!/bin/sh
# Regenerates results/peers_matmul.md: each problem is tuned, then the tuned variant is measured beside
# MKL and OpenBLAS in interleaved rounds. Needs a quiet machine and python3; about a quarter of an hour. MKL where
# tests/peers/mkl/fetch.sh has fetched it.
#
#   tests/bench/peers_matmul.sh [FOLDER FOR THE RAW RESULTS]
#
# Environment, for a quick try: BUDGET of each tune (60s), COMPARE seconds of each comparison (20),
# PROBLEMS separated by blanks, OUT the file to write.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
square() { echo "m=$1,n=$1,k=$1,dtype=$2"; }
PROBLEMS=${PROBLEMS:-$(square 1024 f64) $(square 64 f64) $(square 128 f64) $(square 256 f64) $(square 512 f64) \
    $(square 2048 f64) $(square 1024 f32) m=1000,n=30,k=3000,dtype=f64}
peer=matmul
title='Matrix products beside MKL and OpenBLAS'
arms='`mkl` and `openblas` are the libraries as they choose, `openblas-avx512` is the latter with
OPENBLAS_CORETYPE=SkylakeX.'
. "$root/tests/bench/peers_table.sh"
