#!/bin/sh
# Regenerates results/peers_stencil.md: each problem is tuned, then the tuned variant is measured beside
# a plain OpenMP loop in interleaved rounds. Needs a quiet machine and 8 GB; about ten minutes.
#
#   tests/bench/peers_stencil.sh [FOLDER FOR THE RAW RESULTS]
#
# Environment, for a quick try: BUDGET of each tune (60s), COMPARE seconds of each comparison (20),
# PROBLEMS separated by blanks, OUT the file to write.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
cube() { echo "points=$1,nx=$2,ny=$2,nz=$2,dtype=$3"; }
PROBLEMS=${PROBLEMS:-$(cube 7 384 f64) $(cube 7 384 f32) $(cube 27 256 f64) $(cube 7 256 f64),steps=8}
peer=stencil
title='Stencils beside a plain OpenMP loop'
arms='`plain` is three nested loops compiled with -O3 -fopenmp, `plain-native` the same with -march=native;
for several steps they sweep that often. B/s counts one read and one write a point and step, which fused
steps undercut.'
. "$root/tests/bench/peers_table.sh"
