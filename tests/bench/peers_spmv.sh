#!/bin/sh
# Regenerates results/peers_spmv.md: each matrix is tuned, then the tuned variant is measured beside Intel's MKL, Eigen,
# librsb and the plain loop in interleaved rounds. Needs a quiet machine, $ROOFTUNE_DATA, python3, and about a quarter of
# an hour; MKL where tests/peers/mkl/fetch.sh has fetched it.
#
#   tests/bench/peers_spmv.sh [FOLDER FOR THE RAW RESULTS]
#
# Environment, for a quick try: BUDGET of each tune (30s), COMPARE seconds of each comparison (15),
# PROBLEMS separated by blanks, OUT the file to write.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
: "${ROOFTUNE_DATA:?set ROOFTUNE_DATA to the folder that holds matrices/}"
case $ROOFTUNE_DATA in
*[\ ,]*)
    echo "peers_spmv.sh: $ROOFTUNE_DATA has a space or a comma in its name, which divide problems and keys; link it elsewhere" >&2
    exit 2
    ;;
esac
file() { echo "matrix=$ROOFTUNE_DATA/matrices/$1.mtx.gz"; }
PROBLEMS=${PROBLEMS:-$(file ship_001_mesh) $(file ibm10) $(file BOYD1_A) $(file CONT-300_A) $(file wing) \
    $(file rajat01) $(file memplus) $(file bcsstk16) $(file well1850) gen=poisson27,nx=80 gen=poisson27,nx=110 \
    gen=poisson27,nx=110,dtype=f32}
BUDGET=${BUDGET:-30s}
COMPARE=${COMPARE:-15}
peer=spmv
title='Sparse products beside the libraries'
arms='`csr` is the loop that most programs have, rows shared out by OpenMP, compiled with -O3 -march=native; `mkl` is
the inspector and executor, told of 100 000 calls; `librsb` is tuned by its own function. B/s counts what compressed rows
with 32-bit columns move once, which shorter formats undercut.'
. "$root/tests/bench/peers_table.sh"
