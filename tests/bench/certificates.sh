#!/bin/sh
# Regenerates results/certificates_NAME.md for each NAME given (spmv, stencil, matmul, opencl; all without one):
# certificates of cut spaces, 500 to 1000 variants each, against exhaustive measurement. Needs a quiet machine
# for five to ten minutes a name.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${ROOFTUNE_BUILD_DIR:-$root/build}
cmake --build "$build" --target certificate_check >/dev/null
check() {
    "$build/tests/certificate_check" --budget 120 "$@"
}
certificates() {
    printf '# Certificates against the truth: %s\n\n' "$1"
    printf 'Regenerate with `tests/bench/certificates.sh %s`. Ceilings are re-probed as in any search, and stay as it\n' "$1"
    printf 'left them when bounds are compared with times, without a margin. Every variant of the cut space is measured\n'
    printf 'in full, in random order, the incumbent beside every ten; what looks faster is measured again, interleaved\n'
    printf 'with it.\n\n'
    case $1 in
    spmv)
        check spmv gen=elasticity3,nx=10 --only 'prefetch=0' --only 'streams=1|4' \
            --only 'chunk=4|8|16|32' --only 'sigma=1' --only 'block=2x2|3x3|6x3'
        check spmv gen=poisson27,nx=80 --only 'prefetch=0' --only 'streams=1|4' \
            --only 'chunk=4|8|16|32|64' --only 'sigma=1' --only 'block=2x1|2x2|3x1|3x3'
        ;;
    stencil)
        check stencil points=7,nx=64,ny=64,nz=64 --only 'block_y=whole|16' --only 'block_z=whole' \
            --only 'partition=z' --only 'prefetch=0' --only 'padding=0|1' --only 'pages=huge' --only 'streams=1|4'
        check stencil points=27,nx=48,ny=48,nz=48,steps=4 --only 'block_y=whole|16' --only 'block_z=whole' \
            --only 'partition=z|cyclic' --only 'prefetch=0' --only 'padding=0' --only 'pages=huge' \
            --only 'streams=1|2|4'
        ;;
    matmul)
        check matmul m=192,n=192,k=192 --only 'tile=12x4|8x4|6x8|4x8|4x12|2x12|1x1' --only 'loop=m|n' \
            --only 'unroll=1|2' --only 'mc=whole' --only 'order=b_outer' --only 'ahead=0|4'
        ;;
    opencl)
        check matmul m=192,n=192,k=192 --backend opencl --only 'vector=4|8|16' --only 'item_rows=2|4|8' \
            --only 'item_vectors=1|2' --only 'group_rows=1|2|8' --only 'group_columns=1|2|8' \
            --only 'local=none' --only 'unroll=1|4' --only 'order=rows|columns' --only 'spread=side_by_side'
        ;;
    *)
        echo "certificates.sh: '$1' is none of spmv, stencil, matmul and opencl" >&2
        return 2
        ;;
    esac
}
[ $# -gt 0 ] || set -- spmv stencil matmul opencl
for name in "$@"; do
    certificates "$name" >"$root/results/certificates_$name.md.part"
    mv "$root/results/certificates_$name.md.part" "$root/results/certificates_$name.md"
done
