# For test_launcher.sh, which sets $checkout, $shell, $scratch and $failures, and $case for each case.

# ---- the false world ----------------------------------------------------------------------------

# new_world: a fresh checkout in $top (its path holds a blank), commands in $bin, logs in $calls.
new_world() {
    world=$scratch/world
    rm -rf "$world"
    top="$world/check out"
    bin=$world/bin
    calls=$world/calls
    mkdir -p "$top/cmake" "$top/models" "$top/kernels" "$top/tuner" "$top/tests" "$bin" "$world/home"
    cp "$checkout/rooftune" "$top/"
    printf '# two packages\ng++ gcc-c++ gcc\n\nlibtbb-dev  tbb-devel  onetbb\n' >"$top/cmake/packages.txt"
    echo 'int main() {}' >"$top/tuner/main.cpp"
    echo 'project(rooftune VERSION 1.2.3 LANGUAGES CXX' >"$top/CMakeLists.txt"
    echo '{}' >"$top/CMakePresets.json"
    mkdir -p "$top/tests/peers/alpha" "$top/tests/peers/beta" "$top/tests/peers/shared"
    echo 'int main() {}' | tee "$top/tests/peers/alpha/main.cpp" >"$top/tests/peers/beta/main.cpp"
    printf '# peers\nalpha libalpha-dev libmore-dev\nbeta\n' >"$top/tests/peers/packages.txt"
    # Sources are older than any stamp a test writes.
    find "$top" -exec touch -d '1 hour ago' {} +
    : >"$calls"
    : >"$world/installed"
    touch -d '1 hour ago' "$world/dpkg-status"
    distribution 'PRETTY_NAME="False Linux 12 (nowhere)"' ID=debian
    for name in basename cat cksum cp cut date dirname env find flock head mkdir mv nproc readlink rm sed sleep stat tail touch; do
        ln -s "$(command -v "$name")" "$bin/$name"
    done

    false_command id 'echo 0'
    false_command dpkg-query '
        echo "dpkg-query" >>"$calls"
        while read -r name; do printf "installed=%s " "$name"; done <"$world/installed"'
    # Refuses with "Unable to locate" until lists are there; `unavailable` never comes.
    false_command apt-get '
        echo "apt-get $* [${DEBIAN_FRONTEND:-}]" >>"$calls"
        case "$*" in *update*) touch "$world/lists"; exit 0 ;; esac
        if ! [ -e "$world/lists" ] || [ -e "$world/unavailable" ]; then echo "E: Unable to locate package"; exit 100; fi
        for word; do case $word in -* | DPkg* | install) ;; *) echo "$word" >>"$world/installed" ;; esac; done'
    # Configuring leaves what the launcher looks for; building writes a program that shows its arguments.
    false_command cmake '
        echo "cmake $*" >>"$calls"
        case $1 in
        --build)
            if [ -e "$world/slow" ]; then sleep 1; fi
            if [ -e "$world/broken" ]; then echo "main.cpp:1: error: no luck"; exit 1; fi
            echo "[1/2] Building"
            echo "[2/2] Linking"
            made=$2/rooftune
            for last; do :; done
            case $last in peers_*) mkdir -p "$2/tests"; made=$2/tests/$last ;; esac
            printf "%s\n" "#!$shell" "echo program" "if [ -e /proc/\$\$/fd/9 ]; then echo holds the lock; fi" "for a; do echo \"<\$a>\"; done" "exit 7" >"$made"
            "$real_chmod" +x "$made" ;;
        *)
            if [ -e "$world/unconfigurable" ]; then echo "Could NOT find TBB"; exit 1; fi
            for last; do :; done
            mkdir -p "$last"
            touch "$last/build.ninja"
            echo "CMAKE_HOME_DIRECTORY:INTERNAL=$top" >"$last/CMakeCache.txt" ;;
        esac'
    false_command ctest '
        echo "ctest $*" >>"$calls"
        case "$*" in *-N*) printf "  Test  #1: unit_a\n  Test #12: unit_b\n\nTotal Tests: 2\n"; exit 0 ;; esac
        echo "data=${ROOFTUNE_DATA:-none}" >>"$calls"
        echo "100% tests passed"
        exit 5'
    false_command ninja ':'
}

real_chmod=$(command -v chmod)
false_command() {
    {
        echo "#!$shell"
        echo "world='$world' calls='$calls' bin='$bin' top='$top' shell='$shell' real_chmod='$real_chmod'"
        echo "$2"
    } >"$bin/$1"
    chmod +x "$bin/$1"
}

# owned_by_a_stranger FOLDER: that and what lies in it seem to belong to somebody who is neither this user nor root.
owned_by_a_stranger() {
    rm -f "$bin/stat"
    false_command stat '
        for file; do
            case $file in
            "'"$1"'" | "'"$1"'"/*) echo 54321 ;;
            /*) '"$real_stat"' -L -c %u "$file" ;;
            esac
        done'
}
real_stat=$(command -v stat)

# distribution LINE ...: what this system says it is.
distribution() { printf '%s\n' "$@" >"$world/os-release"; }

# not_debian LINE ...: another distribution, without what Debian installs packages with.
not_debian() {
    rm "$bin/apt-get" "$bin/dpkg-query"
    distribution "$@"
}

# launch_as_another ARG ...: like launch, by somebody who can write neither the checkout nor build/.
launch_as_another() {
    "$real_chmod" -R a+rX "$scratch"
    "$real_chmod" -R a-w "$top"
    [ -z "$writable_build" ] || "$real_chmod" a+w "$top/build"
    mkdir -p "$world/home"
    "$real_chmod" a+rwx "$world/home"
    [ "$(id -u)" != 0 ] || another='setpriv --reuid=65534 --clear-groups'
    launch "$@"
    another=
    "$real_chmod" -R u+w "$top"
}
another=
writable_build=

# launch ARG ...: output in $out and $err, status in $status.
launch() {
    # shellcheck disable=SC2086  # a command with its arguments
    (cd "$world" && $another env -i PATH="$bin" HOME="$world/home" ${data:+ROOFTUNE_DATA="$data"} \
        ROOFTUNE_OS_RELEASE="$world/os-release" ROOFTUNE_DPKG_STATUS="$world/dpkg-status" \
        ${meminfo:+ROOFTUNE_MEMINFO="$meminfo"} \
        ${build_dir:+ROOFTUNE_BUILD_DIR="$build_dir"} \
        "$shell" "$top/rooftune" "$@" \
        </dev/null >"$world/out" 2>"$world/err")
    status=$?
    out=$(cat "$world/out")
    err=$(cat "$world/err")
}
data=
build_dir=
meminfo=

fail() {
    failures=$((failures + 1))
    echo "FAILED $case: $*"
    sed 's/^/    stderr: /' "$world/err"
    sed 's/^/    call:   /' "$calls"
}
status_is() { [ "$status" = "$1" ] || fail "status $status instead of $1"; }
printed() { case $out in *"$1"*) ;; *) fail "did not print: $1" ;; esac; }
said() { case $err in *"$1"*) ;; *) fail "did not say: $1" ;; esac; }
silent() { [ -z "$err" ] || fail "said something: $err"; }
called() { grep -qF -- "$1" "$calls" || fail "no call: $1"; }
not_called() { ! grep -qF -- "$1" "$calls" || fail "call that should not be: $1"; }
calls_of() { grep -cF -- "$1" "$calls"; }
all_installed() { printf 'g++\nlibtbb-dev\n' >"$world/installed"; }
forget_calls() { : >"$calls"; }
# Of what a build needs nothing is called, and no folder appears.
no_build_began() {
    [ ! -s "$calls" ] || fail 'packages were asked for, or a build began'
    [ ! -e "$top/build" ] || fail 'build/ was made'
}
