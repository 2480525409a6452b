#!/bin/sh
# Regenerates results/long_row.md: a matrix of which one row holds half of all entries, tuned for one thread and for all,
# both measured side by side with the default variant, the plain loop and MKL. Needs a quiet machine, python3, and about
# five minutes; MKL where tests/peers/mkl/fetch.sh has fetched it.
#
#   tests/bench/long_row.sh [FOLDER FOR THE RAW RESULTS]
#
# Environment: BUDGET of each tune (60s), COMPARE seconds of each comparison (20).
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
budget=${BUDGET:-60s}
seconds=${COMPARE:-20}
raw=${1:-$root/results/local/long_row}
rm -rf "$raw"
mkdir -p "$raw"
python3 - "$raw" <<'MATRICES'
"""500 000 rows of three entries, and one more of half a million times three, in caches and beyond them."""
import sys

for name, rows in (("small", 15_000), ("large", 500_000)):
    columns = 4 * rows
    long = rows // 3
    with open(f"{sys.argv[1]}/{name}.mtx", "w") as out:
        out.write(f"%%MatrixMarket matrix coordinate real general\n{rows} {columns} {6 * rows - 3}\n")
        for row in range(rows):
            if row == long:
                entries = range(0, columns - columns // 4)
            else:
                entries = (row, (row * 7919) % columns, (row + rows) % columns)
                entries = sorted({*entries, (row + 3 * rows) % columns} if len({*entries}) < 3 else entries)[:3]
            out.writelines(f"{row + 1} {column + 1} {1 + (row + column) % 5}\n" for column in entries)
MATRICES
"$root/rooftune" machine --quick --quiet --results "$raw" >/dev/null
{
    printf '# One row with half of all entries\n\n'
    printf 'Regenerate with `tests/bench/long_row.sh`: the row has 3 entries for each of the other rows, which have 3 each.\n'
    printf '`rooftune tune spmv matrix=FILE --budget %s`, with `--threads 1` and on all, then both in interleaved rounds\n' "$budget"
    printf '(`rooftune peers spmv`, %s s).\n\n' "$seconds"
    printf 'Machine: %s\n' "$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)"
} >"$raw/table.md"
for name in small large; do
    file=$raw/$name.mtx
    for threads in 1 all; do
        mkdir -p "$raw/$name.$threads"
        case $threads in 1) set -- --threads 1 ;; *) set -- ;; esac
        "$root/rooftune" tune spmv "matrix=$file" "$@" --budget "$budget" --quiet --json --results "$raw" \
            --out "$raw/$name.$threads" >"$raw/$name.$threads.json"
        # An arm has its file's name.
        mkdir -p "$raw/$name"
        cp "$raw/$name.$threads"/*.json "$raw/$name/$threads.json"
    done
    {
        printf '\n## %s\n\n' "$name"
        "$root/rooftune" peers spmv "matrix=$file" --config "$raw/$name/1.json" --config "$raw/$name/all.json" \
            --seconds "$seconds"
    } >>"$raw/table.md"
done
# The matrices are not kept where the table names them.
sed "s,$raw/,,g" "$raw/table.md" >"$root/results/long_row.md.part"
mv "$root/results/long_row.md.part" "$root/results/long_row.md"
