#!/bin/bash
# Regenerates results/python_cg.md: products and conjugate gradients over scipy's CSR arrays, by scipy and by a plan that the
# example tests/examples/cg.py makes, on real matrices. Needs a quiet machine, the matrices, numpy and scipy
# (packages python3-numpy, python3-scipy), and ten minutes.
#
#   tests/bench/python_cg.sh [MATRIX...]     names of files in $ROOFTUNE_DATA/matrices, without .mtx.gz
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${ROOFTUNE_BUILD_DIR:-$root/build}" && pwd)
: "${ROOFTUNE_DATA:?set ROOFTUNE_DATA to the folder that holds matrices/}"
raw=$root/results/local/python_cg
(($#)) || set -- bcsstk16 1138_bus memplus ship_001_mesh wing CONT-300_A
python=
for candidate in python3 /usr/bin/python3; do
    if [[ -z $python ]] && "$candidate" -c 'import numpy, scipy.sparse' 2>/dev/null; then python=$candidate; fi
done
[[ -n $python ]] || {
    echo 'python_cg.sh: no python3 has numpy and scipy: apt-get install python3-numpy python3-scipy' >&2
    exit 3
}
cmake --build "$build" --target rooftune_program rooftune_shared >/dev/null
rm -rf "$raw"
mkdir -p "$raw"
files=()
for name; do
    file=$ROOFTUNE_DATA/matrices/$name.mtx.gz
    "$build/rooftune" tune spmv "matrix=$file" --budget 45s --quiet --results "$raw" --out "$raw/tuned" >"$raw/$name.txt"
    files+=("$file")
done
export ROOFTUNE_LIBRARY=$build/librooftune.so PYTHONDONTWRITEBYTECODE=1
{
    printf '# Products and conjugate gradients in Python\n\n'
    printf 'Regenerate with `tests/bench/python_cg.sh`. The same CSR arrays of scipy'"'"'s, by scipy and by a plan through ctypes\n'
    printf '(`tests/examples/cg.py`), tuned for 45 s each: in turns of scipy, plan, plan, scipy; 15 processes, of each the median of\n'
    printf '7 rounds; the median of these and their 96 %% interval. A product by a plan goes into an array that is there, scipy'"'"'s\n'
    printf 'makes a new one; scipy'"'"'s uses one thread, the plan those that are in its words.\n\n'
    printf 'Machine: %s, %s processing units. %s\n\n' "$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)" "$(nproc)" \
        "$("$python" -c 'import platform, numpy, scipy; print(f"Python {platform.python_version()}, numpy {numpy.__version__}, scipy {scipy.__version__}.")')"
    "$python" "$root/tests/bench/python_cg.py" "$raw/tuned" "${files[@]}"
} >"$raw/table.md"
mv "$raw/table.md" "$root/results/python_cg.md"
