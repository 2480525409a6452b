#!/bin/bash
# Regenerates results/own.md: the kernels of tests/examples/kernels, as a user has them, each measured whole and tuned. What
# declared work excludes is held against the times of all variants, and both winners run side by side.
#
#   tests/bench/own.sh [NAME…]     20 to 30 minutes for all on two cores; a NAME is KERNEL[:KEY=VALUE…], and then the
#                                  others' rows stay as they were last measured here
#
# BUDGET (30s) is that of a tune; LARGE_BUDGET (60s) that of five_point.cpp as it stands, whose arrays lie beyond the
# caches: to fill and to compare them takes most of half a second a variant.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${ROOFTUNE_BUILD_DIR:-$root/build}" && pwd)
raw=$root/results/local/own
budget=${BUDGET:-30s} large_budget=${LARGE_BUDGET:-60s}
cmake --build "$build" --target rooftune_program own_check >/dev/null
all=(axpy.c five_point.cpp five_point.cpp:nx=2048:ny=2048 blocked_matmul.cpp
    "csr_product.cpp:A=${ROOFTUNE_DATA:-}/matrices/memplus.mtx.gz" n_body.cpp reduction.cpp transpose.c flags_alone.cpp
    convolution.cl sum.cl transpose.rooftune:n=2000)
(($#)) || { : "${ROOFTUNE_DATA:?}" && set -- "${all[@]}" && rm -rf "$raw"; }
# What an export names, it names without folders.
mkdir -p "$raw/rows" "$raw/sources"
cp "$root"/tests/examples/kernels/* "$raw/sources"
# A program is built where its description lies.
rm -rf "$raw/program"
cp -r "$root/tests/examples/programs/transpose" "$raw/program"
cp "$raw/program/transpose.rooftune" "$raw/sources"
rooftune=$build/rooftune
# One bad minute at the beginning would empty the columns of bounds: probed again while a peak was never undisturbed.
known=
for _ in 1 2 3 4 5 6; do
    "$rooftune" machine --quick --quiet --results "$raw/all" >/dev/null
    ! python3 "$root/tests/bench/peaks_known.py" "$raw"/all/machines/*.json 2>/dev/null || { known=1; break; }
done
[ "$known" ] || echo 'own.sh: some peak was never probed undisturbed: columns of bounds may be empty' >&2
mkdir -p "$raw/tuned"
held=0
named() { printf '%s' "$1" | sed 's,[^:=]*/,,g' | tr -c 'A-Za-z0-9._=' _; }
for wanted in "$@"; do
    IFS=: read -r -a words <<<"$wanted"
    kernel=$root/tests/examples/kernels/${words[0]}
    [[ ${words[0]} != *.rooftune ]] || kernel=$raw/program/${words[0]}
    for word in "${words[@]:1}"; do
        [ ! -f "${word#*=}" ] || cp "${word#*=}" "$raw/sources"
    done
    [ -d "$raw/tuned/machines" ] || cp -r "$raw/all/machines" "$raw/tuned"
    name=$raw/$(named "$wanted")
    # A config that an earlier run of this benchmark left would stay where the new winner is no faster.
    rm -rf "$raw/all/tuned" "$raw/tuned/tuned"
    "$rooftune" tune "$kernel" "${words[@]:1}" --fresh --exhaustive --audit 0 --results "$raw/all" --json >"$name.all.json"
    "$rooftune" export --format rooftune --with-machine --results "$raw/all" --output "$name.export.json"
    of_this=$budget
    [ "$wanted" != five_point.cpp ] || of_this=$large_budget
    "$rooftune" tune "$kernel" "${words[@]:1}" --fresh --budget "$of_this" --results "$raw/tuned" --json >"$name.tuned.json"
    config() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["files"]["config"])' "$name.$1.json"; }
    # Status 1 is a verdict, and so is 3.
    "$rooftune" compare "$(config all)" "$(config tuned)" --results "$raw/all" --json >"$name.compare.json" || (($? != 2))
    python3 "$root/tests/bench/own.py" "$build/tests/own_check" "$name" "$raw/sources" >"$raw/rows/$(named "$wanted")" || held=1
done
{
    printf '# Kernels of users: excluded by declared work, and found\n\n'
    printf 'Regenerate with `tests/bench/own.sh`. Each kernel of `tests/examples/kernels`\n'
    printf 'is measured whole (`--exhaustive`) and tuned; *excluded* are variants whose proven bound, under the highest rates that the\n'
    printf 'machine file has, is above the winner of all; *faster* are those of them that took less than the winner, *beaten* those\n'
    printf 'that were faster than their own bound. The ratio is the time of what the tune found over that of the winner of all, side\n'
    printf 'by side in fresh processes (`rooftune compare`), with its interval; *in rotation* is the same ratio in the rounds in which\n'
    printf 'the exhaustive tune measured all variants one after the other: the median of the ratios of the rounds. They had a say in\n'
    printf 'who won, which favours the winner of all.\n\n'
    printf 'Machine: %s\n\n' "$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)"
    printf '| kernel | variants | failed | excluded | faster | beaten | largest bound over time | winner: of its bound | the tune: measured, excluded, set aside | tuned over all | in rotation |\n'
    printf '|---|---:|---:|---:|---:|---:|---:|---:|---|---|---|\n'
    for wanted in "${all[@]}"; do
        [ ! -f "$raw/rows/$(named "$wanted")" ] || cat "$raw/rows/$(named "$wanted")"
    done
    for wanted in "$@"; do
        [[ " ${all[*]} " == *" $wanted "* ]] || cat "$raw/rows/$(named "$wanted")"
    done
} >"$root/results/own.md.part"
mv "$root/results/own.md.part" "$root/results/own.md"
exit "$held"
