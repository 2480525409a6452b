# For roots.sh and deb.sh: the root of another Debian in a folder, and commands run within. Sets nothing up by itself.
#
# What is mounted is mounted in a namespace of this process's own, so that nothing stays behind, whatever happens.
# shellcheck shell=sh

stop() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 3
}

# alone ARG ...: starts the script again in a mount namespace, as root.
alone() {
    [ -z "${ROOFTUNE_ALONE:-}" ] || return 0
    [ "$(id -u)" = 0 ] || stop 'making a root takes root; run this with sudo'
    command -v debootstrap >/dev/null || stop 'debootstrap is needed: apt-get install debootstrap'
    command -v unshare >/dev/null || stop 'unshare is needed: apt-get install util-linux'
    ROOFTUNE_ALONE=yes exec unshare --mount --propagation private sh "$0" "$@"
}

# The archive that apt uses here, so that a site's own mirror is used and no host is named.
mirror() {
    found=$(apt-get indextargets --format '$(REPO_URI)' 'Origin: Debian' 'Label: Debian' 'Component: main' \
        'Identifier: Packages' 2>/dev/null | head -n 1)
    [ -n "$found" ] || stop "apt knows no archive of Debian here; add one to its sources and run apt-get update"
    echo "${found%/}"
}

# make_root FOLDER NAME SUITE: a bare Debian with git and sh in FOLDER/NAME, unless it is there. Its files are kept
# in FOLDER/SUITE.tar, from which the next one comes in seconds.
make_root() {
    root=$1/$2
    if [ ! -f "$root/.bare" ]; then
        mkdir -p "$1" || stop "cannot make $1"
        if [ ! -f "$1/$3.tar" ]; then
            rm -rf "$1/$3.new"
            echo "debootstrap of $3 (log: $1/$3.debootstrap.log)"
            debootstrap --variant=minbase --include=git "$3" "$1/$3.new" "$(mirror)" >"$1/$3.debootstrap.log" 2>&1 ||
                stop "debootstrap of $3 failed: $(tail -n 3 "$1/$3.debootstrap.log")"
            touch "$1/$3.new/.bare"
            tar -C "$1/$3.new" -cf "$1/$3.tar.new" . && mv "$1/$3.tar.new" "$1/$3.tar" && rm -rf "$1/$3.new" ||
                stop "cannot write $1/$3.tar; is the disk full?"
        fi
        rm -rf "$root"
        mkdir -p "$root" && tar -C "$root" -xf "$1/$3.tar" || stop "cannot unpack $1/$3.tar"
    fi
    cp -L /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null
    mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" && mount --rbind /sys "$root/sys" ||
        stop "cannot mount /proc, /dev and /sys in $root"
}

# within [NAME=VALUE ...] COMMAND ...: run in $root, with nothing of this environment.
within() {
    chroot "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
        LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}
