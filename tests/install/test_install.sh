#!/bin/sh
# The installed package as its users meet it: installed to an empty folder, programs built with it alone, and the
# examples run with no configs, with configs of this machine, and with configs of another one.
#
# usage: test_install.sh BUILD EXAMPLES CXX
set -u
# A bare machine has ninja, which we install, and no make, which CMake would take unless told.
command -v make >/dev/null || export CMAKE_GENERATOR=Ninja
build=$1
sources=$2
cxx=$3
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
failures=0
prefix=$scratch/prefix
# What a tune or a program of this machine's user would find is not to be found.
export HOME="$scratch/home" XDG_STATE_HOME="$scratch/state"
unset ROOFTUNE_HOME ROOFTUNE_TUNED 2>/dev/null
mkdir -p "$HOME"

fail() {
    printf 'FAILED: %s\n' "$*" >&2
    failures=$((failures + 1))
}
# must WHAT COMMAND...: runs it; its output is in $out.
must() {
    what=$1
    shift
    out=$("$@" 2>"$scratch/stderr") || { fail "$what: status $?: $out $(cat "$scratch/stderr")"; return 1; }
}
# says TEXT: the last command's output or errors contain it.
says() {
    case "$out$(cat "$scratch/stderr")" in
    *"$1"*) ;;
    *) fail "'$what' does not say '$1': $out $(cat "$scratch/stderr")" ;;
    esac
}

must install cmake --install "$build" --prefix "$prefix" || exit 1
for file in bin/rooftune include/rooftune/rooftune.h include/rooftune/rooftune_c.h include/rooftune/rooftune.f90 share/man/man1/rooftune.1 \
    share/doc/rooftune/copyright share/bash-completion/completions/rooftune share/rooftune/configs/jobs/default.json share/rooftune/ci/nightly.sh include/rooftune/kernel.h; do
    [ -f "$prefix/$file" ] || fail "$file was not installed"
done

# ---- the program --------------------------------------------------------------------------------
program=$prefix/bin/rooftune
cd "$scratch" || exit 1
must 'installed program' "$program" list machines && says tpu-v5e
must 'tune' "$program" tune matmul m=24,n=20,k=28,dtype=f32 --budget 5s,12 --audit 0 --quiet --out "$scratch/tuned" &&
    says 'Gflop/s'
must 'tune' "$program" tune spmv gen=poisson5,nx=200 --budget 5s,12 --audit 0 --quiet --out "$scratch/tuned"
must 'tune' "$program" tune stencil nx=62,ny=62,nz=62,steps=4 --budget 5s,12 --audit 0 --quiet --out "$scratch/tuned"
[ -f "$XDG_STATE_HOME/rooftune/rooftune.db" ] || fail 'the installed program kept its results somewhere else'

# ---- programs that use it -----------------------------------------------------------------------
cp -r "$prefix/share/rooftune/examples" "$scratch/examples"
must 'all examples are installed' diff -r "$sources" "$scratch/examples"
must 'configure the examples' cmake -S "$scratch/examples" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_BUILD_TYPE=Debug
must 'build the examples' cmake --build "$scratch/build" -j 2 || exit 1
examples=$scratch/build

each_example() {
    must 'cg' "$examples/cg" - ${1+"$1"} && says converged && says "$2"
    must 'heat' "$examples/heat" ${1+"$1"} && says 'as it must be' && says "$2"
    must 'batched_matmul' "$examples/batched_matmul" ${1+"$1"} && says 'as they must be' && says "$2"
}
must 'cg' "$examples/cg" - && says converged && says 'no folder of tuned configs was named'
must 'heat' "$examples/heat" && says 'as it must be' && says 'the default variant, unmeasured'
must 'steps' "$examples/steps" "$scratch/tuned" && says 'as it must be' && says 'tuned for this problem'
must 'batched_matmul' "$examples/batched_matmul" && says 'as they must be'
must 'matvec' "$examples/matvec" "$scratch/tuned" && says 'as it must be' && says 'for a problem like this'
each_example "$scratch/tuned" 'tuned for this problem'

# Plans beside other people's threads; tests/install/programs.sh has the whole table.
for example in threads children arenas; do
    must "$example" "$examples/$example" "$scratch/tuned" && says 'as it must be' && says 'masks are as before' &&
        says 'tuned for this problem'
done
if [ -x "$examples/cg_openmp" ]; then
    must 'cg_openmp' "$examples/cg_openmp" - "$scratch/tuned" && says converged && says 'tuned for this problem'
else
    echo 'skipped: the example with OpenMP (the compiler has none)'
fi
if [ -x "$examples/ranks" ]; then
    must 'ranks' "$examples/ranks" "$scratch/tuned" && says 'as it must be'
else
    echo 'skipped: the example with MPI (package libopenmpi-dev)'
fi

# Models are made once, as a user's are: beside each store of this test lies a copy of the first one's.
knows_the_machine() { mkdir -p "$1" && cp -r "$XDG_STATE_HOME/rooftune/machines" "$1"; }
knows_the_machine "$scratch/own"
must 'tune_product' "$examples/tune_product" "$scratch/own" && says 'the product is as it must be' &&
    says 'tuned for this problem'

# Without a folder its results go where the user's programs keep their state, and not to where the library was built.
knows_the_machine "$scratch/another/rooftune"
must 'tune_product, by default' env XDG_STATE_HOME="$scratch/another" "$examples/tune_product" && says 'as it must be'
[ -f "$scratch/another/rooftune/rooftune.db" ] || fail 'tune_product kept its results somewhere else'
# A function of the program's own; what was found is read by the installed program, which cannot run it.
must 'tune_function' "$examples/tune_function" "$scratch/own" && says 'with tiles of ' && says 'own check'
config=$(echo "$scratch"/own/tuned/*transpose*.json)
must 'report of a function' "$program" report "$config" --html "$scratch/function.html"
"$program" run "$config" >"$scratch/stdout" 2>"$scratch/stderr"
[ $? = 2 ] || fail 'run of a function should end with 2'
out=; what='run of a function'; says 'run that program again'

# Without SQLite there is no engine, and whoever links plans alone does not miss it.
if command -v pkg-config >/dev/null; then
    mkdir "$scratch/pc"
    for folder in $(pkg-config --variable pc_path pkg-config | tr ':' ' '); do cp "$folder"/*.pc "$scratch/pc"; done 2>/dev/null
    rm "$scratch/pc/sqlite3.pc"
    must 'configure without SQLite' env PKG_CONFIG_LIBDIR="$scratch/pc" cmake -S "$scratch/examples" \
        -B "$scratch/without" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$cxx"
    must 'targets without SQLite' cmake --build "$scratch/without" --target help && says heat
    case $out in *tune_product* | *tune_function*) fail 'what tunes is built without SQLite' ;; esac
fi

# The same configs from another machine: told, and still right.
cp -r "$scratch/tuned" "$scratch/foreign"
# The fingerprint stands at the top of a config and again in the result it carries.
here=$(sed -n 's/^  "fingerprint": "\(.*\)",$/\1/p' "$scratch"/tuned/*.json | head -n 1)
[ -n "$here" ] || fail 'no fingerprint in the tuned configs'
sed -i "s|\"$here\"|\"another machine\"|" "$scratch"/foreign/*.json
each_example "$scratch/foreign" 'tuned on another machine'

# A folder that is torn: told, and still right.
mkdir "$scratch/torn"
for file in "$scratch"/tuned/*.json; do head -c 700 "$file" >"$scratch/torn/$(basename "$file")"; done
each_example "$scratch/torn" 'passed over'

# Bad input is a message and a status, not a crash.
"$examples/cg" "$scratch/gone.mtx" >"$scratch/stdout" 2>"$scratch/stderr"
[ $? = 2 ] || fail 'cg of a file that is not there should end with 2'
out=; what='cg gone.mtx'; says gone.mtx

if [ -n "${ROOFTUNE_DATA:-}" ]; then
    must 'cg on a real matrix' "$examples/cg" "$ROOFTUNE_DATA/matrices/bcsstk16.mtx.gz" && says converged
else
    echo 'skipped: the real matrix (ROOFTUNE_DATA is not set)'
fi

# ---- a kernel of one's own ----------------------------------------------------------------------
mkdir "$scratch/own_kernel"
cd "$scratch/own_kernel" || exit 1
must 'new' "$program" new mine.cpp
must 'tune mine.cpp' "$program" tune mine.cpp n=1e4 --budget 3s --audit 0 --quiet --out tuned && says 'mine.cpp'
config=$(echo tuned/*.json)
must 'flags' "$program" flags "$config" && says -DUNROLL=
must 'flags --header' "$program" flags "$config" --header && says '#define UNROLL'
cat >CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.22)
project(mine CXX)
find_package(rooftune REQUIRED)
add_executable(mine mine.cpp)
rooftune_tuned_flags(mine $config)
END
must 'configure with tuned flags' cmake -S . -B build -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$cxx" \
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
must 'build with tuned flags' cmake --build build
must 'run with tuned flags' build/mine
must 'its command line' cat build/compile_commands.json && says -DUNROLL=
cd "$scratch" || exit 1

library=$(find "$prefix" -name 'librooftune.so' | head -n 1)
[ -n "$library" ] || fail 'there is no shared library'
libraries=$(dirname "$library")

# ---- without CMake ------------------------------------------------------------------------------
if command -v pkg-config >/dev/null; then
    export PKG_CONFIG_PATH="$prefix/lib/pkgconfig:$(echo "$prefix"/lib/*/pkgconfig)"
    must 'pkg-config, archives' pkg-config --cflags --libs rooftune-static
    # shellcheck disable=SC2086
    must 'C by pkg-config, archives' cc -o "$scratch/matvec" "$scratch/examples/matvec.c" $out &&
        must 'matvec' "$scratch/matvec" && says 'as it must be'
    must 'pkg-config' pkg-config --cflags --libs rooftune
    flags=$out
    # shellcheck disable=SC2086
    must 'C by pkg-config' cc -o "$scratch/matvec" "$scratch/examples/matvec.c" $flags &&
        must 'matvec' env LD_LIBRARY_PATH="$libraries" "$scratch/matvec" && says 'as it must be'
    # Containers of the standard library are others there.
    # shellcheck disable=SC2086
    must 'C++ with debugging containers' "$cxx" -std=c++20 -D_GLIBCXX_DEBUG -o "$scratch/heat" \
        "$scratch/examples/heat.cpp" $flags && must 'heat' env LD_LIBRARY_PATH="$libraries" "$scratch/heat" &&
        says 'as it must be'
fi

# ---- the shared library -------------------------------------------------------------------------
must 'names that it shows' nm -D --defined-only -C "$library"
# Of C++ the classes and the functions, of C each function that the header declares.
printf '%s\n' "$out" | sed -E -e 's/^[0-9a-f]* [A-Za-z] //' -e 's/^rooftune::.*::Inside::.*/what is inside a class/' \
    -e 's/^(rooftune::[A-Za-z]*<[a-z]*>|unsigned long) (rooftune::)/\2/' \
    -e 's/^(rooftune::[A-Za-z_]*(<[a-z]*>)?).*/\1/' | sort -u >"$scratch/shown"
{
    printf '#include <rooftune/rooftune_c.h>\n' | cc -E -P -I"$prefix/include" - | grep -o 'rooftune_[a-z0-9_]*(' | tr -d '('
    for name in PlanParameters SparseMatrix Tuned Workers load_tuned; do echo "rooftune::$name"; done
    for name in MatmulPlan SpmvPlan StencilPlan matmul_plan spmv_plan stencil_plan matmul_memory_bytes \
        spmv_memory_bytes stencil_memory_bytes; do
        printf 'rooftune::%s<%s>\n' "$name" double "$name" float
    done
    for name in InputError EnvironmentError; do
        for what in typeinfo 'typeinfo name' vtable; do echo "$what for rooftune::$name"; done
    done
} | sort -u >"$scratch/public_names"
out=$(comm -3 "$scratch/shown" "$scratch/public_names")
[ -z "$out" ] || fail "the shared library shows what is none of a program's business, or hides what is: $out"
must 'what it asks of its loader' readelf -d "$library" && says 'SONAME'
must 'a plugin' cc -Wall -Wextra -Werror -I"$prefix/include" -o "$scratch/plugin" "$scratch/examples/plugin.c" -ldl
must 'loaded a hundred times' "$scratch/plugin" "$library" && says '100 times'
# A program that links it needs no other package.
mkdir "$scratch/by_shared"
cat >"$scratch/by_shared/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.22)
project(by_shared CXX)
find_package(rooftune REQUIRED COMPONENTS shared)
add_executable(heat $scratch/examples/heat.cpp)
target_link_libraries(heat PRIVATE rooftune::shared)
END
set -- -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$cxx"
for package in TBB hwy ZLIB OpenCL fmt nlohmann_json PkgConfig Threads; do
    set -- "$@" "-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON"
done
must 'configure with the shared library' cmake -S "$scratch/by_shared" -B "$scratch/by_shared/build" "$@"
must 'build with the shared library' cmake --build "$scratch/by_shared/build" &&
    must 'heat' "$scratch/by_shared/build/heat" && says 'as it must be'
# ---- Fortran and Python -------------------------------------------------------------------------
if [ -x "$examples/fortran_plans" ]; then
    must 'fortran_plans' "$examples/fortran_plans" && says 'as it must be' && says 'no folder of tuned configs was named'
    must 'fortran_plans' "$examples/fortran_plans" "$scratch/torn" && says 'as it must be' && says 'passed over'
else
    echo 'skipped: the example in Fortran (package gfortran)'
fi
if command -v gfortran >/dev/null && command -v pkg-config >/dev/null; then
    must 'where the module lies' pkg-config --variable=fortran_module rooftune
    module=$out
    must 'pkg-config' pkg-config --libs rooftune
    mkdir "$scratch/modules"
    # shellcheck disable=SC2086
    must 'Fortran by pkg-config' gfortran -std=f2018 -Wall -J"$scratch/modules" -o "$scratch/fortran_plans" "$module" \
        "$scratch/examples/plans.f90" $out &&
        must 'fortran_plans' env LD_LIBRARY_PATH="$libraries" "$scratch/fortran_plans" && says 'as it must be'
fi
python=
for candidate in python3 /usr/bin/python3; do
    if [ -z "$python" ] && "$candidate" -c 'import numpy, scipy.sparse' 2>/dev/null; then python=$candidate; fi
done
if [ -n "$python" ]; then
    export ROOFTUNE_LIBRARY="$library" PYTHONDONTWRITEBYTECODE=1
    must 'cg.py' "$python" "$scratch/examples/cg.py" - && says converged && says 'no folder of tuned configs was named'
    must 'cg.py' "$python" "$scratch/examples/cg.py" - "$scratch/tuned" && says converged && says 'tuned for this problem'
    must 'what cg.py refuses' "$python" "$(dirname "$0")/test_cg.py" "$scratch/examples" && says OK
    "$python" "$scratch/examples/cg.py" "$scratch/gone.mtx" >"$scratch/stdout" 2>"$scratch/stderr"
    [ $? = 2 ] || fail 'cg.py of a file that is not there should end with 2'
    out=; what='cg.py gone.mtx'; says gone.mtx
    if [ -n "${ROOFTUNE_DATA:-}" ]; then
        must 'cg.py on a real matrix' "$python" "$scratch/examples/cg.py" "$ROOFTUNE_DATA/matrices/bcsstk16.mtx.gz" &&
            says converged
    fi
else
    echo 'skipped: the example in Python (packages python3-numpy, python3-scipy)'
fi

# A shared object of the program's own around the archives.
if command -v pkg-config >/dev/null; then
    printf '%s\n' '#include <rooftune/rooftune_c.h>' 'int notices(void) { return (int)rooftune_notices(0); }' \
        >"$scratch/own.c"
    must 'archives' pkg-config --cflags --libs rooftune-static
    # shellcheck disable=SC2086
    must 'a shared object of archives' cc -shared -fPIC -I"$prefix/include" -o "$scratch/own.so" "$scratch/own.c" $out
fi

# ---- headers ------------------------------------------------------------------------------------
for header in "$scratch"/tuned/*.h; do
    printf '#include "%s"\nint main() {}\n' "$header" >"$scratch/alone.cpp"
    must "compile $header alone" "$cxx" -std=c++17 -Wall -Wextra -Werror -fsyntax-only "$scratch/alone.cpp"
done
# Each compiles alone, so what it includes is there too; and nothing is there that no public one, on top, includes.
(cd "$prefix/include/rooftune" && find . -name '*.h' | sed 's|^\./||' | sort) >"$scratch/installed"
# shellcheck disable=SC2016
must 'compile each header alone' xargs -a "$scratch/installed" -P 2 -I @header sh -c \
    'printf "#include <rooftune/%s>\nint main() {}\n" "@header" | "$0" -std=c++20 -Wall -Wextra -Werror -I"$1" \
    -I"$1/rooftune" -fsyntax-only -x c++ -' "$cxx" "$prefix/include"
for header in "$prefix"/include/rooftune/*.h; do
    must "what $header includes" "$cxx" -std=c++20 -MM -I"$prefix/include/rooftune" "$header"
    printf '%s\n' "$out" | tr ' \\' '\n\n' | sed -n "s|^$prefix/include/rooftune/||p"
done | sort -u >"$scratch/reached"
# The public ones lie on top, and once more where the project has them.
for header in "$prefix"/include/rooftune/*.h; do
    (cd "$prefix/include/rooftune" && find . -mindepth 2 -name "$(basename "$header")" | sed 's|^\./||')
done | sort -u - "$scratch/reached" >"$scratch/public"
out=$(comm -3 "$scratch/installed" "$scratch/public")
[ -z "$out" ] || fail "installed though nothing public includes it, or not installed though something does: $out"

# ---- completion ---------------------------------------------------------------------------------
if command -v bash >/dev/null; then
    completes() {
        must 'completion' bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rooftune
            printf "%s\n" "${COMPREPLY[@]}"' bash "$prefix/share/bash-completion/completions/rooftune" "$@"
    }
    completes "$program" ma && says machine
    completes "$program" tune --bud && says --budget
    completes "$program" tune st && says stencil
    completes "$program" --ver && says --version
fi

[ "$failures" = 0 ] && echo 'installed, built with, run: all right'
[ "$failures" = 0 ]
