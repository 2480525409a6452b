#include "tuner/base/child_process.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "tuner/base/clock.h"

namespace rooftune {
namespace {

// Above every number that a child is given, so that none is overwritten before it is handed on.
constexpr int kAboveGiven = 16;

// All that the child needs between vfork and exec, where nothing may be allocated.
struct Launch {
    const char* program = nullptr;
    char* const* words = nullptr;
    char* const* environment = nullptr;
    const char* folder = nullptr;
    const std::vector<std::pair<Descriptor, int>>* descriptors = nullptr;
    int failure = -1;
    bool own_group = true;
    pid_t parent = -1;
};

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (std::string& text : texts) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

// A handler of this process would run on its memory. What is ignored stays so (nohup), but for SIGPIPE, by
// which programs end that write to nobody, and SIGCHLD, without which they cannot wait.
void reset_signals() {
    for (int number = 1; number < NSIG; ++number) {
        struct sigaction action {};
        if (sigaction(number, nullptr, &action) != 0) continue;
        if (action.sa_handler == SIG_IGN && number != SIGPIPE && number != SIGCHLD) continue;
        if (action.sa_handler != SIG_DFL) signal(number, SIG_DFL);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Only what is safe between fork and exec.
[[noreturn]] void become(const Launch& launch) {
    constexpr int kNotStarted = 127;
    if (launch.own_group) setpgid(0, 0);
    if (!die_with_parent(launch.parent)) _exit(kNotStarted);
    // Libraries open files without this flag. Nothing is closed before exec: one of them tells a failure.
    close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    for (const auto& [from, to] : *launch.descriptors) dup2(from.fd(), to);
    reset_signals();
    if (*launch.folder == '\0' || chdir(launch.folder) == 0)
        execvpe(launch.program, launch.words, launch.environment);
    const int reason = errno;
    const ssize_t told = write(launch.failure, &reason, sizeof reason);
    _exit(told == sizeof reason ? kNotStarted : kNotStarted - 1);
}

// As posix_spawn does it, which cannot make a child die with its parent: the child borrows this memory until
// it is another program. A fork would copy the page tables of a problem, and fail where memory is not
// promised twice. No signal comes meanwhile: its handler would run in the child, on memory that is not the
// child's.
pid_t launch_child(const Launch& launch) {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = vfork();
    if (pid == 0) become(launch);
    const int reason = errno;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = reason;
    return pid;
}

// Where it is ignored, as a parent may have left it, children vanish with their status.
void do_not_ignore_ends() {
    struct sigaction action {};
    if (sigaction(SIGCHLD, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) signal(SIGCHLD, SIG_DFL);
}

}  // namespace

int ChildProcess::start(const ChildSetup& setup) {
    std::vector<std::string> words = setup.words;
    std::vector<std::string> variables = setup.environment.value_or(std::vector<std::string>());
    const std::vector<char*> word_list = pointers_to(words);
    const std::vector<char*> variable_list = pointers_to(variables);
    std::vector<std::pair<Descriptor, int>> descriptors;
    for (const auto& [from, to] : setup.descriptors) {
        descriptors.emplace_back(Descriptor(fcntl(from, F_DUPFD_CLOEXEC, kAboveGiven)), to);
        if (descriptors.back().first.fd() < 0) return errno;
    }
    Pipe failure;
    if (const int reason = failure.open(); reason != 0) return reason;
    Descriptor tell(fcntl(failure.write.fd(), F_DUPFD_CLOEXEC, kAboveGiven));
    if (tell.fd() < 0) return errno;
    Launch launch;
    launch.program = setup.program.empty() ? setup.words.at(0).c_str() : setup.program.c_str();
    launch.words = word_list.data();
    launch.environment = setup.environment ? variable_list.data() : environ;
    launch.folder = setup.folder.c_str();
    launch.descriptors = &descriptors;
    launch.failure = tell.fd();
    launch.own_group = own_group_ = setup.own_group;
    launch.parent = getpid();
    do_not_ignore_ends();
    pid_ = launch_child(launch);
    if (pid_ < 0) return errno;
    failure.write.close();
    tell.close();
    int reason = 0;
    ssize_t got = -1;
    do {
        got = read(failure.read.fd(), &reason, sizeof reason);
    } while (got < 0 && errno == EINTR);
    if (got == sizeof reason) {
        end(0.0);
        return reason;
    }
    end_ = Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
    return 0;
}

bool ChildProcess::has_ended() const {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == pid_;
}

ChildProcess::End ChildProcess::end(double patience) {
    End end;
    if (pid_ < 0) return end;
    const double until = monotonic_seconds() + patience;
    for (end.by_itself = has_ended(); !end.by_itself; end.by_itself = has_ended()) {
        const double left = until - monotonic_seconds();
        if (left <= 0.0) break;
        pollfd waiting{end_.fd(), POLLIN, 0};
        poll(&waiting, 1, end_.fd() < 0 ? 1 : static_cast<int>(left * 1e3) + 1);
    }
    // Before it is reaped: as long as its number is kept, so is that of its group.
    kill(own_group_ ? -pid_ : pid_, SIGKILL);
    while (wait4(pid_, &end.status, 0, &end.usage) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    end_.close();
    return end;
}

bool die_with_parent(pid_t parent) {
    // The second question notices a parent that ended before the first line.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return getppid() == parent;
}

}  // namespace rooftune
