# shellcheck shell=bash disable=SC2154,SC2034 # Variables are shared with faults.sh, which reads this file.
# What goes wrong in each case of tests/cluster/faults.sh, and what has to come of it.

# The usual beginning: a job of 7 problems is under way, and has come to its second task.
begin() {
    allocate
    write_job "${1-7}" "${2-3s}"
    start_job
    await_tasks 1
}

case_agent_killed() {
    begin
    gap_from_now
    # shellcheck disable=SC2046 # One word each, here and below.
    signal KILL $(agent_of node2)
    expect_all_well
    expect_said 'node2 is lost'
}

# Its tasks go on without it, until the controller takes it for down half a minute later. Nobody tells them then that their
# client is gone: the agent finds out by two and a half minutes of silence.
case_slurmd_killed() {
    needs_slurm
    begin 8 8s
    gap_from_now 60
    kill -9 "$(cat "$folder/slurm/slurmd-node2.pid")"
    await_job
    expect_status 0
    expect_nothing_left 180
    judge
}

# The agents find nobody at the other end, and end; the same command goes on.
case_coordinator_killed() {
    local since
    begin
    await_tasks 2
    gap_from_now 6
    kill -9 "$coordinator"
    wait "$coordinator" 2>/dev/null
    cp "$case_folder/tuned/job.nodes.jsonl" "$case_folder/before.jsonl"
    expect_nothing_left
    since=$(date +%s)
    start_job
    expect_all_well --done-before "$case_folder/before.jsonl" "$since"
    expect_said 'goes on from an interrupted run'
}

# The same command twice at once: the second one must not touch what the first one keeps.
case_two_coordinators() {
    local first
    begin
    first=$coordinator
    start_job
    await_job
    expect_status 3
    expect_said 'another run of this job is under way'
    coordinator=$first
    expect_all_well
}

case_node_down() {
    needs_slurm
    begin
    gap_from_now 8
    scontrol update nodename=node2 state=down reason=test
    expect_all_well
    expect_said 'node2 is lost'
}

# A drained node keeps the job that it has.
case_node_drained() {
    needs_slurm
    begin
    scontrol update nodename=node2 state=drain reason=test
    expect_all_well
    ! grep -q 'node2 is lost' "$case_folder/err" || failed "a drained node was lost"
}

case_full_disk() {
    mkdir "$case_folder/nodes/node2"
    mount -t tmpfs -o size=4m none "$case_folder/nodes/node2" 2>/dev/null || skipped "nothing can be mounted here"
    begin
    dd if=/dev/zero of="$case_folder/nodes/node2/filler" bs=4k 2>/dev/null
    gap_from_now 3
    expect_all_well --lost-store
    grep -q '^rooftune: node2.*\(full\|No space\|disk\)' "$case_folder/err" || failed "the full disk was not said"
}

# Of the coordinator: it ends and says so, and goes on once there is room.
case_full_disk_here() {
    mkdir "$case_folder/results"
    mount -t tmpfs -o size=8m none "$case_folder/results" 2>/dev/null || skipped "nothing can be mounted here"
    begin
    gap_from_now 60
    dd if=/dev/zero of="$case_folder/results/filler" bs=4k 2>/dev/null
    await_job
    expect_status 3
    expect_nothing_left
    rm "$case_folder/results/filler"
    start_job
    expect_all_well
    expect_said 'goes on from an interrupted run'
}

# Not the machine's clock, which others need: that of all that runs on one node, by a library of four lines.
case_clock_jumps() {
    command -v cc >/dev/null || skipped "there is no compiler for C, and the machine's own clock is left alone"
    cat >"$case_folder/clock.c" <<'END'
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec* time) {
    const long status = syscall(SYS_clock_gettime, clock, time);
    if (status == 0 && clock == CLOCK_REALTIME && access(JUMPED, F_OK) == 0) time->tv_sec += 3600;
    return (int)status;
}
time_t time(time_t* at) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at) *at = now.tv_sec;
    return now.tv_sec;
}
END
    cc -shared -fPIC "-DJUMPED=\"$case_folder/jumped\"" -o "$case_folder/clock.so" "$case_folder/clock.c" ||
        skipped "the library does not compile"
    allocate
    write_job 7 3s
    start_job "$(launcher | sed "s|ROOFTUNE_LOCK|LD_PRELOAD=$case_folder/clock.so ROOFTUNE_LOCK|")"
    await_tasks 1
    touch "$case_folder/jumped"
    await_tasks 3
    rm "$case_folder/jumped"
    expect_all_well
    ! grep -q 'is lost' "$case_folder/err" || failed "a node was lost"
}

# Vectors of half the width are another kind of node: it tunes every problem for itself.
case_masked_node() {
    local width=256
    grep -q avx512f /proc/cpuinfo || width=128
    write_job 4 3s
    by_script "export ROOFTUNE_MAX_WIDTH=$width"
    expect_all_well --classes 2
}

# Two thirds of its processor's time are another's from the beginning: what it measures must decide nothing.
case_slow_node() {
    local most_behind=0.4 load
    allocate
    write_job 4 3s
    ROOFTUNE_LOCK="$case_folder/node2.lock" timeout "$patience" taskset -c 1 \
        sh -c 'while :; do :; done & while :; do :; done' &
    load=$!
    start_job
    await_job
    pkill -KILL -P "$(pgrep -P "$load")"
    kill "$load"
    expect_status 0
    expect_nothing_left
    expect_said 'node2 measures nothing that decides'
    judge
    local store="$case_folder/nodes/node2/rooftune.db" count=0
    [ ! -f "$store" ] || count=$(python3 -c "
import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute('SELECT count(*) FROM records').fetchone()[0])" "$store")
    [ "$count" = 0 ] || failed "node2 has measured: '$count' records"
}

# hold_up PID…: for a minute, less than the silence after which a node is taken for lost.
hold_up() {
    [ $# -gt 0 ] || failed "nothing to hold up"
    signal STOP "$@"
    sleep 60
    signal CONT "$@"
    expect_all_well
    ! grep -q 'is lost' "$case_folder/err" || failed "a node was lost"
}

case_agent_held_up() {
    begin 8 3s
    # shellcheck disable=SC2046
    hold_up $(agent_of node2)
}

case_stream_held_up() {
    needs_slurm
    begin 8 3s
    # shellcheck disable=SC2046
    hold_up $(client_of node2)
}

# As scancel of one step does, or a node's shutdown.
case_agent_told_to_end() {
    begin
    # shellcheck disable=SC2046
    signal TERM $(agent_of node2)
    expect_all_well
    expect_said 'node2 is lost: its agent was told to end\|node2 is lost: ended with status 130'
}

# Ctrl-C of a terminal reaches the whole foreground group, in which the launchers must not be.
case_interrupted() {
    begin
    kill -INT -- "-$coordinator"
    await_job
    expect_status 130
    expect_nothing_left
    judge --partial
    start_job
    expect_all_well
    expect_said 'goes on from an interrupted run'
}

# Before anything is there.
case_interrupted_early() {
    allocate
    write_job 4 3s
    start_job
    sleep 3
    kill -INT "$coordinator"
    await_job
    expect_status 130
    expect_nothing_left
}

# batch_script OPTIONS…: what a user would hand to sbatch.
batch_script() {
    {
        printf '%s\n' '#!/bin/bash' "#SBATCH --nodes=2 --no-kill --output=$case_folder/out --error=$case_folder/err" \
            '#SBATCH --open-mode=append' "${@/#/#SBATCH }"
        printf 'exec'
        job_words "$1" | while IFS= read -r word; do printf ' %q' "$word"; done
        echo
    } >"$case_folder/batch.sh"
}

await_batch() {
    local waited=0
    until [ -z "$(squeue -h -j "$batch" 2>/dev/null)" ] ||
        squeue -h -j "$batch" -o %T | grep -qx 'COMPLETED\|FAILED\|CANCELLED\|TIMEOUT'; do
        [ $waited -lt "$patience" ] || failed "the batch job does not end"
        sleep 1
        waited=$((waited + 1))
    done
}

case_job_cancelled() {
    local waited=0 words
    needs_slurm
    slurm_well || failed "the nodes do not come back"
    write_job 7 3s
    words="srun --nodelist={node} --nodes=1 --ntasks=1 --overlap --cpu-bind=none --input=0 $(pinned)"
    batch_script "$words"
    sed -i '/^#SBATCH srun/d' "$case_folder/batch.sh"
    batch=$(sbatch --parsable "$case_folder/batch.sh") || failed "no batch job"
    until grep -q '"task"' "$case_folder/tuned/job.nodes.jsonl" 2>/dev/null; do
        [ $waited -lt "$patience" ] || failed "nothing is tuned"
        sleep 1
        waited=$((waited + 1))
    done
    gap_from_now 10
    scancel "$batch"
    await_batch
    expect_nothing_left
    slurm_well || failed "the nodes do not come back"
    batch=$(sbatch --parsable "$case_folder/batch.sh") || failed "no batch job"
    await_batch
    expect_nothing_left
    judge
    expect_said 'goes on from an interrupted run'
}

# The signal before the limit reaches the coordinator alone. It comes a minute or two after the start.
case_time_limit() {
    local words
    needs_slurm
    slurm_well || failed "the nodes do not come back"
    write_job 10 30s
    words="srun --nodelist={node} --nodes=1 --ntasks=1 --overlap --cpu-bind=none --input=0 $(pinned)"
    batch_script "$words" --time=3 --signal=B:TERM@60
    sed -i '/^#SBATCH srun/d' "$case_folder/batch.sh"
    batch=$(sbatch --parsable "$case_folder/batch.sh") || failed "no batch job"
    await_batch
    expect_nothing_left
    expect_said 'the nodes end with what they have'
    judge --partial
    sed -i '/--time/d' "$case_folder/batch.sh"
    slurm_well || failed "the nodes do not come back"
    batch=$(sbatch --parsable "$case_folder/batch.sh") || failed "no batch job"
    await_batch
    expect_nothing_left
    judge
    expect_said 'goes on from an interrupted run'
}

# Twenty, a few seconds apart, of whatever may break.
case_random_faults() {
    local count=0 node pids status=
    begin 14 20s
    RANDOM=${ROOFTUNE_FAULTS_SEED:-1}
    while [ $count -lt 20 ]; do
        if ! kill -0 "$coordinator" 2>/dev/null; then
            wait "$coordinator" 2>/dev/null
            status=$?
            [ "$status" = 137 ] || break
            expect_nothing_left
            start_job
            sleep 25
        fi
        gap_from_now 6
        node=${nodes[RANDOM % 2]}
        mapfile -t pids < <(agent_of "$node")
        case $((RANDOM % 6)) in
        0) signal KILL "${pids[@]}" ;;
        1) signal TERM "${pids[@]}" ;;
        2)
            signal STOP "${pids[@]}"
            sleep 3
            signal CONT "${pids[@]}"
            ;;
        3)
            # A worker, which the agent starts again.
            mapfile -t pids < <(for pid in "${pids[@]}"; do pgrep -P "$pid"; done)
            signal KILL "${pids[@]}"
            ;;
        4)
            mapfile -t pids < <(client_of "$node")
            signal KILL "${pids[@]}"
            ;;
        5)
            [ $((count % 3)) = 0 ] || continue
            kill -9 "$coordinator"
            ;;
        esac
        count=$((count + 1))
        printf '%s faults\n' "$count" >>"$case_folder/err"
        sleep $((2 + RANDOM % 5))
    done
    [ $count = 20 ] || failed "the job ended after $count faults"
    await_job
    [ "$status" != 137 ] || {
        start_job
        await_job
    }
    expect_nothing_left
    [ "$status" -le 1 ] || failed "ended with $status after $count faults"
    judge --stated
}

case_ssh() {
    local settings
    "$here/sshd.sh" available || skipped "there is no sshd"
    settings=$("$here/sshd.sh" start "$folder/sshd") || failed "sshd does not start"
    eval "$settings"
    write_job 7 3s
    start_job "$ROOFTUNE_SSH {node} $(pinned)"
    await_tasks 1
    gap_from_now
    # shellcheck disable=SC2046
    signal KILL $(agent_of node2)
    expect_all_well
}

case_mpirun() {
    local root=
    command -v mpirun >/dev/null || skipped "there is no mpirun"
    [ "$(id -u)" != 0 ] || root=--allow-run-as-root
    write_job 7 3s
    start_job "mpirun $root --host localhost -n 1 $(pinned)"
    await_tasks 1
    gap_from_now
    # shellcheck disable=SC2046
    signal KILL $(agent_of node2)
    expect_all_well
}

# by_script WHAT: a launcher that does WHAT on node2, with the agent's words in "$@", and starts the agent elsewhere.
by_script() {
    cat >"$case_folder/launch.sh" <<END
node=\$1 index=\$2
shift 2
export ROOFTUNE_LOCK=$case_folder/\$node.lock
if [ \$node = node2 ]; then
    $1
fi
exec taskset -c \$index "\$@"
END
    start_job "sh $case_folder/launch.sh {node} {index}"
}

# What an agent of this build would say at first, into hello.
say_hello() {
    "$program" agent </dev/null 2>/dev/null | head -n 1 >"$case_folder/hello"
    grep -q '"build"' "$case_folder/hello" || failed "an agent says no hello"
}

case_other_version() {
    say_hello
    sed -i 's/"build":"[^"]*"/"build":"another"/' "$case_folder/hello"
    write_job 3 2s
    by_script "cat $case_folder/hello; exec sleep 600"
    expect_all_well
    expect_said 'node2 takes no part.*another build'
}

# Nobody is left then: it ends at once, and says why.
case_other_versions_only() {
    say_hello
    sed -i 's/"build":"[^"]*"/"build":"another"/' "$case_folder/hello"
    write_job 3 2s
    start_job "sh -c 'cat $case_folder/hello; sleep 5; exit 0'"
    await_job
    expect_status 3
    expect_said 'another build'
    expect_nothing_left
}

case_banners() {
    write_job 3 2s
    by_script "printf 'Welcome!\nhello {\"rooftune\"\n\001\377\n'; echo 'motd' >&2"
    expect_all_well
    ! grep -q 'is lost' "$case_folder/err" || failed "a node was lost"
}

case_garbage() {
    write_job 3 2s
    by_script "head -c 3000000 /dev/urandom; exec sleep 600"
    expect_all_well
    expect_said 'node2 is lost'
}

case_garbage_after_hello() {
    say_hello
    write_job 3 2s
    by_script "cat $case_folder/hello; head -c 100000 /dev/urandom; exec sleep 600"
    expect_all_well
    expect_said 'node2 is lost: what it said is no message'
}

# Each is a message, and none of them is one that it may send now.
case_wrong_messages() {
    say_hello
    write_job 3 2s
    by_script "cat $case_folder/hello
    case \$((\$(date +%s) % 5)) in
    0) echo '{\"rooftune\":\"end\",\"body\":{}}' ;;
    1) echo '{\"rooftune\":\"dance\",\"body\":{}}' ;;
    2) echo '{\"rooftune\":\"progress\",\"body\":{\"stage\":1}}' ;;
    3) echo '{\"rooftune\":\"assisted\",\"body\":{\"id\":7,\"why\":\"\"}}' ;;
    4) cat $case_folder/hello ;;
    esac
    exec sleep 600"
    expect_all_well
    expect_said 'node2 is lost'
}

# Others wait for its ceilings for a minute and a half, and then begin.
case_agent_silent() {
    write_job 3 2s
    by_script "exec sleep 600"
    expect_all_well
}
