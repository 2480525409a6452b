#!/bin/sh
# Regenerates results/many_problems.md: the problems of a job tuned together and each on its own, both timed, then the
# two winners of each problem in rotation, in several processes. Needs a quiet machine: forty minutes for matmul.
#
#   tests/bench/many.sh [FOLDER FOR THE RAW RESULTS]
#
# Environment, for a quick try: FAMILIES (matmul spmv), MATMUL and SPMV problems separated by blanks, MORE flags of
# every tune, PROCESSES that compare two winners (5), COMPARE seconds of each (0.5), CONTROL=no to leave out the second
# tune of each problem alone, TUNED=yes to compare the winners of the last run once more, OUT the file to write.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${ROOFTUNE_BUILD_DIR:-$root/build}
raw=${1:-$root/results/local/many}
out=${OUT:-$root/results/many_problems.md}
more=${MORE:-}
seconds=${COMPARE:-0.5}
processes=${PROCESSES:-5}
shape() { echo "m=$1,n=$2,k=$3,dtype=f64"; }
# Squares, odd sizes, tall and flat ones: 40.
MATMUL=${MATMUL:-$(for s in 32 48 64 96 128 160 192 256 320 400 33 47 97 127 199 257; do shape $s $s $s; done
    shape 400 32 32 && shape 32 400 32 && shape 32 32 400 && shape 400 400 32 && shape 400 32 400 &&
        shape 32 400 400 && shape 400 33 64 && shape 64 400 33 && shape 48 400 200 && shape 200 48 400 &&
        shape 400 200 48 && shape 37 211 149 && shape 149 37 211 && shape 211 149 37 && shape 61 397 127 &&
        shape 397 61 127 && shape 127 61 397 && shape 320 64 64 && shape 64 320 64 && shape 64 64 320 &&
        shape 100 200 300 && shape 300 100 200 && shape 150 150 40 && shape 250 350 60)}
SPMV=${SPMV:-gen=poisson5,nx=100 gen=poisson5,nx=300 gen=poisson7,nx=24 gen=poisson7,nx=40 gen=poisson27,nx=16 \
    gen=poisson27,nx=28 gen=elasticity3,nx=10 gen=elasticity3,nx=16 gen=banded,n=40000,band=4 \
    gen=banded,n=20000,band=20 gen=rmat,scale=12 gen=rmat,scale=14}
cmake --build "$build" --target rooftune_program >/dev/null
program=$build/rooftune
now() { date +%s.%N; }
since() { awk -v a="$1" -v b="$(now)" 'BEGIN { printf "%.1f", b - a }'; }

# job_file FAMILY PROBLEM...
job_file() {
    family=$1
    shift
    printf '{"schema": "rooftune/job/1", "problems": [\n'
    comma=
    for problem in "$@"; do
        printf '%s  {"family": "%s", "problem": {"%s"}}' "$comma" "$family" \
            "$(printf '%s' "$problem" | sed 's/=/": "/g; s/,/", "/g')"
        comma=',
'
    done
    printf '\n]}\n'
}

# alone FAMILY WAY SEED PROBLEM...: each a run of its own; all share a machine model, as they would on a user's
# machine.
alone() {
    family=$1
    way=$2
    seed=$3
    shift 3
    for problem in "$@"; do
        # shellcheck disable=SC2086
        "$program" tune "$family" "$problem" --quiet --json --seed "$seed" --results "$raw/$family/$way" $more \
            >/dev/null
    done
}

# compared CONFIG OTHER FOLDER: the time of CONFIG's winner in µs and its ratio to that of OTHER, of one process.
compared() {
    "$program" run "$1" --against "$2" --seconds "$seconds" --quiet --json --results "$3/together" >"$3/compared"
    # The ratio is of OTHER over CONFIG: its reciprocal is what this winner costs.
    awk '
        function value(line) { sub(/^[^:]*: */, "", line); sub(/,$/, "", line); return line }
        /"name":/ { arm = value($0); part = "" }
        /"variant": \{/ { part = "variant"; next }
        /"seconds": \{/ { part = "seconds"; next }
        /"ratio": \{/ { part = "ratio"; next }
        /^ *},?$/ { part = "" }
        part == "variant" { sub(/,$/, ""); sub(/^ */, ""); text[arm] = text[arm] $0 }
        part == "seconds" && /"median"/ && arm == "\"tuned\"" { time = value($0) }
        part == "ratio" && arm == "\"other\"" && /"median"/ { median = value($0) }
        END { printf "%.4g %.4f %s\n", 1e6 * time, 1 / median, text["\"tuned\""] == text["\"other\""] ? "same" : "other" }
    ' "$3/compared"
}

# ratios FOLDER WAY: for each problem the time of WAY's winner over that of the winner found alone: a line each in
# FOLDER/ratios-WAY, and what they come to, in words. Where a process happens to lie in memory moves the ratio of two
# variants by more than 1 %, and once by 40 %: so the middle one of several processes, and their range.
ratios() {
    folder=$1
    way=$2
    : >"$folder/ratios-$way"
    for config in "$folder"/alone/tuned/*.json; do
        name=$(basename "$config")
        [ -f "$folder/$way/tuned/$name" ] || continue
        title=$(sed -n 's/^ *"title": "\(.*\)",$/\1/p' "$config" | head -n 1)
        # Through a file: a comparison that fails must end this script, and in a pipe it would not.
        : >"$folder/processes"
        process=0
        while [ "$process" -lt "$processes" ]; do
            compared "$folder/$way/tuned/$name" "$config" "$folder" >>"$folder/processes"
            process=$((process + 1))
        done
        sort -k2,2n "$folder/processes" | awk -v title="$title" '
            { time[NR] = $1; ratio[NR] = $2; kind = $3 }
            END { m = int((NR + 1) / 2)
                printf "%s|%s µs|%.4f|%.4f|%.4f|%s\n", title, time[m], ratio[m], ratio[1], ratio[NR], kind }' \
            >>"$folder/ratios-$way"
    done
    awk -F'|' '{ r[NR] = $3; middle += $3 <= 1.01; within += $4 <= 1.01; same += $6 == "same"; product += log($3) }
        END { n = NR; for (i = 1; i <= n; ++i) for (j = i + 1; j <= n; ++j) if (r[j] < r[i]) { t = r[i]; r[i] = r[j]; r[j] = t }
            printf "median %.3f, geometric mean %.3f, least %.3f, largest %.3f; %d of %d are at most 1 %% slower, %d can be\n", \
                n % 2 ? r[(n + 1) / 2] : (r[n / 2] + r[n / 2 + 1]) / 2, exp(product / n), r[1], r[n], middle, n, within
            printf "(in one process of the %d at least), and %d are the same variant.\n\n", processes, same }' \
        processes="$processes" "$folder/ratios-$way"
}

# tune_all FAMILY PROBLEM...: alone and together, and how long both took into FOLDER/times.
tune_all() {
    family=$1
    shift
    mkdir -p "$folder/together" "$folder/again"
    job_file "$family" "$@" >"$folder/shapes.json"
    "$program" machine --quick --quiet --results "$folder/alone" >/dev/null
    cp -r "$folder/alone/machines" "$folder/together/"
    cp -r "$folder/alone/machines" "$folder/again/"
    # The job in the middle, so that a machine that drifts meets both ways.
    half=$(($# / 2))
    first=$(printf '%s\n' "$@" | head -n "$half")
    last=$(printf '%s\n' "$@" | tail -n +"$((half + 1))")
    start=$(now)
    # shellcheck disable=SC2086
    alone "$family" alone 1 $first
    before=$(since "$start")
    start=$(now)
    # shellcheck disable=SC2086
    "$program" tune --job "$folder/shapes.json" --quiet --results "$folder/together" $more >"$folder/summary.md"
    together=$(since "$start")
    start=$(now)
    # shellcheck disable=SC2086
    alone "$family" alone 1 $last
    apart=$(awk -v a="$before" -v b="$(since "$start")" 'BEGIN { printf "%.1f", a + b }')
    # How far apart are two tunes of one problem? What the job costs cannot be told more finely than that.
    [ "${CONTROL:-yes}" = no ] || alone "$family" again 2 "$@"
    echo "$apart $together" >"$folder/times"
}

# many FAMILY PROBLEM...
many() {
    family=$1
    shift
    folder=$raw/$family
    [ "${TUNED:-no}" = yes ] || tune_all "$family" "$@"
    read -r apart together <"$folder/times"
    printf '\n## %s: %s problems\n\n' "$family" "$#"
    printf '| way | time | share |\n|---|---:|---:|\n'
    printf '| each on its own | %s s | 100 %% |\n' "$apart"
    awk -v t="$together" -v a="$apart" 'BEGIN { printf "| one job | %s s | %.0f %% |\n\n", t, 100 * t / a }'
    sed -n '/^## All winners/,$p' "$folder/summary.md" | sed -n '/^matmul,\|^spmv,/,/^$/p'
    printf 'Time of the winner that the job found over that of the winner found alone, in interleaved rounds:\n'
    ratios "$folder" together
    if [ -d "$folder/again/tuned" ]; then
        printf 'The same for a second tune of each problem alone, with another seed and an empty store: how well such\n'
        printf 'tunes agree with each other. Time of its winner over that of the first:\n'
        ratios "$folder" again
    fi
    printf '| problem | time of the job'"'"'s winner | over the one found alone | variant |\n|---|---:|---:|---|\n'
    sort -t'|' -k3,3nr "$folder/ratios-together" |
        awk -F'|' '{ printf "| %s | %s | %.3f [%.3f, %.3f] | %s |\n", $1, $2, $3, $4, $5, $6 }'
}

[ "${TUNED:-no}" = yes ] || rm -rf "$raw"
mkdir -p "$raw"
{
    printf '# Many problems in one job\n\n'
    printf 'Regenerate with `tests/bench/many.sh`: the problems tuned by one `./rooftune tune --job FILE`, and each by a\n'
    printf '`./rooftune tune` of its own, with an empty store, the same machine model and the same seed%s. Half of the\n' \
        "${more:+ (\`$more\`)}"
    printf 'single tunes run before the job and half after it. Families: %s; two winners are compared in\n' \
        "${FAMILIES:-matmul spmv}"
    printf '%s processes of their own, %s s each: the middle ratio and the range.\n\n' "$processes" "$seconds"
    printf 'Machine: %s\n' "$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)"
    for family in ${FAMILIES:-matmul spmv}; do
        # shellcheck disable=SC2086
        case $family in
        matmul) many matmul $MATMUL ;;
        spmv) many spmv $SPMV ;;
        *) echo "many.sh: '$family' is neither matmul nor spmv" >&2 && exit 2 ;;
        esac
    done
} >"$raw/table.md"
cp "$raw/table.md" "$out"
