#!/bin/sh
# Tests of the launcher: a copy of it in a small false checkout, with false apt-get, dpkg-query, sudo,
# cmake and ctest in front of a PATH that holds only named commands, so that what should be absent is.
# The false commands log their calls. Nothing is installed and nothing is compiled.
#
# usage: test_launcher.sh CHECKOUT [CASE]
set -u

checkout=$1
only=${2:-}
shell=$(command -v dash || command -v sh)
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
failures=0

# The false world, and what cases ask of it.
. "$(dirname "$0")/world.sh"

# ---- packages -----------------------------------------------------------------------------------

installs_as_root() {
    echo g++ >"$world/installed"
    touch "$world/lists"
    launch tune
    status_is 7
    said 'not installed: libtbb-dev'
    said 'installing them: apt-get install -y --no-install-recommends libtbb-dev'
    called 'install -y --no-install-recommends libtbb-dev [noninteractive]'
    not_called 'update'
    [ "$out" = 'program
<tune>' ] || fail "output of others on stdout: $out"
}

fetches_lists_when_there_are_none() {
    launch tune
    status_is 7
    called 'update'
    [ "$(calls_of ' install ')" = 2 ] || fail 'should have tried to install before and after the update'
}

says_when_packages_cannot_be_had() {
    touch "$world/unavailable"
    launch tune
    status_is 3
    said 'could not install: g++ libtbb-dev'
    said 'E: Unable to locate package'
    said "$top/build/packages.log"
    not_called 'cmake'
}

checks_that_apt_kept_its_word() {
    false_command apt-get 'exit 0'
    launch tune
    status_is 3
    said 'still not installed: g++ libtbb-dev'
}

without_privilege_prints_the_command() {
    false_command id 'echo 1000'
    launch tune
    status_is 3
    said '    apt-get update && apt-get install -y --no-install-recommends g++ libtbb-dev'
    not_called 'apt-get'
}

goes_through_sudo() {
    touch "$world/lists"
    false_command id 'echo 1000'
    false_command sudo 'echo "sudo $*" >>"$calls"; case $1 in -n) ;; *) exec "$@" ;; esac'
    launch tune
    status_is 7
    said 'installing them: sudo apt-get install'
    called 'sudo env DEBIAN_FRONTEND=noninteractive apt-get'
}

sudo_that_asks_is_not_run_without_a_terminal() {
    false_command id 'echo 1000'
    false_command sudo 'echo "sudo $*" >>"$calls"; echo "sudo: a password is required" >&2; exit 1'
    launch tune
    status_is 3
    said '    sudo apt-get update && sudo apt-get install -y --no-install-recommends g++ libtbb-dev'
    not_called 'apt-get'
}

a_removed_package_is_missing() {
    false_command dpkg-query 'printf "config-files=g++ installed=libtbb-dev "'
    false_command apt-get 'echo "apt-get $*" >>"$calls"; exit 1'
    launch tune
    status_is 3
    said 'not installed: g++'
}

a_name_within_a_name_is_not_a_package() {
    printf 'g++-12\nlibtbb-dev\n' >"$world/installed"
    touch "$world/lists"
    launch tune
    said 'not installed: g++'
}

other_systems_build_with_what_they_have() {
    rm "$bin/apt-get" "$bin/dpkg-query"
    launch tune
    status_is 7
}

other_systems_are_told_what_is_needed() {
    rm "$bin/apt-get" "$bin/dpkg-query"
    touch "$world/unconfigurable"
    launch tune
    status_is 3
    said 'g++ libtbb-dev'
    said 'Could NOT find TBB'
}

without_cmake_says_so() {
    rm "$bin/apt-get" "$bin/dpkg-query" "$bin/cmake"
    launch tune
    status_is 3
    said 'cmake'
}

# ---- building -----------------------------------------------------------------------------------

nothing_to_do_calls_nothing() {
    all_installed
    launch tune
    called 'cmake --preset default --fresh -G Ninja -S'
    called '--target rooftune_program'
    forget_calls
    launch tune --json
    status_is 7
    silent
    [ -s "$calls" ] && fail 'the second call did something'
    return 0
}

a_newer_source_is_built() {
    all_installed
    launch tune
    for change in tuner/main.cpp models kernels cmake/targets.cmake CMakeLists.txt rooftune; do
        forget_calls
        touch "$top/$change"
        launch tune
        [ "$(calls_of 'cmake --build')" = 1 ] || fail "no build after a change of $change"
        not_called '--preset'
    done
}

a_changed_test_does_not_rebuild_the_program() {
    all_installed
    launch tune
    forget_calls
    touch "$top/tests/new.cpp"
    launch tune
    not_called 'cmake'
}

a_missing_program_is_built() {
    all_installed
    launch tune
    rm "$top/build/rooftune"
    launch tune
    status_is 7
}

changed_packages_configure_again() {
    all_installed
    launch tune
    forget_calls
    echo libnew-dev >>"$top/cmake/packages.txt"
    launch tune
    said 'not installed: libnew-dev'
    called 'cmake --preset default -S'
    not_called '--fresh'
}

a_failed_build_shows_its_log_and_is_tried_again() {
    all_installed
    touch "$world/broken"
    launch tune
    status_is 3
    said 'main.cpp:1: error: no luck'
    said "$top/build/build.log"
    launch tune
    status_is 3
    rm "$world/broken"
    launch tune
    status_is 7
}

a_failed_build_does_not_run_the_old_program() {
    all_installed
    launch tune
    touch "$world/broken" "$top/tuner/main.cpp"
    launch tune
    status_is 3
    [ -z "$out" ] || fail 'the program of an earlier build was run'
}

a_source_changed_while_building_is_built_next_time() {
    all_installed
    touch "$world/slow"
    (sleep 0.4 && touch "$top/tuner/main.cpp") &
    launch tune
    wait
    forget_calls
    launch tune
    called 'cmake --build'
}

a_moved_checkout_starts_over() {
    all_installed
    launch tune
    sed -i 's/=.*/=\/elsewhere/' "$top/build/CMakeCache.txt"
    echo /elsewhere >"$top/build/.ready-program"
    launch tune
    status_is 7
    said 'was built from /elsewhere; starting over'
    called '--fresh'
}

two_at_once_build_once() {
    all_installed
    touch "$world/slow"
    (cd "$world" && env -i PATH="$bin" HOME="$world/home" "$shell" "$top/rooftune" one >"$world/first.out" 2>"$world/first.err") &
    sleep 0.3
    launch two
    wait
    status_is 7
    said 'waiting for another build'
    [ "$(calls_of 'cmake --build')" = 1 ] || fail "$(calls_of 'cmake --build') builds"
    grep -q '<one>' "$world/first.out" || fail 'the first call did not run the program'
}

two_at_once_without_flock() {
    rm "$bin/flock"
    two_at_once_build_once
    [ ! -e "$top/build/.lock.d" ] || fail 'a lock was left behind'
}

a_stale_lock_is_taken_over() {
    rm "$bin/flock"
    all_installed
    mkdir -p "$top/build/.lock.d"
    # A process that has ended.
    : & dead=$!
    wait
    echo "$dead" >"$top/build/.lock.d/owner"
    launch tune
    status_is 7
}

the_program_does_not_hold_the_lock() {
    all_installed
    launch tune
    case $out in *'holds the lock'*) fail 'another build would wait until the program ends' ;; esac
}

# ---- where things are ---------------------------------------------------------------------------

arguments_arrive_unchanged() {
    all_installed
    launch 'two words' '' '*' '$HOME' 'back\slash' '--json'
    [ "$out" = 'program
<two words>
<>
<*>
<$HOME>
<back\slash>
<--json>' ] || fail "arguments became: $out"
}

a_folder_of_ones_own() {
    all_installed
    build_dir='my build'
    launch tune
    build_dir=
    status_is 7
    [ -x "$world/my build/rooftune" ] || fail 'not built in ROOFTUNE_BUILD_DIR'
    [ ! -e "$top/build" ] || fail 'build/ was made all the same'
}

# A file where build/ would be stands in for a checkout that cannot be written: root may write anywhere.
a_read_only_checkout_builds_in_the_cache() {
    all_installed
    : >"$top/build"
    launch tune
    status_is 7
    ls "$world/home/.cache/rooftune"/build-*/rooftune >/dev/null || fail 'not built in the cache'
}

an_unusable_folder_of_ones_own_is_named() {
    all_installed
    : >"$world/file"
    build_dir=$world/file
    launch tune
    build_dir=
    status_is 3
    said "$world/file"
}

called_through_a_link() {
    all_installed
    launch tune
    ln -s "$top/rooftune" "$world/link"
    forget_calls
    out=$(env -i PATH="$bin" "$shell" "$world/link" x)
    [ "$out" = 'program
<x>' ] || fail "through a link: $out"
    not_called 'cmake'
}

an_incomplete_checkout_is_named() {
    rm "$top/cmake/packages.txt"
    launch tune
    status_is 3
    said 'packages.txt is not there'
}

# ---- tests --------------------------------------------------------------------------------------

test_builds_all_and_runs_ctest() {
    all_installed
    mkdir "$world/data"
    data=data
    launch test -R 'a b'
    data=
    status_is 5
    called '--target all'
    called "ctest --test-dir $top/build --output-on-failure -R a b"
    called "data=$world/data"
    [ "$out" = '100% tests passed' ] || fail "output: $out"
}

test_under_sanitizers_builds_unit_tests_only() {
    all_installed
    launch test -V --sanitize
    status_is 5
    called "cmake --preset sanitize --fresh -G Ninja -S $top -B $top/build/sanitize"
    called '--target unit_a unit_b'
    called "ctest --test-dir $top/build/sanitize --output-on-failure -L unit -V"
    forget_calls
    launch test --sanitize
    not_called 'cmake'
}

test_names_data_that_is_not_there() {
    all_installed
    data=$world/nowhere
    launch test
    data=
    status_is 3
    said 'ROOFTUNE_DATA is not a folder'
}

test_explains_itself() {
    launch test --help
    status_is 0
    case $out in *--sanitize*) ;; *) fail "help: $out" ;; esac
}

# ---- peers --------------------------------------------------------------------------------------

a_peer_is_installed_built_and_run() {
    touch "$world/lists"
    launch peers alpha 'n=1 000' --json
    status_is 7
    said 'not installed: g++ libtbb-dev libalpha-dev libmore-dev'
    called 'install -y --no-install-recommends g++ libtbb-dev libalpha-dev libmore-dev'
    called '-DROOFTUNE_PEERS=ON'
    called '--target peers_alpha'
    [ "$out" = 'program
<n=1 000>
<--json>' ] || fail "arguments became: $out"
    forget_calls
    launch peers alpha
    silent
    not_called 'cmake'
}

only_a_peer_needs_its_packages() {
    all_installed
    launch peers beta
    status_is 7
    not_called 'apt-get'
    launch tune
    status_is 7
    not_called 'libalpha-dev'
    not_called '--target peers_alpha'
}

a_peer_is_built_in_a_folder_that_stands() {
    all_installed
    launch tune
    forget_calls
    launch peers beta
    called 'cmake --preset default -DROOFTUNE_PEERS=ON -S'
    not_called '--fresh'
    forget_calls
    touch "$top/tests/peers/beta/main.cpp"
    launch tune
    not_called 'cmake'
    launch peers beta
    called '--target peers_beta'
}

unknown_peers_are_refused_with_a_list() {
    for name in gamma shared ../alpha ''; do
        launch peers "$name"
        status_is 2
        case "$out$err" in *alpha*beta*) ;; *) fail "no list of peers for '$name'" ;; esac
    done
    launch peers
    status_is 2
    [ ! -s "$calls" ] || fail 'something was installed or built'
}

peers_explain_themselves() {
    launch peers --help
    status_is 0
    case $out in *alpha*beta*) ;; *) fail "help: $out" ;; esac
    case $out in *shared*) fail 'a folder without a program is listed' ;; esac
}

# ---- all of them --------------------------------------------------------------------------------

cases=$(sed -n 's/^\([a-z_]*\)() {$/\1/p' "$0" | sed -n '/^installs_as_root$/,$p')
ran=0
for case in $cases; do
    [ -z "$only" ] || [ "$only" = "$case" ] || continue
    new_world
    : >"$world/err"
    "$case"
    ran=$((ran + 1))
done
echo "$ran cases, $failures failures"
[ "$ran" -gt 0 ] && [ "$failures" = 0 ]
