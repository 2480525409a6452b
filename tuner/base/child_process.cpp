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
#include <mutex>
#include <optional>
#include <string_view>

#include "tuner/base/adopted.h"
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
    constexpr int kDescriptorsOfOld = 1024;  // the usual limit of a process
    if (launch.own_group) setpgid(0, 0);
    if (!die_with_parent(launch.parent)) _exit(kNotStarted);
    // Libraries open files without this flag. Nothing is closed before exec: one of them tells a failure.
    if (close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC) != 0) {
        // Before Linux 5.11, and where a sandbox forbids it.
        for (int fd = STDERR_FILENO + 1; fd < kDescriptorsOfOld; ++fd) fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
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

// Where SIGCHLD is ignored, as a parent may have left it or a program wants it for its own children, children
// vanish with their status. That is changed for as long as there are children, and what was is put back.
std::mutex ends_mutex;
int ends_wanted = 0;
std::optional<struct sigaction> ends_before;

void want_ends() {
    const std::scoped_lock lock(ends_mutex);
    struct sigaction action {};
    if (ends_wanted++ > 0 || sigaction(SIGCHLD, nullptr, &action) != 0) return;
    if (action.sa_handler != SIG_IGN && (action.sa_flags & SA_NOCLDWAIT) == 0) return;
    ends_before = action;
    if (action.sa_handler == SIG_IGN) action.sa_handler = SIG_DFL;
    action.sa_flags &= ~SA_NOCLDWAIT;
    sigaction(SIGCHLD, &action, nullptr);
}

void want_no_ends() {
    const std::scoped_lock lock(ends_mutex);
    if (--ends_wanted > 0 || !ends_before) return;
    struct sigaction now {};
    sigaction(SIGCHLD, nullptr, &now);
    // A handler that the program has installed meanwhile is what it wants.
    if (now.sa_handler == SIG_DFL || now.sa_handler == ends_before->sa_handler)
        sigaction(SIGCHLD, &*ends_before, nullptr);
    ends_before.reset();
}

// This process's environment with the changes.
std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>>& changes) {
    std::vector<std::string> variables;
    for (char** at = environ; *at; ++at) {
        const std::string_view variable = *at;
        const std::string_view name = variable.substr(0, variable.find('='));
        const bool changed = std::any_of(changes.begin(), changes.end(),
                                         [&](const auto& change) { return change.first == name; });
        if (!changed) variables.emplace_back(variable);
    }
    for (const auto& [name, value] : changes) {
        if (!value.empty()) variables.push_back(name + "=" + value);
    }
    return variables;
}

}  // namespace

int ChildProcess::start(const ChildSetup& setup) {
    std::vector<std::string> words = setup.words;
    std::vector<std::string> variables = environment_with(setup.variables);
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
    launch.environment = variable_list.data();
    launch.folder = setup.folder.c_str();
    launch.descriptors = &descriptors;
    launch.failure = tell.fd();
    launch.own_group = own_group_ = setup.own_group;
    launch.parent = getpid();
    want_ends();
    pid_ = launch_child(launch);
    if (pid_ < 0) {
        const int why = errno;
        want_no_ends();
        return why;
    }
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

ChildProcess::State ChildProcess::state() const {
    siginfo_t info{};
    // By its descriptor where there is one: its number may be another child's once somebody else reaped it.
    const idtype_t by = end_.fd() >= 0 ? P_PIDFD : P_PID;
    const auto id = static_cast<id_t>(end_.fd() >= 0 ? end_.fd() : pid_);
    if (waitid(by, id, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return State::gone;
    return info.si_pid == pid_ ? State::ended : State::running;
}

ChildProcess::End ChildProcess::end(double patience) {
    End end;
    if (pid_ < 0) return end;
    const double until = monotonic_seconds() + patience;
    while (!has_ended()) {
        const double left = until - monotonic_seconds();
        if (left <= 0.0) break;
        pollfd waiting{end_.fd(), POLLIN, 0};
        poll(&waiting, 1, end_.fd() < 0 ? 1 : static_cast<int>(left * 1e3) + 1);
    }
    const State found = state();
    end.by_itself = found != State::running;
    // Before it is reaped: as long as its number is kept, so is that of its group. Where somebody else reaped
    // it, the number may be another's already.
    pid_t reaped = -1;
    // What is in another group than its own (timeout, setsid, mpirun) has no other end.
    if (own_group_ && found == State::running) end_descendants(pid_);
    if (found != State::gone) {
        kill(own_group_ ? -pid_ : pid_, SIGKILL);
        do {
            reaped = wait4(pid_, &end.status, 0, &end.usage);
        } while (reaped < 0 && errno == EINTR);
    }
    end.reaped_elsewhere = reaped < 0;
    pid_ = -1;
    end_.close();
    want_no_ends();
    return end;
}

bool die_with_parent(pid_t parent) {
    // The second question notices a parent that ended before the first line.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return getppid() == parent;
}

}  // namespace rooftune
