#!/bin/sh
# Plans of each kind under valgrind's memcheck: nothing is read that was never written, nothing beyond its end, and
# nothing is lost. Ends with 77 where valgrind or a compiler for C is missing.
#
# usage: memcheck.sh BUILD
set -u
build=$1
here=$(dirname "$0")
for tool in valgrind cc; do
    command -v "$tool" >/dev/null || {
        echo "skipped: there is no $tool"
        exit 77
    }
done
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# check SOURCE: compiles it against the library, and runs it.
check() {
    cc -g -I"$build/tests/installed" -I"$build/tests/installed/rooftune" -o "$scratch/program" "$1" -L"$build" -lrooftune \
        -Wl,-rpath,"$build" || exit 1
    # One thread runs at a time there, and those that wait by spinning have to let others run.
    valgrind --tool=memcheck --fair-sched=yes --leak-check=full --errors-for-leak-kinds=definite,indirect,possible \
        --show-leak-kinds=definite,indirect,possible --error-exitcode=9 --quiet "$scratch/program"
}

# planted NAME COLUMNS END STATUS: a program with one fault or none, and the status that it has to end with, memcheck's
# own: a check that cannot fail would prove nothing.
planted() {
    printf '%s\n' '#include <stdlib.h>' '#include <rooftune/rooftune_c.h>' 'int main(void) {' \
        "    const int64_t begin[] = {0, $2};" '    const int32_t column[] = {0, 1};' \
        '    const double value[] = {1.0, 1.0};' '    double* const x = calloc(1, sizeof *x);' '    double y[1];' \
        "    rooftune_plan* plan = rooftune_spmv_plan_f64(NULL, 1, $2, begin, column, value, 0, 1);" \
        '    const int status = plan ? rooftune_spmv_f64(plan, x, y) : 1;' '    free(x);' "    $3" '    plan = NULL;' \
        '    return status;' '}' >"$scratch/planted.c"
    check "$scratch/planted.c" >"$scratch/planted.log" 2>&1
    ended=$?
    [ "$ended" = "$4" ] && return
    echo "$1: ended with $ended, not with $4: $(cat "$scratch/planted.log")"
    exit 1
}
planted 'no fault' 1 'rooftune_free_plan(plan);' 0
planted 'a vector that is too short' 2 'rooftune_free_plan(plan);' 9
planted 'a plan that is not freed' 1 '' 9
check "$here/each_plan.c"
