#!/bin/bash
# Jobs over two nodes while things go wrong: each case is a real run, and is judged by what it left.
#   tests/cluster/faults.sh FOLDER [CASE…]    every file in FOLDER; all cases where none is named
#   tests/cluster/faults.sh list              the cases
# The nodes are those of tests/cluster/slurm.sh where Slurm is there and ROOFTUNE_CLUSTER is not "local", else two
# agents that this machine starts without anybody between. The program is $ROOFTUNE_PROGRAM, or that of the
# checkout's build folder. A line a case: its name, ok, FAILED or skipped, why, seconds. Ends with 1 where a case
# failed, and with 77 where none could be run.
set -u

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=${ROOFTUNE_PROGRAM:-$here/../../build/rooftune}
# A loaded machine takes its time; a run that hangs never ends.
patience=${ROOFTUNE_FAULTS_PATIENCE:-400}
nodes=(node1 node2)

# shellcheck source=tests/cluster/fault_cases.sh
. "$here/fault_cases.sh"

usage() {
    sed -n '2,4s/^# *//p' "$0" >&2
    exit 2
}

say() {
    printf 'faults.sh: %s\n' "$*" >&2
}

# A case ends with one of these; it runs in a shell of its own.
failed() {
    printf 'FAILED %s\n' "$*" >"$case_folder/verdict"
    exit 1
}
skipped() {
    printf 'skipped %s\n' "$*" >"$case_folder/verdict"
    exit 0
}

# --- Jobs ---

# write_job PROBLEMS BUDGET: small ones, of which every family has some. All are different, so that each has to be tuned.
write_job() {
    problems=$1
    python3 - "$1" "$2" >"$case_folder/job.json" <<'END' || failed "no job file"
import json, sys
count, budget = int(sys.argv[1]), sys.argv[2]
def problem(i):
    n = i // 3
    if i % 3 == 0: return "spmv", {"gen": "poisson27", "nx": str(12 + 2 * n), "dtype": "f64"}
    if i % 3 == 1: return "stencil", {"points": "7", "nx": str(32 + 16 * n), "ny": "32", "nz": "32", "dtype": "f64"}
    return "matmul", {"m": str(96 + 16 * n), "n": "96", "k": "96", "dtype": "f64"}
json.dump({"schema": "rooftune/job/1", "problems": [
    {"family": f, "problem": p, "budget": budget} for f, p in map(problem, range(count))]}, sys.stdout)
END
}

# What an agent is started with: a lock of its own, since both nodes are this machine, and one processor. The lock's name
# in its environment is also what tells its processes from all others.
pinned() {
    printf 'env ROOFTUNE_LOCK=%s/{node}.lock taskset -c {index}' "$case_folder"
}

launcher() {
    if [ "$cluster" = slurm ]; then
        printf 'srun --jobid=%s --nodelist={node} --nodes=1 --ntasks=1 --overlap --cpu-bind=none --input=0 ' "$allocation"
    fi
    pinned
}

# The words of the command, one a line, so that a batch script can have the same.
job_words() {
    printf '%s\n' "$program" tune --job "$case_folder/job.json" --nodes node1,node2 --launcher "$1" \
        --results "$case_folder/results" --out "$case_folder/tuned" --node-results "$case_folder/nodes/{node}" \
        --most-behind "${most_behind-0.9}"
}

# start_job [LAUNCHER]: in the background, in a process group of its own as a terminal would have it.
start_job() {
    local words
    mapfile -t words < <(job_words "${1-$(launcher)}")
    set -m
    "${words[@]}" >>"$case_folder/out" 2>>"$case_folder/err" </dev/null &
    coordinator=$!
    set +m
    printf '%s\n' "$coordinator" >"$case_folder/coordinator.pid"
}

# Waits for the end of the job, and sets `status`.
await_job() {
    local waited=0
    while kill -0 "$coordinator" 2>/dev/null; do
        [ $waited -lt $((patience * 5)) ] || failed "no end after $patience s: $(tail -n 1 "$case_folder/err")"
        sleep 0.2
        waited=$((waited + 1))
    done
    wait "$coordinator" 2>/dev/null
    status=$?
}

expect_status() {
    [ "$status" = "$1" ] || failed "ended with $status, not $1: $(tail -n 2 "$case_folder/err" | tr '\n' ' ')"
}

expect_said() {
    grep -q -- "$1" "$case_folder/err" || failed "was not said: $1"
}

# Waits until the journal has this many ended tasks. It is gone once the job has ended, which may be before.
await_tasks() {
    local waited=0
    until [ "$(grep -c '"task"' "$case_folder/tuned/job.nodes.jsonl" 2>/dev/null || :)" -ge "$1" ] 2>/dev/null; do
        kill -0 "$coordinator" 2>/dev/null || failed "the job ended before $1 tasks: $(tail -n 1 "$case_folder/err")"
        [ $waited -lt $((patience * 10)) ] || failed "no $1 tasks after $patience s"
        sleep 0.1
        waited=$((waited + 1))
    done
}

# --- Processes ---

# processes_of NODE: all that run for it, agents and what they started.
processes_of() {
    local process
    for process in /proc/[0-9]*; do
        tr '\0' '\n' 2>/dev/null <"$process/environ" | grep -Fxq "ROOFTUNE_LOCK=$case_folder/$1.lock" || continue
        ! grep -q '^State:[[:space:]]*[ZX]' "$process/status" 2>/dev/null || continue
        printf '%s\n' "${process#/proc/}"
    done 2>/dev/null
}

# agent_of NODE: the one whose words are PROGRAM agent.
agent_of() {
    local pid
    for pid in $(processes_of "$1"); do
        case $(tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline") in "$program agent ") printf '%s\n' "$pid" ;; esac
    done
}

# client_of NODE: what the coordinator started for it, srun say, with what that started here.
client_of() {
    local pid
    for pid in $(pgrep -P "$coordinator"); do
        case $(tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline") in *"$1.lock"*) printf '%s\n' "$pid" ;; esac
    done
}

# signal SIGNAL PID…: those that are gone need none.
signal() {
    local name=$1 pid
    shift
    for pid in "$@"; do kill "-$name" "$pid" 2>/dev/null; done
    return 0
}

# expect_nothing_left [SECONDS]: soon.
expect_nothing_left() {
    local node left waited=0
    while :; do
        left=
        for node in "${nodes[@]}"; do left+="$(processes_of "$node") "; done
        [ -n "${left// /}" ] || return 0
        [ $waited -lt $((2 * ${1-20})) ] || failed "still runs: $(ps -o pid=,args= -p "${left//$'\n'/ }" | head -n 2 | tr '\n' ' ')"
        sleep 0.5
        waited=$((waited + 1))
    done
}

# --- Verdicts ---

# Times between which records may be missing in one store or the other: something was killed then. A record has the second
# it was stored in.
gaps=()
gap_from_now() {
    gaps+=(--gap "$(($(date +%s) - 2)):$(($(date +%s) + ${1-3}))")
}

judge() {
    python3 "$here/judge.py" "$case_folder" --nodes "$(IFS=,; echo "${nodes[*]}")" --problems "$problems" \
        "${gaps[@]}" "$@" >"$case_folder/judge" || failed "$(tail -n 1 "$case_folder/judge")"
}

# The usual end.
expect_all_well() {
    await_job
    expect_status 0
    expect_nothing_left
    judge "$@"
}

# --- The cluster ---

slurm_up() {
    local settings
    settings=$("$here/slurm.sh" start "$folder/slurm" 2) || return 1
    eval "$settings"
}

# What one case did to the cluster is no matter of the next.
slurm_well() {
    local number waited=0
    scancel --user="$(id -un)" 2>/dev/null
    for number in 1 2; do
        kill -0 "$(cat "$folder/slurm/slurmd-node$number.pid" 2>/dev/null)" 2>/dev/null ||
            "$here/slurm.sh" node "$folder/slurm" $number
        scontrol update nodename=node$number state=resume 2>/dev/null
    done
    until [ "$(sinfo -h -N -o %T 2>/dev/null | grep -cx idle)" = 2 ]; do
        [ $waited -lt 300 ] || return 1
        sleep 0.2
        waited=$((waited + 1))
    done
}

allocate() {
    [ "$cluster" = slurm ] || return 0
    slurm_well || failed "the nodes do not come back"
    allocation=$(salloc --no-shell --no-kill --nodes=2 2>&1 | sed -n 's/.*Granted job allocation \([0-9]*\).*/\1/p')
    [ -n "$allocation" ] || failed "no allocation"
}

needs_slurm() {
    [ "$cluster" = slurm ] || skipped "needs Slurm"
}

clean_up() {
    local pid node mounted
    for case_folder in "$folder"/cases/*; do
        [ -d "$case_folder" ] || continue
        pid=$(cat "$case_folder/coordinator.pid" 2>/dev/null)
        # The number may be another's by now.
        case $(tr '\0' ' ' 2>/dev/null <"/proc/${pid:-none}/cmdline") in
        *"$case_folder/job.json"*) signal KILL "$pid" ;;
        esac
        for node in "${nodes[@]}"; do
            # shellcheck disable=SC2046 # One word each.
            signal CONT $(processes_of "$node")
            # shellcheck disable=SC2046
            signal KILL $(processes_of "$node")
        done
        for mounted in "$case_folder/nodes/node2" "$case_folder/results"; do
            ! mountpoint -q "$mounted" 2>/dev/null || umount "$mounted" 2>/dev/null || umount --lazy "$mounted"
        done
    done
    [ ! -d "$folder/sshd" ] || "$here/sshd.sh" stop "$folder/sshd"
}

end_all() {
    clean_up
    [ "$cluster" != slurm ] || "$here/slurm.sh" stop "$folder/slurm"
}

run_case() {
    local name=$1 begun verdict
    case_folder=$folder/cases/$name
    rm -rf "$case_folder"
    mkdir -p "$case_folder/nodes"
    begun=$(date +%s)
    (
        allocation=
        coordinator=
        trap - EXIT
        "case_$name"
        echo ok >"$case_folder/verdict"
    ) 2>>"$case_folder/shell"
    verdict=$(cat "$case_folder/verdict" 2>/dev/null || echo "FAILED the case itself broke off")
    printf '%-22s %-7s %s%s s\n' "$name" "${verdict%% *}" \
        "$([ "$verdict" = "${verdict#* }" ] || printf '%s, ' "${verdict#* }")" "$(($(date +%s) - begun))"
    clean_up
    case $verdict in
    ok) ran=$((ran + 1)) ;;
    FAILED*)
        ran=$((ran + 1))
        failures=$((failures + 1))
        ;;
    esac
}

[ $# -ge 1 ] || usage
mapfile -t all < <(declare -F | sed -n 's/^declare -f case_//p')
if [ "$1" = list ]; then
    printf '%s\n' "${all[@]}"
    exit 0
fi
[ -x "$program" ] || {
    say "no program at $program; build it, or name it by ROOFTUNE_PROGRAM"
    exit 2
}
program=$(realpath "$program")
[ "$(nproc)" -ge 2 ] || {
    say "skipped: two nodes need two processors"
    exit 77
}
python3 -c 'import sqlite3' 2>/dev/null || {
    say "skipped: there is no Python 3 with SQLite to judge by"
    exit 77
}
mkdir -p "$1"
folder=$(cd "$1" && pwd -P)
shift
[ $# -gt 0 ] || set -- "${all[@]}"
for name in "$@"; do
    declare -F "case_$name" >/dev/null || {
        say "there is no case $name; see tests/cluster/faults.sh list"
        exit 2
    }
done
cluster=local
if [ "${ROOFTUNE_CLUSTER:-slurm}" = slurm ] && "$here/slurm.sh" available; then cluster=slurm; fi
trap end_all EXIT
trap 'exit 130' INT TERM
if [ "$cluster" = slurm ]; then slurm_up || exit 1; fi
ran=0
failures=0
for name in "$@"; do run_case "$name"; done
[ $failures = 0 ] || exit 1
[ $ran -gt 0 ] || exit 77
