#!/bin/sh
# Regenerates results/resume.md: a tune of the fault-injecting family (crash, hang, wrong answer and
# more) is killed ten times and resumed; its winner is then measured, interleaved, against the winner of
# a run that nobody disturbed. That nothing is lost and nothing is measured twice is a test (tests/e2e).
set -eu
export COLUMNS=10000  # tables in Markdown have whole rows
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${ROOFTUNE_BUILD_DIR:-$root/build}
raw=${1:-$root/results/local/resume}
cmake --build "$build" --target rooftune_faulty >/dev/null
program=$build/tests/rooftune_faulty
rm -rf "$raw"
mkdir -p "$raw/whole"
job='tune fault n=200000 --budget 120 --audit 10 --quiet'
count() { "$program" results export --csv --results "$raw/killed" 2>/dev/null | tail -n +2 | wc -l; }
config() { ls "$raw/$1"/tuned/*.json; }
{
    printf '# Killed ten times\n\nRegenerate with `tests/bench/resume.sh`: `%s`, where variants crash, hang,\n' "$job"
    printf 'answer wrongly and fail in other ways, killed with SIGKILL ten times, then left to end.\n\n'
    printf '| kill | after | samples in the store before | and then |\n|---:|---:|---:|---:|\n'
    "$program" machine --quick --quiet --results "$raw/killed" >/dev/null
    cp -r "$raw/killed/machines" "$raw/whole/"
    before=0
    for i in 1 2 3 4 5 6 7 8 9 10; do
        delay=$(awk "BEGIN { print 2.6 + 0.3 * $i }")
        timeout -s KILL "$delay" "$program" $job --results "$raw/killed" >/dev/null 2>&1 || true
        after=$(count)
        printf '| %s | %s s | %s | %s |\n' "$i" "$delay" "$before" "$after"
        before=$after
    done
    printf '\nThe eleventh run, to its end:\n\n'
    "$program" $job -v --results "$raw/killed" | sed -n '/^Space:/,/^$/p'
    "$program" $job --results "$raw/whole" >/dev/null
    printf 'Winner of the resumed run (tuned) against the winner of an undisturbed one (other), interleaved:\n\n'
    "$program" run "$(config killed)" --against "$(config whole)" --quiet --seconds 10 --results "$raw/killed" | sed -n '/^|/p'
} >"$root/results/resume.md"
