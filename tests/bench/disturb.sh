#!/bin/bash
# Disturbs this machine as a neighbour would, until it is killed or SECONDS are over: one process takes 60 % of a
# processor in bursts of 0.2 to 5 s, drawn at random, and one streams memory for a third of the time.
#
#   tests/bench/disturb.sh [SECONDS [SEED]]
set -u
# A process group of its own, because it is killed as one.
read -r _ _ _ _ group _ <"/proc/$$/stat"
((group == $$)) || exec setsid "$0" "$@"
seconds=${1:-86400}
seed=${2:-1}
end=$((SECONDS + seconds))

# Numbers from LOW to HIGH, one a line, for ever.
draws() {
    awk -v low="$1" -v high="$2" -v seed="$3" 'BEGIN { srand(seed); for (;;) print low + (high - low) * rand() }'
}

take_processor() {
    local burst pause
    while ((SECONDS < end)) && read -r burst; do
        pause=$(awk -v b="$burst" 'BEGIN { print b * 0.4 / 0.6 }')
        timeout --foreground "$burst" sh -c 'while :; do :; done'
        sleep "$pause"
    done < <(draws 0.2 5 "$seed")
}

# The kernel clears a buffer that no cache holds, again and again.
stream_memory() {
    local burst pause
    while ((SECONDS < end)) && read -r burst; do
        pause=$(awk -v b="$burst" 'BEGIN { print 2 * b }')
        timeout --foreground "$burst" dd if=/dev/zero of=/dev/null bs=256M 2>/dev/null
        sleep "$pause"
    done < <(draws 0.3 3 $((seed + 1)))
}

trap 'trap - TERM INT EXIT; kill 0' TERM INT EXIT
take_processor &
stream_memory &
wait
