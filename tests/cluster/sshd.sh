#!/bin/sh
# A secure shell server on this machine's own loopback, for tests that reach "another" machine by ssh:
#   eval "$(tests/cluster/sshd.sh start FOLDER)"    then $ROOFTUNE_SSH node1 COMMAND
#   tests/cluster/sshd.sh stop FOLDER               ends it and its sessions, and may be called twice
#   tests/cluster/sshd.sh available                 says whether this machine can do so
# Needs no root: the server lets in the user who started it, by a key of its own. README.md says more.
set -eu

# Debian keeps the server in sbin, which is not on every user's PATH.
PATH=$PATH:/usr/sbin:/sbin
export PATH

say() {
    printf 'sshd.sh: %s\n' "$*" >&2
}

fail() {
    say "$@"
    exit 1
}

usage() {
    sed -n '2,5s/^# *//p' "$0" >&2
    exit 2
}

available() {
    for program in sshd ssh ssh-keygen; do
        command -v "$program" >/dev/null ||
            fail "no $program here; on Debian: apt-get install openssh-server openssh-client"
    done
}

# The names of keys stand in files that split words at spaces, and in a command that callers do not quote.
name_folder() {
    folder=$(CDPATH='' cd "$1" && pwd -P)
    case $folder in
    *[!A-Za-z0-9._/+-]*) fail "ssh cannot use a folder of this name: $folder" ;;
    esac
}

# Prints the server of this folder when it runs. The number in the pid file may belong to another by now, so
# the process has to name this folder's configuration too.
running() {
    pid=$(cat "$folder/sshd.pid" 2>/dev/null) || return 1
    case $pid in '' | *[!0-9]*) return 1 ;; esac
    tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" | grep -Fq " $folder/sshd_config" || return 1
    printf '%s\n' "$pid"
}

configure_server() {
    cat <<END
Port $1
ListenAddress 127.0.0.1
HostKey $folder/host_key
AuthorizedKeysFile $folder/key.pub
PidFile $folder/sshd.pid
AuthenticationMethods publickey
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
PermitRootLogin prohibit-password
AllowUsers $(id -un)
# The folder may lie below one that others may write to, like /tmp.
StrictModes no
MaxStartups 100
PrintMotd no
END
}

# Every name node1, node2, ... is this machine. The host key is known before the first call, under one name
# for all of them, so that nothing is asked and nothing is learnt.
configure_client() {
    cat <<END
Host node*
    HostName 127.0.0.1
    Port $1
    User $(id -un)
    IdentityFile $folder/key
    IdentitiesOnly yes
    IdentityAgent none
    HostKeyAlias rooftune
    UserKnownHostsFile $folder/known_hosts
    GlobalKnownHostsFile /dev/null
    StrictHostKeyChecking yes
    BatchMode yes
    ConnectTimeout 10
    LogLevel ERROR
END
}

start() {
    available
    mkdir -p "$1"
    name_folder "$1"
    ! running >/dev/null || fail "a server runs in $folder already; stop it first"
    for name in host_key host_key.pub key key.pub known_hosts ssh_config sshd_config sshd.pid sshd.log; do
        rm -f "$folder/$name"
    done
    umask 077
    ssh-keygen -q -t ed25519 -N '' -C rooftune -f "$folder/host_key" </dev/null
    ssh-keygen -q -t ed25519 -N '' -C rooftune -f "$folder/key" </dev/null
    printf 'rooftune %s\n' "$(cat "$folder/host_key.pub")" >"$folder/known_hosts"
    # The server of root separates its privileges in this folder, which the system's start script makes.
    [ "$(id -u)" != 0 ] || [ -d /run/sshd ] || mkdir -m 755 /run/sshd
    server=$(command -v sshd)
    # The next port is tried where one is taken: the server itself ends then. They lie below the ports that
    # the kernel hands out, and start at another place for each process.
    port=$((31000 + $$ % 1500))
    tries=0
    until configure_server "$port" >"$folder/sshd_config" && serve; do
        tries=$((tries + 1))
        [ $tries -lt 20 ] || fail "the server does not come up: see $folder/sshd.log"
        port=$((port + 1))
    done
    configure_client "$port" >"$folder/ssh_config"
    if ! ssh -F "$folder/ssh_config" node1 true </dev/null >&2; then
        stop
        fail "the server lets nobody in: see $folder/sshd.log"
    fi
    printf "export ROOFTUNE_SSH='ssh -F %s/ssh_config'\n" "$folder"
}

# Starts the server, and says whether it runs. It writes its pid file once it listens. It asks for its own
# whole name, by which it starts itself again for each session.
serve() {
    "$server" -f "$folder/sshd_config" -E "$folder/sshd.log" </dev/null >/dev/null 2>&1 || return 1
    waited=0
    until running >/dev/null; do
        [ $waited -lt 20 ] || return 1
        sleep 0.1
        waited=$((waited + 1))
    done
}

# Sessions outlive the server that took them, so they are ended too, with what runs in them, and without a
# long wait.
stop() {
    server_process=$(running) || return 0
    doomed=$(below "$server_process")
    # shellcheck disable=SC2086 # One word each.
    kill $doomed 2>/dev/null || :
    sleep 0.2
    # shellcheck disable=SC2086
    kill -9 $doomed 2>/dev/null || :
    rm -f "$folder/sshd.pid"
}

# Prints a process and all that it started, directly or not.
below() {
    printf '%s\n' "$1"
    for status in /proc/[0-9]*/status; do
        grep -q "^PPid:[[:space:]]*$1\$" "$status" 2>/dev/null || continue
        status=${status#/proc/}
        below "${status%/status}"
    done
}

case ${1-} in
available)
    [ $# = 1 ] || usage
    available
    ;;
start)
    [ $# = 2 ] || usage
    start "$2"
    ;;
stop)
    [ $# = 2 ] || usage
    [ -d "$2" ] || exit 0
    name_folder "$2"
    stop
    ;;
*)
    usage
    ;;
esac
