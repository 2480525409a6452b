#!/bin/sh
# Regenerates results/compare.md: how often `rooftune compare` is right on this machine. The arms are programs of about
# 0.1 s, a loop in a program of its own (compare_arm.cpp): against itself, with 10 % more iterations, and with twice the
# threshold more. Needs a quiet machine, and up to an hour: a comparison takes from 4 s (10 rounds) to 20 s (40 rounds,
# ten of them taken again).
#
#   tests/bench/compare.sh [FOLDER FOR THE RAW RESULTS]
#
# Environment, for a quick try: SAME (100), LARGER (20) and TWICE (20) comparisons, OUT the file to write.
set -eu
export COLUMNS=10000  # tables in Markdown have whole rows
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${ROOFTUNE_BUILD_DIR:-$root/build}
raw=${1:-$root/results/local/compare}
out=${OUT:-$root/results/compare.md}
same=${SAME:-100}
larger=${LARGER:-20}
twice=${TWICE:-20}
delta=0.03
cmake --build "$build" --target rooftune_program compare_arm >/dev/null
program=$build/rooftune
arm=$build/tests/compare_arm
rm -rf "$raw"
mkdir -p "$raw"
# So many iterations that the arm takes about 0.1 s here.
base=$("$arm" calibrate 0.1)
now() { date +%s.%N; }

# more SHARE: iterations of the arm with so much more work.
more() { awk -v n="$base" -v s="$1" 'BEGIN { printf "%.0f", n * (1 + s) }'; }

# repeat NAME COUNT ITERATIONS: one JSON document a comparison.
repeat() {
    i=1
    while [ "$i" -le "$2" ]; do
        status=0
        "$program" compare --command-a "$arm $base" --command-b "$arm $3" --delta "$delta" --seed "$i" --json --quiet \
            --results "$raw" >"$raw/$1-$i.json" || status=$?
        # REGRESSED and INVALID are answers here.
        case $status in 0 | 1 | 3) ;; *) exit "$status" ;; esac
        i=$((i + 1))
    done
}

# verdicts NAME VERDICT: how many.
verdicts() { cat "$raw/$1"-*.json 2>/dev/null | grep -c "\"verdict\": \"$2\"" || true; }

# rounds NAME: rounds and dropped rounds, on average.
rounds() {
    cat "$raw/$1"-*.json 2>/dev/null | awk -F: '/"rounds"/ { n += $2; k += 1 } /"dropped_rounds"/ { d += $2 }
        END { if (k > 0) printf "%.1f + %.1f", n / k, d / k; else printf "none" }'
}

# noise NAME: the largest that A differed from itself by, in per cent.
noise() {
    cat "$raw/$1"-*.json 2>/dev/null | awk -F: '/"a_vs_a"/ && $2 + 0 > most { most = $2 + 0 }
        END { printf "%.2f %%", 100 * most }'
}

row() {
    printf '| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n' "$1" "$3" "$(verdicts "$2" REGRESSED)" \
        "$(verdicts "$2" IMPROVED)" "$(verdicts "$2" UNCHANGED)" "$(verdicts "$2" INCONCLUSIVE)" \
        "$(verdicts "$2" INVALID)" "$(rounds "$2")" "$(noise "$2")" "$4"
}

start=$(now)
repeat same "$same" "$base"
at_same=$(now)
repeat larger "$larger" "$(more 0.10)"
at_larger=$(now)
repeat twice "$twice" "$(more 0.06)"
end=$(now)
took() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.0f s", b - a }'; }
{
    printf '# Comparisons whose answer is known\n\nRegenerate with `tests/bench/compare.sh`: `rooftune compare` on '
    printf 'programs of about 0.1 s, timed whole, with a\nthreshold of 3 %%. B runs as many iterations as A, 10 %% '
    printf 'more, or 6 %% more (twice the threshold). Rounds are those\nthat were judged + those that were disturbed '
    printf 'and taken again, on average; A against A is the largest difference.\n\n'
    printf '| B | comparisons | REGRESSED | IMPROVED | UNCHANGED | INCONCLUSIVE | INVALID | rounds | A against A | time |\n'
    printf '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n'
    row 'the same' same "$same" "$(took "$start" "$at_same")"
    row '10 % more' larger "$larger" "$(took "$at_same" "$at_larger")"
    row '6 % more' twice "$twice" "$(took "$at_larger" "$end")"
    printf '\nIn all %s. ' "$(took "$start" "$end")"
    printf 'With the same decision code 100 000 synthetic comparisons reproduce its nominal error rate: '
    printf '`tests/unit/track`.\n'
} >"$out"
