# For test_launcher.sh, which runs each function here in a new false world: packages.

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

says_which_distribution_it_found() {
    launch tune
    said 'this is False Linux 12 (nowhere); these packages are needed'
    rm "$world/os-release"
    : >"$world/installed"
    launch tune
    status_is 7
}

other_systems_build_with_what_they_have() {
    not_debian 'NAME="Own Linux"'
    launch tune
    status_is 7
}

other_systems_are_told_what_is_needed() {
    not_debian 'PRETTY_NAME="Own Linux"' ID=own
    touch "$world/unconfigurable"
    launch tune
    status_is 3
    said "this is Own Linux, which has no apt-get, so nothing was installed. Needed, by Debian's names: g++ libtbb-dev"
    said 'Could NOT find TBB'
}

fedora_and_its_like_are_told_their_own_names() {
    touch "$world/unconfigurable"
    not_debian 'PRETTY_NAME="Fedora Linux 42"' ID=fedora
    launch tune
    status_is 3
    said 'this is Fedora Linux 42, which has no apt-get'
    said '    sudo dnf install gcc-c++ tbb-devel'
    distribution 'PRETTY_NAME=Rocky' ID=rocky 'ID_LIKE="rhel centos fedora"'
    launch tune
    [ "$(printf '%s\n' "$err" | grep -c 'dnf install gcc-c++ tbb-devel')" = 1 ] || fail 'not told once what to install'
}

arch_and_its_like_are_told_their_own_names() {
    touch "$world/unconfigurable"
    not_debian ID=manjaro ID_LIKE=arch
    launch tune
    status_is 3
    said '    sudo pacman -S --needed gcc onetbb'
}

without_cmake_says_so() {
    rm "$bin/apt-get" "$bin/dpkg-query" "$bin/cmake"
    launch tune
    status_is 3
    said 'cmake'
}
