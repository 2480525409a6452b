# For test_launcher.sh, which runs each function here in a new false world: what is answered without a build.

the_version_is_known_before_a_build() {
    launch --version
    status_is 0
    [ "$out" = 'rooftune 1.2.3 (not built yet)' ] || fail "version: $out"
    said "$build_time"
    no_build_began
}

help_before_a_build_says_that_it_takes_one() {
    for question in --help -h 'tune --help' 'track bisect -h' 'spmv nx=3 --help'; do
        # shellcheck disable=SC2086  # words of a command
        launch $question
        status_is 0
        printed 'built'
        printed "which takes $build_time"
        printed 'list families'
        no_build_began
    done
    printed "The help of 'spmv'"
}

the_help_of_a_peer_says_what_builds_the_peer() {
    launch peers alpha --help
    status_is 0
    printed "'alpha' has a program of its own, which is not built yet"
    printed 'for this comparison alone: libalpha-dev libmore-dev'
    printed "  $top/rooftune peers alpha
"
    printed "Nothing else is built yet either, and it takes $build_time"
    case $out in *'list families'*) fail 'names a command that does not build the peer' ;; esac
    no_build_began
    all_installed
    launch tune
    forget_calls
    launch peers beta -h
    status_is 0
    printed "  $top/rooftune peers beta
"
    case $out in *'Nothing else is built'* | *'comparison alone'*) fail "said of a program that is built: $out" ;; esac
    [ ! -s "$calls" ] || fail 'a question started a build'
    launch peers beta
    launch peers beta --help
    status_is 7
    [ "$out" = 'program
<--help>' ] || fail "arguments became: $out"
}

without_a_command_no_build_begins() {
    launch
    status_is 2
    [ -z "$out" ] || fail "an error on standard output: $out"
    said 'usage:'
    said "which takes $build_time"
    no_build_began
    all_installed
    launch tune
    forget_calls
    launch
    status_is 7
    [ "$out" = program ] || fail "the program did not answer: $out"
    silent
    not_called 'cmake'
}

somebody_elses_help_is_no_question() {
    all_installed
    launch track bisect --program bench -- make --help
    status_is 7
    called '--target rooftune_program'
}

questions_go_to_the_program_that_is_there() {
    all_installed
    launch tune
    forget_calls
    launch tune --help
    status_is 7
    silent
    [ "$out" = 'program
<tune>
<--help>' ] || fail "arguments became: $out"
    touch "$top/tuner/main.cpp"
    launch --version
    status_is 7
    said 'sources are newer'
    [ ! -s "$calls" ] || fail 'a question started a build'
}

questions_go_to_the_program_that_the_tests_built() {
    all_installed
    launch test
    launch --help
    status_is 7
    silent
}

# The tests build the program too: what an earlier build of the program alone was made from no longer counts.
the_newest_of_two_builds_answers() {
    all_installed
    launch tune
    touch "$top/tuner/main.cpp"
    launch test
    forget_calls
    launch --version
    status_is 7
    silent
    launch tune
    status_is 7
    silent
    not_called 'cmake'
    touch "$top/tuner/main.cpp"
    launch --version
    said 'sources are newer'
}

questions_find_a_build_in_the_cache() {
    all_installed
    : >"$top/build"
    launch tune
    forget_calls
    launch --help
    status_is 7
    [ ! -s "$calls" ] || fail 'a question started a build'
}

a_program_of_another_checkout_does_not_answer() {
    all_installed
    launch tune
    echo /elsewhere >"$top/build/.ready-program"
    launch --version
    printed 'not built yet'
}

the_readme_says_how_long_a_build_takes() {
    [ -n "$build_time" ] || fail 'the launcher names no time'
    tr '\n' ' ' <"$checkout/README.md" | grep -qF -- "$build_time" || fail "README.md does not say '$build_time'"
}
