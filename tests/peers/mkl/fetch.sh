#!/bin/bash
# Gets Intel's MKL, the fastest products and sparse products that anybody can have for nothing, from PyPI into a folder
# of the benchmarks' own: no package of the system, nothing installed, and removed with the folder. 0.8 GB; needs python3
# with pip, and the network once.
#
#   tests/peers/mkl/fetch.sh [FOLDER]
#
# FOLDER is where `./rooftune peers` looks for it: build/peers/mkl by default; elsewhere, say so by ROOFTUNE_MKL. What
# is there already is kept.
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
folder=${1:-${ROOFTUNE_BUILD_DIR:-$root/build}/peers/mkl}
version=2026.2.0
ready=$folder/.ready-$version
[ -e "$ready" ] && exit 0
mkdir -p "$folder"
python3 -m pip --version >/dev/null 2>&1 || {
    echo 'fetch.sh: pip is missing, which gets MKL: apt-get install python3-pip' >&2
    exit 3
}
wheels=$(mktemp -d "$folder/wheels.XXXXXX")
trap 'rm -rf "$wheels"' EXIT
python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest "$wheels" \
    "mkl==$version" "intel-openmp==$version"
for wheel in "$wheels"/*.whl; do
    python3 -m zipfile -e "$wheel" "$wheels/unpacked"
done
# Libraries alone, side by side, as MKL looks for its own.
find "$wheels/unpacked" -name 'lib*.so*' -exec mv -f -t "$folder" {} +
touch "$ready"
echo "MKL $version is in $folder"
