#!/bin/sh
# One night of a job: tunes it, asks whether the baseline is still valid and whether the new winners lost against
# it, appends to the history, writes pages for people, and fails when something regressed. For cron or any CI.
#
# usage: nightly.sh JOB STATE
#   JOB    a job file (configs/schema/job.schema.json)
#   STATE  a folder that is kept from night to night:
#            baseline/   tuned configs to hold on to, one a problem; a problem's first night makes its own, an improvement
#                        replaces it
#            results/    the store (a later night resumes), the measured machine, the noise and the history
#            tonight/    what the last night found: tuned/ (configs), verify.txt, compare.md, history.md, report.html
#
# Environment: ROOFTUNE     the program (default: rooftune)
#              REVISION     what is tuned tonight, for the history (default: HEAD of the current folder)
#              TUNE_FLAGS   more flags for `rooftune tune`, like "--budget 30s"
#              VERIFY_FLAGS, COMPARE_FLAGS   the same for these: "--quick" measures nothing, "--delta 0.05" on a noisy machine
#              ACCEPT=1     tonight's winners become the baseline, whatever the comparison says
#              STRICT=1     a night that could not tell (INCONCLUSIVE) fails as well
#
# Exit status: the worst of its parts. 0 nothing lost. 1 REGRESSED, or the baseline is no longer valid. 2 bad usage or
# input. 3 it could not be measured (a noisy or another machine): look at it, but do not blame the change.
set -u

if [ $# -ne 2 ]; then
    echo "usage: nightly.sh JOB STATE" >&2
    exit 2
fi
job=$1
state=$2
program=${ROOFTUNE:-rooftune}
revision=${REVISION:-}
strict=
[ "${STRICT:-0}" = 1 ] && strict=--strict

mkdir -p "$state/results" || exit 3
# Whole and without a trailing slash, as `verify` and `compare` both write it: their words are compared below.
state=$(CDPATH='' cd -- "$state" && pwd) || exit 3
results=$state/results
tonight=$state/tonight
baseline=$state/baseline
# A night that was killed between the two steps that change the baseline has left it under its other name.
[ ! -d "$baseline" ] && [ -d "$baseline.old" ] && { mv "$baseline.old" "$baseline" || exit 3; }
rm -rf "$baseline.old" "$baseline.new" "$tonight"
mkdir -p "$tonight" || exit 3

worst=0
# part WHAT STATUS: 1 outweighs 3, because a loss that was seen is one, whatever else could not be measured.
part() {
    printf '%s: status %s\n' "$1" "$2"
    case "$2:$worst" in
    0:*) ;;
    1:*) worst=1 ;;
    *:0) worst=$2 ;;
    esac
}

# Without winners there is nothing to compare; what was measured is in the store, and the next night resumes.
# The flags are split at blanks on purpose, here and below.
# shellcheck disable=SC2086
"$program" tune --job "$job" --results "$results" --out "$tonight/tuned" --quiet ${TUNE_FLAGS:-} || exit $?

have_baseline=false
[ -d "$baseline" ] && [ -n "$(ls -A "$baseline")" ] && have_baseline=true

if $have_baseline; then
    # shellcheck disable=SC2086
    "$program" verify "$baseline" --results "$results" --quiet ${VERIFY_FLAGS:-} >"$tonight/verify.txt"
    valid=$?
    if [ $valid = 1 ] && ! grep -Eq '^(WRONG|BEATEN|SLOWER)' "$tonight/verify.txt"; then
        # What it rests on changed (compiler, kernels, machine), and nothing was lost: tonight was tuned on what is now.
        valid=0
        echo 'the baseline is stale'
    fi
    part 'is the baseline still valid' $valid
    # shellcheck disable=SC2086
    "$program" compare "$baseline" "$tonight/tuned" --results "$results" --quiet $strict ${COMPARE_FLAGS:-} \
        --format markdown --file "$tonight/compare.md" --json >"$tonight/compare.json"
    part 'tonight against the baseline' $?
fi

if [ -n "$revision" ]; then
    "$program" track record "$tonight/tuned" --results "$results" --quiet --revision "$revision"
else
    "$program" track record "$tonight/tuned" --results "$results" --quiet
fi
part 'history' $?
"$program" track report --results "$results" --markdown >"$tonight/history.md"
part 'report of the history' $?
"$program" report "$tonight"/tuned/*.json --results "$results" --html "$tonight/report.html"
part 'report' $?

# What a config is for: the keys by which `compare` pairs two of them.
problem_of() {
    grep -E '^  "(family|digest|backend|state)": ' "$1" | sort
}

# The configs in a folder, one a line. A set is none: after a night that moved one problem it would contradict the rest.
configs_in() {
    grep -l '^  "schema": "rooftune/tuned-config/' "$1"/*.json 2>/dev/null
}

# What `compare` said, three lines a problem: its verdict, the baseline's config and tonight's.
said() {
    [ -f "$tonight/compare.json" ] || return 0
    sed -n -e 's/^      "verdict": "\(.*\)",$/\1/p' -e 's/^        "from": "\(.*\)",$/\1/p' "$tonight/compare.json" |
        sed 's/\\\(["\\]\)/\1/g'
}

is_stale() {
    grep -F "($1)" "$tonight/verify.txt" | grep -q '^STALE'
}

# The files that become the baseline. Of each problem by itself: only what is proven better moves it, and what replaces a
# stale one and is proven to lose nothing. Taking every UNCHANGED night would let a loss creep in below the threshold,
# night by night.
moving() {
    if [ "${ACCEPT:-0}" = 1 ] || ! $have_baseline; then
        configs_in "$tonight/tuned"
        return
    fi
    said | while read -r verdict && IFS= read -r base && IFS= read -r new; do
        if [ "$verdict" = IMPROVED ] || { [ "$verdict" = UNCHANGED ] && is_stale "$base"; }; then
            printf '%s\n' "$new"
        fi
    done
    # A problem that the baseline does not have yet.
    configs_in "$tonight/tuned" | while IFS= read -r new; do
        said | grep -Fqx "$new" && continue
        configs_in "$baseline" | while IFS= read -r base; do
            [ "$(problem_of "$base")" = "$(problem_of "$new")" ] && echo known
        done | grep -q known || printf '%s\n' "$new"
    done
}

moving >"$tonight/moving"
if [ -s "$tonight/moving" ]; then
    mkdir "$baseline.new" || exit 3
    if $have_baseline; then cp -r "$baseline/." "$baseline.new" || exit 3; fi
    while IFS= read -r new; do
        configs_in "$baseline.new" | while IFS= read -r base; do
            [ "$(problem_of "$base")" = "$(problem_of "$new")" ] && rm -f "${base%.json}".*
        done
        # With the header and the plot beside it.
        cp "${new%.json}".* "$baseline.new" || exit 3
        name=${new##*/}
        echo "the baseline is tonight's winner now: ${name%.json}"
    done <"$tonight/moving"
    # Whenever this is killed, the baseline is there under one of the two names.
    if [ -d "$baseline" ]; then mv "$baseline" "$baseline.old" || exit 3; fi
    mv "$baseline.new" "$baseline" || exit 3
    rm -rf "$baseline.old"
fi
rm -f "$tonight/moving"
exit "$worst"
