#include "tuner/store/machine_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <set>
#include <sstream>
#include <thread>
#include <utility>

#include "kernels/runtime/error.h"
#include "kernels/runtime/file_text.h"
#include "tuner/base/text_width.h"

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

constexpr const char* kHeld =
    "ROOFTUNE_LOCK_HELD";  // the file whose lock the process that started this one holds
constexpr std::chrono::milliseconds kPoll{50};
constexpr std::chrono::milliseconds kBeforeNotice{1000};  // who is done sooner is not worth a word

std::atomic<std::int64_t> waited_milliseconds{0};

EnvironmentError refusal(const std::string& path, int why) {
    return EnvironmentError(path + ": the lock for measuring cannot be taken: " + std::strerror(why) +
                            "; name another file in ROOFTUNE_LOCK");
}

Notice& told() {
    static Notice notice;
    return notice;
}

// The words of a process, a blank between them.
std::string command_of(int pid) {
    constexpr std::size_t kLongest = 200;
    std::string words = file_text("/proc/" + std::to_string(pid) + "/cmdline").value_or("");
    while (!words.empty() && words.back() == '\0') words.pop_back();
    return cut_to_width(printable(words), kLongest);
}

}  // namespace

// A line of /proc/locks: "3: FLOCK  ADVISORY  WRITE 1234 fe:01:5678 0 EOF"; of who waits "3: -> FLOCK …".
// Numbers of files repeat from one file system to the next, and some (btrfs, overlays) have another device
// number here than stat() gives: there only a rooftune is believed to be who is meant.
std::optional<LockHolder> MachineLock::holder(const std::string& path) {
    struct stat file {};
    if (::stat(path.c_str(), &file) != 0) return std::nullopt;
    char device[32];
    std::snprintf(device, sizeof device, "%02x:%02x:", major(file.st_dev), minor(file.st_dev));
    std::optional<LockHolder> probably;
    std::ifstream locks("/proc/locks");
    for (std::string line; std::getline(locks, line);) {
        std::istringstream in(line);
        std::string number, kind, how, access, place;
        int pid = 0;
        if (!(in >> number >> kind >> how >> access >> pid >> place) || kind != "FLOCK" || pid <= 0) continue;
        const std::size_t colon = place.rfind(':');
        if (colon == std::string::npos || place.substr(colon + 1) != std::to_string(file.st_ino)) continue;
        LockHolder who{pid, command_of(pid)};
        if (place.starts_with(device)) return who;
        if (who.command.find("rooftune") != std::string::npos) probably = std::move(who);
    }
    return probably;
}

void MachineLock::tell(Notice notice) {
    told() = std::move(notice);
}

// Once for each holder: a tune takes the lock anew for every variant.
void MachineLock::say_who_is_waited_for(const std::string& path) const {
    static std::mutex mutex;
    static std::set<int> named;
    if (!told()) return;
    const std::lock_guard lock(mutex);
    const std::optional<LockHolder> who = holder(path);
    const int pid = who ? who->pid : 0;
    if (!named.insert(pid).second) return;
    told()("waiting for " +
           (who ? "process " + std::to_string(pid) + (who->command.empty() ? "" : " (" + who->command + ")")
                : std::string("another rooftune")) +
           ", which measures on this machine: two at once would disturb each other. The budget stands still "
           "meanwhile");
}

std::string MachineLock::default_path() {
    const char* named = std::getenv("ROOFTUNE_LOCK");
    return named && *named ? named : std::string(P_tmpdir) + "/rooftune-measuring.lock";
}

double MachineLock::waited_seconds() {
    return static_cast<double>(waited_milliseconds) / 1000.0;
}

// False: told to wait no longer. `instead`: what will do as well once it took longer than anybody who waits
// in earnest leaves a lock lying.
bool MachineLock::take(int descriptor, const std::string& path, const std::function<bool()>& keep_waiting,
                       int instead) {
    using Clock = std::chrono::steady_clock;
    // Whether who holds the queue was found to wait no longer: the next of this process need not find it out
    // again.
    static std::atomic<bool> passed{false};
    const Clock::time_point start = Clock::now();
    const auto since = [&] {
        return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
    };
    for (bool told = false; ::flock(descriptor, LOCK_EX | LOCK_NB) != 0;) {
        if (errno != EWOULDBLOCK && errno != EINTR) throw refusal(path, errno);
        waited_ = true;
        if (instead >= 0 && (passed || since() >= kBeforeNotice) &&
            ::flock(instead, LOCK_EX | LOCK_NB) == 0) {
            passed = true;
            waited_milliseconds += since().count();
            return true;
        }
        if (!told && since() >= kBeforeNotice) {
            say_who_is_waited_for(path);
            told = true;
        }
        // Polling, because a blocking flock could not be left on Ctrl-C where handlers restart calls.
        if (keep_waiting && !keep_waiting()) {
            waited_milliseconds += since().count();
            return false;
        }
        std::this_thread::sleep_for(kPoll);
    }
    if (instead >= 0) passed = false;
    waited_milliseconds += since().count();
    return true;
}

MachineLock::~MachineLock() {
    if (lent_) ::unsetenv(kHeld);
}

void MachineLock::lend() {
    if (std::getenv(kHeld) != nullptr) return;  // lent on
    lent_ = held_ && ::setenv(kHeld, path_.c_str(), 1) == 0;
}

MachineLock::MachineLock(const std::function<bool()>& keep_waiting, const std::string& path) : path_(path) {
    const char* lender = std::getenv(kHeld);
    if (lender != nullptr && path == lender) {
        held_ = true;
        return;
    }
    const std::string queue = path + ".next";
    const Descriptor next(open_shared(queue));
    own_ = Descriptor(open_shared(path));
    if (own_.fd() < 0) throw refusal(path, errno);
    // Without a queue (a lock that an administrator made, in a folder where nobody may make a second) it is
    // luck again.
    held_ = (next.fd() < 0 || take(next.fd(), path, keep_waiting, own_.fd())) &&
            take(own_.fd(), path, keep_waiting);
}

}  // namespace rooftune
