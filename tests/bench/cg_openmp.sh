#!/bin/bash
# Regenerates results/cg_openmp.md: what a plan's products take in conjugate gradients whose own loops run on OpenMP's
# threads, over what they take in the same program without OpenMP. Needs a quiet machine, the matrices and ten minutes.
#
#   tests/bench/cg_openmp.sh
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${ROOFTUNE_BUILD_DIR:-$root/build}" && pwd)
raw=$root/results/local/cg_openmp
rounds=21
# Sorted, the 6th and the 16th of 21 hold their median between them in 97 % of cases.
low=6 high=16
cmake --build "$build" --target rooftune_program example_cg example_cg_openmp >/dev/null
rm -rf "$raw"
mkdir -p "$raw"
problems=(-)
"$build/rooftune" tune spmv gen=poisson5,nx=200 --budget 45s --quiet --results "$raw" --out "$raw/tuned" >"$raw/tune.txt"
if [[ -n ${ROOFTUNE_DATA:-} ]]; then
    file=$ROOFTUNE_DATA/matrices/bcsstk16.mtx.gz
    problems+=("$file")
    "$build/rooftune" tune spmv "matrix=$file" --budget 45s --quiet --results "$raw" --out "$raw/tuned" >>"$raw/tune.txt"
fi

# product PROGRAM PROBLEM [own]: microseconds of a product in the median of the iterations.
product() {
    local said
    said=$("$build/tests/$1" "$2" "$raw/tuned" ${3:-}) || { echo "cg_openmp.sh: $1 $2 failed: $said" >&2; exit 1; }
    grep -q ': tuned for this problem' <<<"$said" || { echo "cg_openmp.sh: $1 $2 runs no tuned variant: $said" >&2; exit 1; }
    sed -n 's/^a product takes \([0-9.]*\) us.*/\1/p' <<<"$said"
}

# row NAME WORDS PROBLEM WHOSE VARIABLE=VALUE...: the plan on threads of WHOSE, "own" or "OpenMP's threads"; plain,
# OpenMP, OpenMP, plain, so that a drift costs both the same.
row() {
    local name=$1 words=$2 problem=$3 whose=$4 plain openmp own='' round
    shift 4
    [[ $whose = own ]] && own=own
    : >"$raw/$name"
    for ((round = 0; round < rounds; ++round)); do
        plain=$(product example_cg "$problem")
        openmp="$(export "$@"; product example_cg_openmp "$problem" $own) $(export "$@"; product example_cg_openmp "$problem" $own)"
        echo "$plain $(product example_cg "$problem") $openmp" >>"$raw/$name"
    done
    awk '{ print ($1 + $2) / ($3 + $4) }' "$raw/$name" | sort -g >"$raw/$name.ratios"
    printf '| %s | %s | %s | %s | %s | %s |\n' "$words" "$whose" "$*" \
        "$(awk '{ print $1; print $2 }' "$raw/$name" | sort -g | sed -n "${rounds}p")" \
        "$(awk '{ print $3; print $4 }' "$raw/$name" | sort -g | sed -n "${rounds}p")" \
        "$(awk -v low=$low -v high=$high '{ v[NR] = $1 } END { printf "%.3f [%.3f, %.3f]", v[(NR + 1) / 2], v[low], v[high] }' "$raw/$name.ratios")"
}
{
    printf '# A plan between OpenMP'"'"'s regions\n\n'
    printf 'Regenerate with `tests/bench/cg_openmp.sh`. The products of conjugate gradients (`tests/examples/cg.cpp`), tuned for\n'
    printf '45 s, in the program compiled without OpenMP and with it, whose loops then run on OpenMP'"'"'s threads between the products:\n'
    printf 'the median product of each process, in turns of plain, OpenMP, OpenMP, plain. The last column is plain over OpenMP: the\n'
    printf 'median of %s ratios with its 97 %% interval; 1 is what a plain program has, less is lost.\n\n' $rounds
    printf 'Machine: %s, %s processing units.\n\n' "$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)" "$(nproc)"
    printf 'The plan runs on OpenMP'"'"'s threads (`run(executor)`) or on its own (`run()`), for which those of OpenMP that still spin\n'
    printf 'are in the way.\n\n'
    printf '| matrix | the plan is on | environment | plain, µs | OpenMP, µs | plain over OpenMP |\n|---|---|---|---:|---:|---:|\n'
    for problem in "${problems[@]}"; do
        words='5-point Laplacian of 200 × 200'
        [[ $problem = - ]] || words=$(basename "$problem" .mtx.gz)
        row "bound_${problem##*/}" "$words" "$problem" "OpenMP's threads" OMP_PROC_BIND=true
        row "close_${problem##*/}" "$words" "$problem" "OpenMP's threads" OMP_PROC_BIND=close
        row "unbound_${problem##*/}" "$words" "$problem" "OpenMP's threads" OMP_PROC_BIND=false
        row "own_${problem##*/}" "$words" "$problem" own OMP_PROC_BIND=true
        row "passive_${problem##*/}" "$words" "$problem" own OMP_PROC_BIND=true OMP_WAIT_POLICY=passive
    done
} >"$raw/table.md"
mv "$raw/table.md" "$root/results/cg_openmp.md"
