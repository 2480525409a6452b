#!/bin/sh
# Tests of the launcher: a copy of it in a small false checkout, with false apt-get, dpkg-query, sudo,
# cmake and ctest in front of a PATH that holds only named commands, so that what should be absent is.
# The false commands log their calls. Nothing is installed and nothing is compiled.
#
# usage: test_launcher.sh CHECKOUT [CASE]
set -u

checkout=$1
only=${2:-}
shell=$(command -v dash || command -v sh)
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
failures=0
build_time=$(sed -n "s/^build_time='\(.*\)'$/\1/p" "$checkout/rooftune")

# The false world, and what cases ask of it; then the cases.
here=$(dirname "$0")
. "$here/world.sh"
cases=
for file in packages building questions commands; do
    . "$here/$file.sh"
    cases="$cases $(sed -n 's/^\([a-z_]*\)() {$/\1/p' "$here/$file.sh")"
done

ran=0
for case in $cases; do
    [ -z "$only" ] || [ "$only" = "$case" ] || continue
    new_world
    : >"$world/err"
    "$case"
    ran=$((ran + 1))
done
echo "$ran cases, $failures failures"
[ "$ran" -gt 0 ] && [ "$failures" = 0 ]
