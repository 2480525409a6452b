#!/bin/sh
# Plans within other people's programs: the examples, under everything that binds or starts threads, with a config each
# for one and for two threads. Prints a table; a row is all right where each plan took the config for the threads that it
# could have there, said so, and answered rightly, and where no thread of the program's was moved. Takes half a minute.
#
# usage: programs.sh BUILD EXAMPLES
set -u
build=$1
sources=$2
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
failures=0
tuned=$scratch/tuned
mkdir "$tuned" "$scratch/empty"
# What the machine's user has set is not to be seen.
unset ROOFTUNE_TUNED OMP_NUM_THREADS OMP_PROC_BIND OMP_PLACES OMP_WAIT_POLICY GOMP_CPU_AFFINITY KMP_AFFINITY 2>/dev/null

# Processing units of this process, and what plans of several threads can have of them: the configs are for two at most.
units=$(nproc)
limit() { if [ "$1" -ge 2 ]; then echo 2; else echo 1; fi; }
# The least quota of the control group and of those that it is in says how many threads make sense, whatever the number
# of processing units.
allowed=$units
group=$(sed -n 's/^0:://p' /proc/self/cgroup 2>/dev/null)
while :; do
    if read -r quota period 2>/dev/null <"/sys/fs/cgroup${group%/}/cpu.max" && [ "$quota" != max ]; then
        processors=$(((quota + period - 1) / period))
        [ "$processors" -ge "$allowed" ] || allowed=$processors
    fi
    case $group in /?*) group=${group%/*} ;; *) break ;; esac
done
all=$(limit "$allowed")

"$build/tests/plant_configs" "$tuned" 1 2 >"$scratch/winners" || exit 1
# sentence THREADS: what a plan says that took the config for so many.
sentence() { sed -n "s/^$1	/runs /p" "$scratch/winners"; }

say() { printf '%-58s %s\n' "$1" "$2"; }

# judge EXPECTED COMMAND...: runs it with the configs; EXPECTED are the threads of each plan that it shows, in order. Sets
# $verdict.
judge() {
    expected=$1
    shift
    out=$(timeout 100 "$@" 2>&1)
    status=$?
    for threads in $expected; do sentence "$threads"; done >"$scratch/expected"
    printf '%s\n' "$out" | grep '^runs ' >"$scratch/ran"
    if [ "$status" != 0 ]; then
        verdict="FAILED: status $status"
    elif ! cmp -s "$scratch/expected" "$scratch/ran"; then
        verdict="FAILED: expected $(tr '\n' '|' <"$scratch/expected")"
    else
        case $out in
        *WRONG*) verdict='FAILED: wrong' ;;
        *'masks are as before'*) verdict="tuned, on $(echo "$expected" | tr ' ' ',')" ;;
        *) verdict='FAILED: says nothing of masks' ;;
        esac
    fi
}

# row WHAT EXPECTED COMMAND...
row() {
    what=$1
    shift
    judge "$@"
    say "$what" "$verdict"
    case $verdict in
    FAILED*)
        failures=$((failures + 1))
        printf '%s\n' "$out" | sed 's/^/    /'
        ;;
    esac
}

skip() { say "$1" "skipped: $2"; }

# What judges is judged first: another variant, a thread less, and a program that ends badly are no success.
must_fail() {
    what=$1
    shift
    judge "$@"
    case $verdict in
    FAILED*) ;;
    *)
        say "$what" 'FAILED: was taken for a success'
        failures=$((failures + 1))
        ;;
    esac
}
must_fail 'no configs' "$all" "$build/tests/example_cg" - "$scratch/empty"
must_fail 'the config for other threads' $((3 - all)) "$build/tests/example_cg" - "$tuned"
must_fail 'a program that fails' '' "$build/tests/example_cg" "$scratch/gone.mtx"

say "program, on $units processing units" "threads of each plan that was made"
row 'plain' "$all" "$build/tests/example_cg" - "$tuned"
row 'new values each step' "$all" "$build/tests/example_steps" "$tuned"
row 'std::thread: shared plan, one each, a bound thread' "$all 1 $all" "$build/tests/example_threads" "$tuned"
row 'fork() before, between and after' "$all $all $all $all $all" "$build/tests/example_children" "$tuned"
row 'oneTBB: global_control, arenas, tasks with plans' "$all $all 1" "$build/tests/example_arenas" "$tuned"

# ---- OpenMP --------------------------------------------------------------------------------------
for bind in false true close spread; do
    for threads in 1 2 4; do
        what="OpenMP, OMP_PROC_BIND=$bind, OMP_NUM_THREADS=$threads"
        if [ -x "$build/tests/example_cg_openmp" ]; then
            row "$what" "$all" env OMP_PROC_BIND=$bind OMP_NUM_THREADS=$threads "$build/tests/example_cg_openmp" - "$tuned"
            row "$what, new values" "$all" env OMP_PROC_BIND=$bind OMP_NUM_THREADS=$threads \
                "$build/tests/example_steps_openmp" "$tuned"
        else
            skip "$what" 'the compiler has no OpenMP'
        fi
    done
done

# ---- MPI -----------------------------------------------------------------------------------------
# Open MPI starts nothing for root, and no more ranks than there are cores, unless told.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
for bind in default core none; do
    for ranks in 1 2; do
        what="mpirun, --bind-to $bind, -n $ranks"
        set -- mpirun --oversubscribe -n "$ranks"
        [ "$bind" = default ] || set -- "$@" --bind-to "$bind"
        if ! command -v mpirun >/dev/null; then
            skip "$what" 'there is no mpirun (packages openmpi-bin, libopenmpi-dev)'
        elif [ ! -x "$build/tests/example_ranks" ]; then
            skip "$what" 'there was no MPI when this was built (package libopenmpi-dev)'
        elif ! each=$("$@" nproc 2>"$scratch/stderr"); then
            skip "$what" "mpirun cannot: $(grep -v '^[-[:space:]]*$' "$scratch/stderr" | head -n 1)"
        else
            # Who was bound has that, the others share.
            each=$(printf '%s\n' "$each" | head -n 1)
            [ "$each" -lt "$units" ] || each=$((units / ranks))
            [ "$each" -le "$allowed" ] || each=$allowed
            each=$(limit "$each")
            if [ "$ranks" = 2 ]; then each="$each $each"; fi
            row "$what" "$each" "$@" "$build/tests/example_ranks" "$tuned"
        fi
    done
done

# ---- a plugin ------------------------------------------------------------------------------------
if command -v cc >/dev/null && cc -I"$build/tests/installed" -I"$build/tests/installed/rooftune" -o "$scratch/plugin" \
    "$sources/plugin.c" -ldl; then
    if out=$("$scratch/plugin" "$build/librooftune.so" 2>&1); then
        say 'dlopen() and dlclose(), 100 times' "$out"
    else
        say 'dlopen() and dlclose(), 100 times' "FAILED: $out"
        failures=$((failures + 1))
    fi
else
    skip 'dlopen() and dlclose(), 100 times' 'there is no compiler for C'
fi

[ "$failures" = 0 ] || echo "$failures rows failed"
[ "$failures" = 0 ]
