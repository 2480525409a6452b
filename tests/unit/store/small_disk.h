// A small disk for a test, where the test may mount one.
#pragma once

#include <sys/mount.h>
#include <unistd.h>

#include <string>

#include "tests/unit/formats/temporary_folder.h"

namespace rooftune::test {

/// A file system of its own in memory, gone with this object.
class SmallDisk {
public:
    explicit SmallDisk(std::size_t bytes) {
        const std::string size = "size=" + std::to_string(bytes);
        mounted_ = ::mount("rooftune-test", folder_.path().c_str(), "tmpfs", 0, size.c_str()) == 0;
    }
    ~SmallDisk() {
        if (mounted_) ::umount2(folder_.path().c_str(), MNT_DETACH);
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

    bool mounted() const { return mounted_; }
    bool make_read_only() {
        return ::mount(nullptr, folder_.path().c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) == 0;
    }
    std::string file(const std::string& name) const { return folder_.file(name); }

private:
    TemporaryFolder folder_;
    bool mounted_ = false;
};

}  // namespace rooftune::test
