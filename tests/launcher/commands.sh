# For test_launcher.sh, which runs each function here in a new false world: tests and peers.

# ---- tests ---------------------------------------------------------------------------------------

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

# ---- peers ---------------------------------------------------------------------------------------

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
