#!/bin/sh
# Today's distributions, from nothing: in the root of a bare Debian 12 and of a bare Debian 13 a clone of this
# checkout's HEAD runs the README's two commands, with g++ and in Debian 13 with clang++ too. Says what warned and what
# failed.
#
# usage: roots.sh FOLDER [--configure] [SUITE[/COMPILER] ...]
#   FOLDER        holds the roots and the logs; a root that is there is used again
#   --configure   no more than the packages and the configure step: minutes instead of an hour
#   SUITE         bookworm, bookworm/clang++, trixie or trixie/clang++; default: bookworm trixie trixie/clang++
# Exit status: 0; 1 when something warned or failed; 2 for bad usage; 3 when a root or the clone cannot be made.
set -u
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
. "$here/root.sh"
case ${1:-} in '' | -*) sed -n '2,/^set -u/s/^# \{0,1\}//p' "$0"; exit 2 ;; esac
alone "$@"
checkout=$(git -C "$here" rev-parse --show-toplevel) || stop "$here is in no checkout"
mkdir -p "$1" && folder=$(CDPATH='' cd -- "$1" && pwd -P) || stop "cannot make $1"
shift
only_configure=no
if [ "${1:-}" = --configure ]; then
    only_configure=yes
    shift
fi
[ $# -gt 0 ] || set -- bookworm trixie trixie/clang++
report=
bad=0

# part WHAT COMMAND ...: its output in a log, its outcome in the report.
part() {
    what=$1
    shift
    log=$folder/$name.$(echo "$what" | tr ' ' -).log
    begun=$(date +%s)
    outcome=passed
    within "$@" >"$log" 2>&1 || outcome="FAILED ($?)"
    # What the compiler and CMake said stands in the build's own log.
    built=$root/checkout/build/build.log
    if [ -f "$built" ]; then
        cat "$built" >>"$log"
        rm -f "$built"
    fi
    # Of our sources and of CMake, not what installing packages says of manual pages.
    warnings=$(grep -v '^update-alternatives' "$log" | grep -cE 'warning:|CMake (Deprecation )?Warning')
    [ "$outcome" = passed ] && [ "$warnings" = 0 ] || bad=1
    line=$(printf '%-18s %-10s %-12s %4d warnings %5d s   %s' "$name" "$what" "$outcome" "$warnings" \
        $(($(date +%s) - begun)) "$log")
    echo "$line"
    report="$report$line
"
}

for one; do
    suite=${one%%/*}
    compiler=
    [ "$one" = "$suite" ] || compiler=${one#*/}
    name=$suite${compiler:+-$compiler}
    make_root "$folder" "$name" "$suite"
    rm -rf "$root/checkout"
    git clone -q --no-hardlinks "$checkout" "$root/checkout" || stop "cannot clone $checkout"
    with=
    if [ -n "$compiler" ]; then
        with=CXX=$compiler
        part compiler sh -c "apt-get -q update && apt-get -q install -y --no-install-recommends ${compiler%++}"
    fi
    # shellcheck disable=SC2086  # empty, or one word
    if [ "$only_configure" = yes ]; then
        part packages sh -c 'apt-get -q update &&
            apt-get -q install -y --no-install-recommends $(sed "/^#/d; s/ .*//" /checkout/cmake/packages.txt)'
        part configure $with sh -c 'cd /checkout && cmake --preset default -G Ninja'
    else
        part tune $with sh -c 'cd /checkout && ./rooftune tune --budget 20s'
        part test $with sh -c 'cd /checkout && ./rooftune test -j "$(nproc)"'
    fi
done
echo
printf '%s' "$report"
exit "$bad"
