#!/bin/bash
# Regenerates results/reading.md: how fast Matrix Market files are read, on one processor and on all, and beside
# fast_matrix_market (the reader behind SciPy's, from PyPI, in a folder of this benchmark's own).
#
#   tests/bench/reading.sh [N]     the 27-point matrix of N^3 points (110: 1.3 GB of text), about five minutes
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${ROOFTUNE_BUILD_DIR:-$root/build}" && pwd)
raw=$root/results/local/reading
n=${1:-110}
cmake --build "$build" --target reading >/dev/null
mkdir -p "$raw"
python=$raw/venv/bin/python
[ -x "$python" ] || python3 -m venv "$raw/venv"
"$raw/venv/bin/pip" install --quiet numpy scipy fast_matrix_market==1.7.6
file=$raw/poisson27_$n.mtx
[ -f "$file" ] || "$build/tests/reading" --make "$file" "$n"
[ -f "$file.gz" ] || gzip -1 -k "$file"
peer() {
    # The same: text to compressed rows.
    $1 "$python" - "$2" <<'PEER'
import os, resource, sys, time
import fast_matrix_market as fmm
path = sys.argv[1]
least = 1e9
for i in range(3):
    start = time.monotonic()
    matrix = fmm.mmread(path, parallelism=len(os.sched_getaffinity(0))).tocsr()
    least = min(least, time.monotonic() - start)
kept = 12 * matrix.nnz + 8 * (matrix.shape[0] + 1)
most = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
size = os.path.getsize(path)
print('| %s | %d | %.0f | %.2f | %.0f | %.0f | %.2f |' % ('fast_matrix_market ' + fmm.__version__ + ', ' +
      os.path.basename(path), len(os.sched_getaffinity(0)), size / 1e6, least, size / 1e6 / least, kept / 1e6, most / kept))
PEER
}
{
    printf '# Reading Matrix Market files\n\nRegenerate with `tests/bench/reading.sh %s`. Text to compressed rows, the best of three, files in the page cache;\n' "$n"
    printf 'memory is the most that the process had, over that of the compressed rows (12 bytes an entry, 8 a row).\n\n'
    printf 'Machine: %s\n\n' "$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)"
    printf '| file | processors | MB | seconds | MB/s | compressed rows, MB | memory over that |\n|---|---:|---:|---:|---:|---:|---:|\n'
    for path in "$file" "$file.gz"; do
        taskset -c 0 "$build/tests/reading" "$path"
        "$build/tests/reading" "$path"
    done
    peer 'taskset -c 0' "$file"
    peer '' "$file"
} >"$root/results/reading.md.part"
mv "$root/results/reading.md.part" "$root/results/reading.md"
