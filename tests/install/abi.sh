#!/bin/sh
# What programs in C that were built once rely on (abi.c) still holds: the shared library of this build has every function,
# with the same arguments and result, and the same constants. The compiler compares the types, which a library without
# debugging information does not have, and the linker the names. Ends with 77 where there is no compiler for C.
#
# usage: abi.sh BUILD
set -u
build=$1
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
command -v cc >/dev/null || {
    echo 'skipped: there is no cc'
    exit 77
}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
header=$(cd "$here/../.." && pwd)/tuner/plans/rooftune_c.h
mkdir -p "$scratch/as_it_is/rooftune" "$scratch/changed/rooftune"
cp "$header" "$scratch/as_it_is/rooftune"

sed -n 's/^    (function)\(rooftune_[a-z0-9_]*\),$/\1/p' "$here/abi.c" | sort >"$scratch/promised"
# declared HEADERS: the functions of that header.
declared() { cc -E -P "$1/rooftune/rooftune_c.h" | grep -o 'rooftune_[a-z0-9_]*(' | tr -d '(' | sort -u; }

# holds HEADERS LIBRARY_FOLDER: what was promised is there. abi.c declares it all itself, so that it is asked of the header
# beside what the compiler says.
holds() {
    declared "$1" >"$scratch/declared"
    gone=$(comm -23 "$scratch/promised" "$scratch/declared")
    [ -z "$gone" ] || { echo "not declared any more: $gone" >"$scratch/log"; return 1; }
    cc -Werror -Wno-cast-function-type -I"$1" -o "$scratch/abi" "$here/abi.c" -L"$2" -lrooftune -Wl,-rpath,"$2" \
        >"$scratch/log" 2>&1 && "$scratch/abi"
}
failures=0
fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}
holds "$scratch/as_it_is" "$build" || fail "what version 0.1 promised does not hold: $(cat "$scratch/log")"

# sees WHAT EXPRESSION: the header changed by sed is no longer what was promised.
sees() {
    sed "$2" "$header" >"$scratch/changed/rooftune/rooftune_c.h"
    if cmp -s "$header" "$scratch/changed/rooftune/rooftune_c.h"; then fail "$1: nothing was changed"; fi
    if holds "$scratch/changed" "$build"; then fail "$1 is not seen"; fi
}
sees 'an argument of another type' 's/rooftune_spmv_f64(rooftune_plan\* plan, const double\* x/rooftune_spmv_f64(rooftune_plan* plan, const float* x/'
sees 'an argument more' 's/int rooftune_stencil_run(rooftune_plan\* plan/&, int steps/'
sees 'another result' 's/^int rooftune_from/long rooftune_from/'
sees 'another executor' 's/(\*rooftune_executor)(void\* data, int n/(*rooftune_executor)(void* data, long n/'
sees 'another status' 's/ROOFTUNE_BAD_INPUT = 2/ROOFTUNE_BAD_INPUT = 4/'
sees 'a function that is gone' 's/rooftune_notices(/rooftune_notes(/'
# A library of empty functions that has all of them, and one that lacks one.
without() {
    declared "$scratch/as_it_is" | grep -vx "$1" | sed 's/.*/void &(void) {}/' |
        cc -shared -fPIC -x c -o "$scratch/librooftune.so" -
}
without none
holds "$scratch/as_it_is" "$scratch" || fail "a library with all functions is refused: $(cat "$scratch/log")"
without rooftune_why
if holds "$scratch/as_it_is" "$scratch"; then fail 'a function that the library lacks is not seen'; fi

# What is new is no matter, but stays only once it is promised.
new=$(declared "$scratch/as_it_is" | comm -13 "$scratch/promised" - | tr '\n' ' ')
[ -z "$new" ] || echo "not promised yet in tests/install/abi.c: $new"
[ -s "$scratch/promised" ] || fail 'nothing is promised'
[ "$failures" = 0 ] && echo 'what programs in C rely on is there'
[ "$failures" = 0 ]
