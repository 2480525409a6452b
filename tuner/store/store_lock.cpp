#include "tuner/store/store_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "kernels/runtime/error.h"

namespace rooftune {

StoreLock::StoreLock(std::string path) : path_(std::move(path)) {
    // In a folder that others may write to, a link with this name could lead to any file of this user's.
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor_ < 0) {
        const int why = errno;
        if (why == ELOOP)
            throw EnvironmentError(path_ +
                                   ": a link, which is not followed; remove it, or name another folder "
                                   "with --results");
        throw EnvironmentError(path_ + ": cannot be made: " + std::strerror(why) +
                               "; name a folder that exists and is writable with --results");
    }
}

StoreLock::~StoreLock() {
    ::close(descriptor_);
}

bool StoreLock::lock(int operation) {
    while (::flock(descriptor_, operation) != 0) {
        if (errno == EINTR) continue;
        if (errno == EWOULDBLOCK) return false;
        throw EnvironmentError(path_ + ": cannot be locked: " + std::strerror(errno) +
                               "; name a folder on a local disk with --results");
    }
    return true;
}

void StoreLock::share() {
    lock(LOCK_SH);
}
bool StoreLock::try_exclusive() {
    return lock(LOCK_EX | LOCK_NB);
}
bool StoreLock::try_share() {
    return lock(LOCK_SH | LOCK_NB);
}
void StoreLock::release() {
    lock(LOCK_UN);
}

}  // namespace rooftune
