#!/bin/sh
# The tests of our own threads under the thread sanitizer: teams, mailboxes, plans on their own and on the caller's
# threads. Fails where it reports a race. Takes some minutes the first time; CXX=clang++ takes another compiler.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$root/build/threads
[ -f "$build/CMakeCache.txt" ] || cmake -S "$root" --preset threads >/dev/null
cmake --build "$build" --target unit_runtime unit_plans -j "$(nproc)" >/dev/null
# oneTBB, OpenCL and their drivers are not instrumented: what passes between threads through them looks unordered.
# Children of fork() start threads, which is what their tests are about.
TSAN_OPTIONS="suppressions=$root/tests/threads/uninstrumented.txt ignore_noninstrumented_modules=1 die_after_fork=0 $(
    )exitcode=66 halt_on_error=0 ${TSAN_OPTIONS:-}"
export TSAN_OPTIONS
cd "$root"
for tests in unit_runtime unit_plans; do
    printf '%s\n' "$tests"
    "$build/tests/$tests" "$@"
done
