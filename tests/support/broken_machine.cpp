// A machine that breaks on purpose, loaded before a program (LD_PRELOAD): its calls of the C library fail, do
// less than was asked, are interrupted, or are the last thing that the process does. What is to break stands
// in the environment. Only the process that was started breaks, not the programs that it starts; the clock
// leaps for all. For glibc: other libraries have one name for a call and its 64-bit one.
//
// - BROKEN_CALLS: which calls count, with commas between: write sync rename open make truncate remove map
//   start (pipes and processes, but for vfork()) read lock
// - BROKEN_HOW: count (nothing breaks), a name of errno (ENOSPC), short (half of what was asked), kill
//   (SIGKILL before the call), killed (after it), stop (SIGSTOP before it)
// - BROKEN_AT: the number of the call that breaks, from 1; with a + behind it all from that one on
// - BROKEN_SEEN: a file of two numbers: how many calls were seen, how many broke
// - BROKEN_CLOCK: the time of day leaps by an hour, there and back, at each look
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

struct Seen {
    std::atomic<std::uint64_t> calls, broken;
};

struct ErrnoName {
    const char* name;
    int value;
};
constexpr ErrnoName kErrors[] = {
    {"ENOSPC", ENOSPC}, {"EIO", EIO},       {"EINTR", EINTR}, {"EMFILE", EMFILE}, {"ENOMEM", ENOMEM},
    {"EAGAIN", EAGAIN}, {"EACCES", EACCES}, {"EROFS", EROFS}, {"EDQUOT", EDQUOT}, {"ENOLCK", ENOLCK}};

enum class How { count, error, part, kill, killed, stop };

struct Plan {
    std::string_view calls;
    How how = How::count;
    int error = 0;
    std::uint64_t at = 0;
    bool onward = false, clock = false, active = false;
    Seen* seen = nullptr;
};

Seen* shared_counts(const char* path) {
    const int file =
        static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (file < 0) return nullptr;
    syscall(SYS_ftruncate, file, sizeof(Seen));
    const long page = syscall(SYS_mmap, nullptr, sizeof(Seen), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    syscall(SYS_close, file);
    return page == -1 ? nullptr : reinterpret_cast<Seen*>(page);
}

Plan read_plan() {
    Plan plan;
    const char* calls = std::getenv("BROKEN_CALLS");
    const char* how = std::getenv("BROKEN_HOW");
    const char* at = std::getenv("BROKEN_AT");
    const char* seen = std::getenv("BROKEN_SEEN");
    // Who was started is known by its number: what it starts has the same environment.
    static char mine[32];
    const char* first = std::getenv("BROKEN_FIRST");
    if (!first) {
        std::snprintf(mine, sizeof mine, "%d", static_cast<int>(getpid()));
        setenv("BROKEN_FIRST", mine, 1);
    }
    const bool is_first = !first || std::atoi(first) == getpid();
    plan.active = is_first;
    plan.clock = std::getenv("BROKEN_CLOCK") != nullptr;
    if (!calls || !how || !plan.active) return plan;
    plan.calls = calls;
    if (at) {
        plan.at = std::strtoull(at, nullptr, 10);
        plan.onward = std::strchr(at, '+') != nullptr;
    }
    const std::string_view word = how;
    if (word == "short") plan.how = How::part;
    if (word == "kill") plan.how = How::kill;
    if (word == "killed") plan.how = How::killed;
    if (word == "stop") plan.how = How::stop;
    for (const ErrnoName& e : kErrors) {
        if (word != e.name) continue;
        plan.how = How::error;
        plan.error = e.value;
    }
    if (seen) plan.seen = shared_counts(seen);
    return plan;
}

Plan& plan() {
    static Plan read = read_plan();
    return read;
}
// Before main(), so that the number of the first process is that of the program.
__attribute__((constructor)) void begin() {
    plan();
}

bool is_named(std::string_view kind) {
    std::string_view rest = plan().calls;
    while (!rest.empty()) {
        const std::size_t comma = rest.find(',');
        if (rest.substr(0, comma) == kind) return true;
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
    return false;
}

// What becomes of this call: nothing, or how it breaks.
How turn_of(const char* kind) {
    Plan& p = plan();
    if (!p.active || p.calls.empty() || !is_named(kind)) return How::count;
    static std::atomic<std::uint64_t> own{0};
    const std::uint64_t number = ++own;
    if (p.seen) p.seen->calls = number;
    if (p.how == How::count || p.at == 0 || (p.onward ? number < p.at : number != p.at)) return How::count;
    if (p.seen) ++p.seen->broken;
    if (p.how == How::kill) syscall(SYS_kill, getpid(), SIGKILL);
    if (p.how == How::stop) syscall(SYS_kill, getpid(), SIGSTOP);
    return p.how;
}

template <class Function>
Function real(const char* name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

// Runs the call as it is, or as it breaks.
template <class Call>
auto broken(const char* kind, Call call) -> decltype(call()) {
    const How how = turn_of(kind);
    if (how == How::error) {
        errno = plan().error;
        return static_cast<decltype(call())>(-1);
    }
    const auto result = call();
    if (how == How::killed) syscall(SYS_kill, getpid(), SIGKILL);
    return result;
}

// The same for what moves bytes: half of them, at least one.
template <class Call>
ssize_t broken_bytes(const char* kind, std::size_t count, Call call) {
    const How how = turn_of(kind);
    if (how == How::error) {
        errno = plan().error;
        return -1;
    }
    const ssize_t result = call(how == How::part && count > 1 ? count / 2 : count);
    if (how == How::killed) syscall(SYS_kill, getpid(), SIGKILL);
    return result;
}

template <class Call>
void* mapped(Call call) {
    if (turn_of("map") != How::error) return call();
    errno = plan().error;
    return MAP_FAILED;
}

template <class Call>
FILE* opened(const char* mode, Call call) {
    const How how = turn_of(std::strpbrk(mode, "wa") ? "make" : "open");
    if (how == How::error) {
        errno = plan().error;
        return nullptr;
    }
    FILE* file = call();
    if (how == How::killed) syscall(SYS_kill, getpid(), SIGKILL);
    return file;
}

// An hour ahead at every second look.
time_t leap() {
    static std::atomic<unsigned> looks{0};
    return plan().clock && ++looks % 2 == 0 ? 3600 : 0;
}

// Devices, pipes and terminals have no disk that is full.
bool is_file(int descriptor) {
    struct stat info {};
    return fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode);
}

const char* opening(int flags) {
    return (flags & O_CREAT) != 0 ? "make" : "open";
}

}  // namespace

#define REAL(name) static const auto next = real<decltype(&name)>(#name)

extern "C" {

ssize_t write(int file, const void* data, size_t count) {
    REAL(write);
    if (!is_file(file)) return next(file, data, count);
    return broken_bytes("write", count, [&](size_t some) { return next(file, data, some); });
}
ssize_t pwrite(int file, const void* data, size_t count, off_t at) {
    REAL(pwrite);
    return broken_bytes("write", count, [&](size_t some) { return next(file, data, some, at); });
}
ssize_t pwrite64(int file, const void* data, size_t count, off64_t at) {
    REAL(pwrite64);
    return broken_bytes("write", count, [&](size_t some) { return next(file, data, some, at); });
}
// The library of C++ writes what does not fit its buffer by this one.
ssize_t writev(int file, const iovec* parts, int count) {
    REAL(writev);
    if (!is_file(file)) return next(file, parts, count);
    return broken_bytes("write", static_cast<size_t>(count),
                        [&](size_t some) { return next(file, parts, static_cast<int>(some)); });
}
ssize_t read(int file, void* data, size_t count) {
    REAL(read);
    if (!is_file(file)) return next(file, data, count);
    return broken_bytes("read", count, [&](size_t some) { return next(file, data, some); });
}
ssize_t pread(int file, void* data, size_t count, off_t at) {
    REAL(pread);
    return broken_bytes("read", count, [&](size_t some) { return next(file, data, some, at); });
}
ssize_t pread64(int file, void* data, size_t count, off64_t at) {
    REAL(pread64);
    return broken_bytes("read", count, [&](size_t some) { return next(file, data, some, at); });
}
int fsync(int file) {
    REAL(fsync);
    return broken("sync", [&] { return next(file); });
}
int fdatasync(int file) {
    REAL(fdatasync);
    return broken("sync", [&] { return next(file); });
}
int ftruncate(int file, off_t length) {
    REAL(ftruncate);
    return broken("truncate", [&] { return next(file, length); });
}
int ftruncate64(int file, off64_t length) {
    REAL(ftruncate64);
    return broken("truncate", [&] { return next(file, length); });
}
int posix_fallocate(int file, off_t at, off_t length) {
    REAL(posix_fallocate);
    const How how = turn_of("truncate");
    return how == How::error ? plan().error : next(file, at, length);
}
int rename(const char* from, const char* to) {
    REAL(rename);
    return broken("rename", [&] { return next(from, to); });
}
int renameat(int from_folder, const char* from, int to_folder, const char* to) {
    REAL(renameat);
    return broken("rename", [&] { return next(from_folder, from, to_folder, to); });
}
int link(const char* from, const char* to) {
    REAL(link);
    return broken("rename", [&] { return next(from, to); });
}
int unlink(const char* path) {
    REAL(unlink);
    return broken("remove", [&] { return next(path); });
}
int remove(const char* path) {
    REAL(remove);
    return broken("remove", [&] { return next(path); });
}
int mkdir(const char* path, mode_t mode) {
    REAL(mkdir);
    return broken("make", [&] { return next(path, mode); });
}
int open(const char* path, int flags, ...) {
    REAL(open);
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    return broken(opening(flags), [&] { return next(path, flags, mode); });
}
int open64(const char* path, int flags, ...) {
    REAL(open64);
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    return broken(opening(flags), [&] { return next(path, flags, mode); });
}
int openat(int folder, const char* path, int flags, ...) {
    REAL(openat);
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    return broken(opening(flags), [&] { return next(folder, path, flags, mode); });
}
FILE* fopen(const char* path, const char* mode) {
    REAL(fopen);
    return opened(mode, [&] { return next(path, mode); });
}
FILE* fopen64(const char* path, const char* mode) {
    REAL(fopen64);
    return opened(mode, [&] { return next(path, mode); });
}
void* mmap(void* where, size_t length, int protection, int flags, int file, off_t at) {
    REAL(mmap);
    return mapped([&] { return next(where, length, protection, flags, file, at); });
}
void* mmap64(void* where, size_t length, int protection, int flags, int file, off64_t at) {
    REAL(mmap64);
    return mapped([&] { return next(where, length, protection, flags, file, at); });
}
pid_t fork() {
    REAL(fork);
    return broken("start", [&] { return next(); });
}
int posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* how, char* const* arguments, char* const* environment) {
    REAL(posix_spawn);
    return turn_of("start") == How::error ? plan().error
                                          : next(pid, path, actions, how, arguments, environment);
}
int posix_spawnp(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
                 const posix_spawnattr_t* how, char* const* arguments, char* const* environment) {
    REAL(posix_spawnp);
    return turn_of("start") == How::error ? plan().error
                                          : next(pid, path, actions, how, arguments, environment);
}
int pipe2(int* ends, int flags) {
    REAL(pipe2);
    return broken("start", [&] { return next(ends, flags); });
}
int socketpair(int domain, int type, int protocol, int* ends) {
    REAL(socketpair);
    return broken("start", [&] { return next(domain, type, protocol, ends); });
}
// A struct of the same name stands in the same header.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
int flock(int file, int what) {
    REAL(flock);
    return broken("lock", [&] { return next(file, what); });
}
#pragma GCC diagnostic pop
int clock_gettime(clockid_t clock, timespec* now) {
    REAL(clock_gettime);
    const int result = next(clock, now);
    if (result == 0 && clock == CLOCK_REALTIME) now->tv_sec += leap();
    return result;
}
int gettimeofday(timeval* now, void* zone) {
    const int result = static_cast<int>(syscall(SYS_gettimeofday, now, zone));
    if (result == 0) now->tv_sec += leap();
    return result;
}
time_t time(time_t* now) {
    timespec exact{};
    clock_gettime(CLOCK_REALTIME, &exact);
    if (now) *now = exact.tv_sec;
    return exact.tv_sec;
}
}
