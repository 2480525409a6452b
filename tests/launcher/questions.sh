# For test_launcher.sh, which runs each function here in a new false world: what is answered without a build.

the_version_is_known_before_a_build() {
    launch --version
    status_is 0
    [ "$out" = 'rooftune 1.2.3 (not built yet)' ] || fail "version: $out"
    said "$build_time"
    no_build_began
}

help_before_a_build_says_that_it_takes_one() {
    for question in --help -h 'tune --help' 'track bisect -h' 'spmv nx=3 --help' 'peers alpha --help'; do
        # shellcheck disable=SC2086  # words of a command
        launch $question
        status_is 0
        printed 'built'
        printed "which takes $build_time"
        printed 'list families'
        no_build_began
    done
    printed "The help of 'peers alpha'"
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
