#!/bin/sh
# Regenerates results/traffic_cachegrind.md: misses of the textbook loops as valgrind's cachegrind counts them, beside the
# cache that the tests simulate and the families' estimates. Counts, no timings: it may run on a busy machine.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${ROOFTUNE_BUILD_DIR:-$root/build}
command -v valgrind >/dev/null || { echo "cachegrind.sh: valgrind is not installed" >&2; exit 3; }
cmake --build "$build" --target traffic_check >/dev/null
program=$build/tests/traffic_check
first=32768,8
last=262144,16
# misses REPETITIONS FAMILY PROBLEM: data misses of the first and of the last cache
misses() {
    valgrind --tool=cachegrind --cache-sim=yes --I1=32768,8,64 --D1=$first,64 --LL=$last,64 \
        --cachegrind-out-file=/dev/null "$program" run "$2" "$3" "$1" 2>&1 |
        sed -n 's/.*\(D1\|LLd\) *misses: *\([0-9,]*\).*/\2/p' | tr -d ,
}
row() {
    once=$(misses 1 "$1" "$2")
    more=$(misses 4 "$1" "$2")
    model=$("$program" model "$1" "$2" $first $last)
    for line in 1 2; do
        a=$(echo "$once" | sed -n ${line}p)
        b=$(echo "$more" | sed -n ${line}p)
        echo "$model" | sed -n ${line}p | awk -v a="$a" -v b="$b" -v family="$1" -v problem="$2" -v level=$line '{
            seen = (b - a) / 3 * 64
            printf "| %s %s | %s | %.3f | %.3f | %s | %.3f | %s |\n", family, problem, \
                level == 1 ? "32 KiB" : "256 KiB", seen / 1e6, $1 / 1e6, ratio($1), $3 / 1e6, ratio($3) }
            function ratio(x) { return seen > 0 ? sprintf("%.2f", x / seen) : "" }'
    done
}
{
    printf '# Traffic of the textbook loops: cachegrind, our simulated caches, and the estimate\n\n'
    printf 'Regenerate with `tests/bench/cachegrind.sh` (%s, first cache %s ways, last cache %s ways, lines of 64).\n' \
        "$(valgrind --version)" "$first" "$last"
    printf 'MB that come in during one repetition after the first: misses x 64, of loads and stores. "simulated" is the\n'
    printf 'LRU cache of the tests on the addresses of the same loop; "estimate" is what the family says without any\n'
    printf 'addresses (`traffic_parts`, less what is written back). Ratios are to cachegrind. The\n'
    printf 'second row lies at a layer condition: four planes of 96 x 96 are 326 kB, and placement decides what stays.\n\n'
    printf '| loop | beyond | cachegrind | simulated | ratio | estimate | ratio |\n|---|---|---:|---:|---:|---:|---:|\n'
    row stencil points=7,nx=96,ny=96,nz=24,dtype=f64
    row stencil points=7,nx=200,ny=200,nz=8,dtype=f64
    row stencil points=27,nx=510,ny=16,nz=8,dtype=f64
    row stencil points=27,nx=500,ny=16,nz=8,dtype=f64
    row matmul m=96,n=96,k=96,dtype=f64
    row matmul m=160,n=300,k=200,dtype=f64
    row spmv gen=poisson27,nx=16
    row spmv gen=rmat,scale=13,edge_factor=8
} >"$root/results/traffic_cachegrind.md.tmp"
mv "$root/results/traffic_cachegrind.md.tmp" "$root/results/traffic_cachegrind.md"
