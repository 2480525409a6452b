#!/bin/sh
# The tests of our own threads under the thread sanitizer: teams, mailboxes, plans on their own and on the caller's
# threads. Fails where a race is reported. Takes some minutes the first time; CXX=clang++ takes another compiler, in a
# build folder that there is none of yet. Arguments go to the tests, like --durations=yes.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$root/build/threads
cd "$root"
[ -f "$build/CMakeCache.txt" ] || cmake --preset threads >/dev/null
cmake --build "$build" --target unit_runtime unit_plans -j "$(nproc)" >/dev/null
# oneTBB and OpenCL are not instrumented: what passes between threads through them looks unordered. The sanitizer ends
# a child of fork() that starts threads where its parent had some ("dup thread with used id"): such cases stay out.
options="suppressions=$root/tests/threads/uninstrumented.txt ignore_noninstrumented_modules=1 die_after_fork=0"
export TSAN_OPTIONS="$options exitcode=66 ${TSAN_OPTIONS:-}"
for tests in unit_runtime unit_plans; do
    printf '%s\n' "$tests"
    "$build/tests/$tests" '~*child*' "$@"
done
