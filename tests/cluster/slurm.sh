#!/bin/sh
# A small Slurm cluster on this one machine, for tests that need a real scheduler:
#   eval "$(tests/cluster/slurm.sh start FOLDER [NODES])"   starts munged, slurmctld and NODES slurmd (2)
#   tests/cluster/slurm.sh node FOLDER K                    starts the slurmd of node K again
#   tests/cluster/slurm.sh stop FOLDER                      ends all of it, and may be called twice
#   tests/cluster/slurm.sh available                        says whether this machine can do so
# Needs root, as slurmd starts every task as the user who asked. README.md says more.
set -eu

# Debian keeps the daemons in sbin, which is not on every user's PATH.
PATH=$PATH:/usr/sbin:/sbin
export PATH

# How long one start may take. A loaded machine needs a few seconds, a broken cluster never comes up.
patience=${ROOFTUNE_CLUSTER_PATIENCE:-60}

say() {
    printf 'slurm.sh: %s\n' "$*" >&2
}

fail() {
    say "$@"
    exit 1
}

usage() {
    sed -n '2,6s/^# *//p' "$0" >&2
    exit 2
}

# The caller may ask before it starts anything, and skips its test where the answer is no.
available() {
    for program in munged slurmctld slurmd srun sinfo; do
        command -v "$program" >/dev/null ||
            fail "no $program here; on Debian: apt-get install slurm-wlm munge"
    done
    [ "$(id -u)" = 0 ] || fail "a Slurm cluster can be started by root only"
}

# Slurm reads folders from its own configuration, so a name has to be absolute and plain there. The longest
# socket below it is that of a step, and a socket's name may have 107 characters.
name_folder() {
    folder=$(CDPATH='' cd "$1" && pwd -P)
    case $folder in
    *[!A-Za-z0-9._/+-]*) fail "Slurm cannot use a folder of this name: $folder" ;;
    esac
    [ ${#folder} -le 70 ] || fail "too long a name for the sockets in it: $folder"
    conf=$folder/slurm.conf
    SLURM_CONF=$conf
    export SLURM_CONF
}

# Another socket on the same port would be noticed late and in a log only, so the kernel is asked first.
port_is_free() {
    ! cat /proc/net/tcp /proc/net/tcp6 2>/dev/null |
        grep -q "^ *[0-9]*: [0-9A-F]*:$(printf '%04X' "$1") "
}

# Sets base to the first of $1 free ports in a row. They lie below the ports that the kernel hands out, and
# start at another place for each process, so that clusters which start at once seldom try the same.
find_ports() {
    base=$((20000 + $$ * 41 % 11000))
    tries=0
    while [ $tries -lt 50 ]; do
        port=$base
        while [ "$port" -lt $((base + $1)) ] && port_is_free "$port"; do port=$((port + 1)); done
        [ "$port" -lt $((base + $1)) ] || return 0
        base=$((20000 + (port - 20000 + 1) % 11000))
        tries=$((tries + 1))
    done
    fail "no $1 free ports in a row"
}

# Prints the process of a pid file when it still runs the program $2: the number may belong to another now.
running() {
    pid=$(cat "$1" 2>/dev/null) || return 1
    case $pid in '' | *[!0-9]*) return 1 ;; esac
    [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = "$2" ] || return 1
    # A killed process whose parent does not ask for it stays in the table, and runs no more.
    ! grep -q '^State:[[:space:]]*Z' "/proc/$pid/status" 2>/dev/null || return 1
    printf '%s\n' "$pid"
}

# Ends the program of a pid file: kindly at first, and by force after five seconds.
end() {
    ending=$(running "$1" "$2") || return 0
    kill "$ending" 2>/dev/null || :
    waited=0
    while running "$1" "$2" >/dev/null; do
        [ $waited -lt 50 ] || kill -9 "$ending" 2>/dev/null || :
        [ $waited -lt 100 ] || fail "process $ending ($2) does not end"
        sleep 0.1
        waited=$((waited + 1))
    done
    rm -f "$1"
}

# Simple choices throughout: no accounting, no control groups (a container may have none it can write to),
# nodes that claim one processor each whatever the machine has, and short waits. A node that died is DOWN
# after SlurmdTimeout and comes back as soon as its slurmd does.
configure() {
    # The controller starts on no host but the one it is named for.
    host=$(uname -n | cut -d. -f1)
    cat <<END
ClusterName=rooftune
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$base
SlurmUser=root
SlurmdUser=root
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd-%n.log
SlurmctldDebug=info
SlurmdDebug=verbose
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
TaskPluginParam=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MpiDefault=none
SwitchType=switch/none
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
MailProg=/bin/true
KillWait=3
SlurmctldTimeout=20
SlurmdTimeout=20
InactiveLimit=0
MinJobAge=300
END
    number=1
    while [ $number -le "$nodes" ]; do
        echo "NodeName=node$number NodeHostname=$host NodeAddr=127.0.0.1 Port=$((base + number)) CPUs=1"
        number=$((number + 1))
    done
    echo "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP"
}

# A daemon's own output goes to a file too: what it says before it opens its log is found nowhere else, and
# a pipe that it held open would keep the caller's eval waiting.
start_node() {
    mkdir -p "$folder/spool-$1"
    slurmd -N "$1" </dev/null >>"$folder/slurmd-$1.out" 2>&1 ||
        fail "slurmd did not start: see $folder/slurmd-$1.out"
}

start() {
    available
    case $nodes in '' | *[!0-9]* | 0) usage ;; esac
    mkdir -p "$1"
    name_folder "$1"
    for old in "$folder"/*.pid; do
        for program in munged slurmctld slurmd; do
            ! running "$old" "$program" >/dev/null || fail "a cluster runs in $folder already; stop it first"
        done
    done
    umask 022
    rm -rf "$folder"/state "$folder"/spool-* "$folder"/munge* "$folder"/slurm*
    mkdir -p "$folder/state"
    find_ports $((nodes + 1))
    configure >"$conf"
    # slurmd looks for this file beside the other one, and would else take the machine's.
    echo 'CgroupAutomount=no' >"$folder/cgroup.conf"
    (umask 077 && dd if=/dev/urandom of="$folder/munge.key" bs=1024 count=1 2>/dev/null)
    # From here on a start that fails leaves nothing running.
    trap end_all EXIT
    trap 'exit 130' INT TERM
    # Forced, because munged finds fault with a folder below one that others may write to, like /tmp.
    munged --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" \
        --pid-file="$folder/munged.pid" --log-file="$folder/munged.log" --seed-file="$folder/munged.seed" \
        </dev/null >"$folder/munged.out" 2>&1 || fail "munged did not start: see $folder/munged.out"
    slurmctld </dev/null >"$folder/slurmctld.out" 2>&1 ||
        fail "slurmctld did not start: see $folder/slurmctld.out"
    number=1
    while [ $number -le "$nodes" ]; do
        start_node node$number
        number=$((number + 1))
    done
    await_idle
    trap - EXIT
    printf 'export SLURM_CONF=%s\n' "$conf"
}

await_idle() {
    waited=0
    # shellcheck disable=SC2126 # grep -c would end the script where it counts none.
    until [ "$(timeout 5 sinfo -h -N -o %T 2>/dev/null | grep -x idle | wc -l)" = "$nodes" ]; do
        if [ $waited -ge $((patience * 5)) ]; then
            timeout 5 sinfo -N -l >&2 || :
            fail "the nodes are not idle after $patience s: see slurmctld.log and slurmd-node*.log in $folder"
        fi
        sleep 0.2
        waited=$((waited + 1))
    done
}

# Prints the processes which this cluster's daemons left: the keeper of each step, what runs in the steps, and
# the clients that wait for it. Their environment names this cluster, but so does that of a shell which only
# means to use it, and so anything else has to come from a node to be one of them.
left_over() {
    for process in /proc/[0-9]*; do
        environment=$(tr '\0' '\n' 2>/dev/null <"$process/environ") || continue
        printf '%s\n' "$environment" | grep -Fxq "SLURM_CONF=$conf" || continue
        case $(cat "$process/comm" 2>/dev/null) in
        slurmstepd | srun | salloc | sbatch) ;;
        *) printf '%s\n' "$environment" | grep -q '^SLURMD_NODENAME=' || continue ;;
        esac
        [ "${process#/proc/}" = $$ ] || printf '%s\n' "${process#/proc/}"
    done 2>/dev/null
}

# The daemons go first, so that none starts anything new, and munged last, because the others ask it.
end_all() {
    end "$folder/slurmctld.pid" slurmctld
    for file in "$folder"/slurmd-*.pid; do
        end "$file" slurmd
    done
    # What runs may start more until it is gone itself.
    for round in 1 2 3 4 5; do
        left=$(left_over)
        [ -n "$left" ] || break
        [ "$round" = 1 ] || sleep 0.2
        # shellcheck disable=SC2086 # One word each.
        kill -9 $left 2>/dev/null || :
    done
    end "$folder/munged.pid" munged
}

case ${1-} in
available)
    [ $# = 1 ] || usage
    available
    ;;
start)
    [ $# = 2 ] || [ $# = 3 ] || usage
    nodes=${3-2}
    start "$2"
    ;;
node)
    [ $# = 3 ] || usage
    name_folder "$2"
    grep -q "^NodeName=node$3 " "$conf" || fail "no node$3 in $folder"
    end "$folder/slurmd-node$3.pid" slurmd
    start_node "node$3"
    ;;
stop)
    [ $# = 2 ] || usage
    [ -d "$2" ] || exit 0
    name_folder "$2"
    end_all
    ;;
*)
    usage
    ;;
esac
