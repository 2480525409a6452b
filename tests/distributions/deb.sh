#!/bin/sh
# The Debian package as its users meet it: installed by apt in the root of a bare Debian 12, it answers and tunes, and
# what it laid down goes with it. A package made on a later Debian asks for libraries that Debian 12 does not have.
#
# usage: deb.sh FOLDER PACKAGE.deb|BUILD
#   FOLDER        where the root is made, afresh each time
#   PACKAGE.deb   the package, or a build folder to make it from
# Exit status: 0; 1 when something failed; 2 for bad usage; 3 when there is no root or no package to try.
set -u
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
. "$here/root.sh"
[ $# = 2 ] || { sed -n '2,/^set -u/s/^# \{0,1\}//p' "$0"; exit 2; }
alone "$@"
package=$2
mkdir -p "$1" && folder=$(CDPATH='' cd -- "$1" && pwd -P) || stop "cannot make $1"
if [ -d "$package" ]; then
    rm -f "$folder"/rooftune_*.deb
    cpack --config "$package/CPackConfig.cmake" -B "$folder" >"$folder/cpack.log" 2>&1 ||
        stop "cpack made no package: $(tail -n 3 "$folder/cpack.log")"
    package=$(echo "$folder"/rooftune_*.deb)
fi
[ -f "$package" ] || stop "there is no package $package; make it with cpack in a build folder"
rm -rf "$folder/package"
make_root "$folder" package bookworm
cp "$package" "$root/rooftune.deb" || stop "cannot copy $package to $root"
failures=0

# must TEXT COMMAND ...: succeeds and prints the text.
must() {
    text=$1
    shift
    out=$(within "$@" 2>&1) || { failures=$((failures + 1)); echo "FAILED ($?): $*: $out"; return; }
    case $out in
    *"$text"*) echo "passed: $*" ;;
    *) failures=$((failures + 1)); echo "FAILED: $* does not say '$text': $out" ;;
    esac
}

must '' apt-get -q update
must 'Setting up rooftune' apt-get -q install -y --no-install-recommends /rooftune.deb
must 'rooftune ' rooftune --version
must 'matmul' rooftune list families
must 'tpu-v5e' rooftune list machines
must 'Gflop/s' rooftune tune matmul m=64,n=64,k=64,dtype=f64 --budget 3s --quiet --out /tmp/tuned
must '.json' ls /tmp/tuned
must 'rooftune.h' dpkg -L rooftune
must 'Removing rooftune' apt-get -q purge -y rooftune
must '' sh -c 'for path in /usr/bin/rooftune /usr/share/rooftune /usr/include/rooftune; do
        if [ -e "$path" ]; then echo "$path is still there"; exit 1; fi
    done'
[ "$failures" = 0 ]
