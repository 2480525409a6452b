#include "tuner/store/machine_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "kernels/runtime/error.h"

namespace rooftune {
namespace {

/// Opens or makes the file. An existing one is opened without O_CREAT: in a sticky folder the kernel
/// (fs.protected_regular) refuses O_CREAT on another user's file, and a lock needs only reading.
int open_shared(const std::string& path) {
    while (true) {
        int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
        if (descriptor >= 0 || errno != ENOENT) return descriptor;
        descriptor = ::open(path.c_str(), O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (descriptor >= 0) {
            ::fchmod(descriptor, 0666);  // past the umask: the next user must be able to open it
            return descriptor;
        }
        if (errno != EEXIST) return descriptor;
    }
}

}  // namespace

std::string MachineLock::default_path() {
    const char* named = std::getenv("ROOFTUNE_LOCK");
    return named && *named ? named : std::string(P_tmpdir) + "/rooftune-measuring.lock";
}

MachineLock::MachineLock(const std::function<bool()>& keep_waiting, const std::string& path)
    : descriptor_(open_shared(path)) {
    const auto refuse = [&](int why) {
        return EnvironmentError(path + ": the lock for measuring cannot be taken: " + std::strerror(why) +
                                "; name another file in ROOFTUNE_LOCK");
    };
    if (descriptor_ < 0) throw refuse(errno);
    while (true) {
        if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) {
            held_ = true;
            return;
        }
        if (errno != EWOULDBLOCK && errno != EINTR) {
            const int why = errno;
            ::close(descriptor_);
            throw refuse(why);
        }
        waited_ = true;
        // Polling, because a blocking flock could not be left on Ctrl-C where handlers restart calls.
        if (keep_waiting && !keep_waiting()) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
}

MachineLock::~MachineLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace rooftune
