# For test_launcher.sh, which runs each function here in a new false world: building, and where.

# ---- building ------------------------------------------------------------------------------------

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

packages_that_came_since_are_looked_at() {
    all_installed
    launch tune
    forget_calls
    touch "$world/dpkg-status"
    launch tune
    called 'dpkg-query'
    called 'cmake --build'
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
    echo 'libnew-dev new-devel new' >>"$top/cmake/packages.txt"
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

a_first_build_says_how_long_it_takes() {
    all_installed
    launch tune
    said "nothing is built yet; the build takes $build_time"
    touch "$top/tuner/main.cpp"
    launch tune
    case $err in *'nothing is built'*) fail 'said again when there was a program' ;; esac
}

no_more_compilers_at_once_than_memory_carries() {
    all_installed
    rm "$bin/nproc"
    false_command nproc 'echo 16'
    meminfo=$world/meminfo
    printf 'MemTotal: 99000000 kB\nMemAvailable: 5100000 kB\n' >"$meminfo"
    launch tune
    called '--parallel 5 '
    launch test --sanitize
    called '--parallel 4 '
    printf 'MemAvailable: 500000 kB\n' >"$meminfo"
    launch test
    called '--parallel 1 '
    meminfo=$world/none
    touch "$top/tuner/main.cpp"
    launch tune
    called '--parallel 16 '
    meminfo=
}

# ---- where things are ----------------------------------------------------------------------------

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

a_relative_folder_of_ones_own_is_seen_from_anywhere() {
    all_installed
    build_dir=mine
    launch tune
    forget_calls
    launch tune
    status_is 7
    not_called 'cmake'
    touch "$top/tuner/main.cpp"
    launch --version
    said 'sources are newer'
    launch tune
    build_dir=
    called 'cmake --build'
}

sources_that_cannot_be_searched_are_not_up_to_date() {
    all_installed
    launch tune
    forget_calls
    mv "$top/kernels" "$top/elsewhere"
    launch tune
    called 'cmake --build'
}

a_system_without_a_list_of_packages_is_up_to_date() {
    all_installed
    rm "$world/dpkg-status"
    launch tune
    forget_calls
    launch tune
    status_is 7
    not_called 'cmake'
}

# A file where build/ would be stands in for a checkout that cannot be written: root may write anywhere.
a_read_only_checkout_builds_in_the_cache() {
    all_installed
    : >"$top/build"
    launch tune
    status_is 7
    ls "$world/home/.cache/rooftune"/build-*/rooftune >/dev/null || fail 'not built in the cache'
}

somebody_elses_build_is_run() {
    all_installed
    launch tune
    forget_calls
    touch "$world/dpkg-status"
    launch_as_another tune x
    status_is 7
    silent
    [ "$out" = 'program
<tune>
<x>' ] || fail "arguments became: $out"
    [ ! -s "$calls" ] || fail 'something was asked for or built'
    [ ! -e "$world/home/.cache" ] || fail 'a folder was made in the cache'
    build_dir=$top/build
    launch_as_another tune
    build_dir=
    status_is 7
}

somebody_elses_build_that_is_out_of_date_is_run_and_said_to_be() {
    all_installed
    launch tune
    forget_calls
    touch "$top/tuner/main.cpp"
    false_command id 'echo 65534'
    launch_as_another tune x
    status_is 7
    said "sources are newer than the program in $top/build, which you cannot write"
    said 'set ROOFTUNE_BUILD_DIR to a folder of your own'
    [ "$(grep -c 'sources are newer' "$world/err")" = 1 ] || fail 'said more than once'
    [ "$out" = 'program
<tune>
<x>' ] || fail "arguments became: $out"
    [ ! -s "$calls" ] || fail 'something was asked for or built'
    build_dir=$top/build
    launch_as_another tune
    build_dir=
    status_is 7
    said 'sources are newer'
}

# Of one's own and of today: better than somebody else's of yesterday.
a_newer_build_in_the_cache_is_run_in_place_of_somebody_elses() {
    all_installed
    launch tune
    mv "$top/build" "$world/aside"
    touch "$top/tuner/main.cpp"
    false_command id 'echo 65534'
    launch_as_another tune
    mv "$world/aside" "$top/build"
    forget_calls
    launch_as_another tune
    status_is 7
    silent
    [ ! -s "$calls" ] || fail 'something was asked for or built'
}

# A build with sudo leaves files of root in a folder of the user.
a_folder_of_ours_with_files_of_another_is_run_as_it_is() {
    all_installed
    launch tune
    forget_calls
    touch "$top/tuner/main.cpp"
    false_command id 'echo 65534'
    build_dir=$top/build
    writable_build=yes
    launch_as_another tune
    writable_build=
    build_dir=
    status_is 7
    said 'sources are newer'
    not_called 'cmake'
}

a_build_of_which_nothing_is_there_is_not_run() {
    all_installed
    launch tune
    rm "$top/build/rooftune"
    false_command id 'echo 65534'
    build_dir=$top/build
    launch_as_another tune
    build_dir=
    status_is 3
    said "cannot write the build folder $top/build"
}

a_strangers_program_is_not_run() {
    all_installed
    build_dir=$world/guessed
    launch tune
    owned_by_a_stranger "$build_dir"
    forget_calls
    launch tune
    status_is 3
    said "$build_dir belongs neither to you nor to root"
    said 'set ROOFTUNE_BUILD_DIR to a folder of your own'
    launch --version
    printed 'not built yet'
    launch
    status_is 2
    build_dir=
    [ ! -s "$calls" ] || fail 'something was asked for or built'
}

# The folder may be ours and yet open to all.
a_strangers_program_in_a_folder_of_ours_is_not_run() {
    all_installed
    launch tune
    owned_by_a_stranger "$top/build/rooftune"
    launch --version
    printed 'not built yet'
    forget_calls
    launch tune
    called 'cmake --build'
}

in_place_of_a_strangers_build_one_is_made_in_the_cache() {
    all_installed
    launch tune
    owned_by_a_stranger "$top/build"
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
