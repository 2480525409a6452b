#include "tuner/track/execute.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <optional>

#include "tuner/measure/interrupt.h"
#include "tuner/measure/sampling.h"

namespace rooftune::track {
namespace {

constexpr std::size_t kKeptOutput = std::size_t{64} << 10;
constexpr std::size_t kKeptErrors = 400;
constexpr std::size_t kMostOutput = std::size_t{16} << 20;

double now() {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

void on_child(int) {}

// While it lives, the end of a child interrupts ppoll() and nothing else: no wait is longer than it must be,
// and none is a loop that takes the time of the program that is timed.
class ChildSignal {
public:
    ChildSignal() {
        struct sigaction action {};
        action.sa_handler = on_child;
        sigemptyset(&action.sa_mask);
        sigaction(SIGCHLD, &action, &action_before_);
        sigset_t blocked;
        sigemptyset(&blocked);
        sigaddset(&blocked, SIGCHLD);
        pthread_sigmask(SIG_BLOCK, &blocked, &before_);
        waiting_ = before_;
        sigdelset(&waiting_, SIGCHLD);
    }
    ~ChildSignal() {
        sigaction(SIGCHLD, &action_before_, nullptr);
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    ChildSignal(const ChildSignal&) = delete;
    ChildSignal& operator=(const ChildSignal&) = delete;

    const sigset_t& before() const { return before_; }
    const sigset_t& waiting() const { return waiting_; }

private:
    struct sigaction action_before_ {};
    sigset_t before_{}, waiting_{};
};

class Pipe {
public:
    Pipe() { good_ = pipe2(ends_.data(), O_CLOEXEC) == 0; }
    ~Pipe() {
        close_read();
        close_write();
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    bool good() const { return good_; }
    int read_end() const { return ends_[0]; }
    int write_end() const { return ends_[1]; }
    void close_read() { close_end(ends_[0]); }
    void close_write() { close_end(ends_[1]); }

private:
    static void close_end(int& fd) {
        if (fd >= 0) close(fd);
        fd = -1;
    }
    std::array<int, 2> ends_{-1, -1};
    bool good_ = false;
};

// What a stream said: its end, and how much it was.
struct Stream {
    Stream(int descriptor, std::size_t most) : fd(descriptor), keep(most) {
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    }
    // Reads what is there.
    void drain() {
        std::array<char, 65536> block{};
        while (open) {
            const ssize_t n = read(fd, block.data(), block.size());
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) return;  // nothing there yet
            if (n == 0) {
                open = false;
                return;
            }
            seen += static_cast<std::size_t>(n);
            text.append(block.data(), static_cast<std::size_t>(n));
            if (text.size() > 2 * keep) text.erase(0, text.size() - keep);
            if (seen > kMostOutput) return;
        }
    }
    std::string tail() const { return text.size() > keep ? text.substr(text.size() - keep) : text; }

    int fd;
    std::size_t keep;
    std::size_t seen = 0;
    bool open = true;
    std::string text{};
};

// Between fork and exec only what is safe there.
[[noreturn]] void become(char* const* argv, const char* folder, int out, int errors, int failure,
                         const sigset_t& mask, pid_t parent) {
    constexpr int kNotStarted = 127;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(kNotStarted);
    const int null = open("/dev/null", O_RDONLY);
    if (null >= 0) dup2(null, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_SETMASK, &mask, nullptr);
    if (*folder == '\0' || chdir(folder) == 0) execvp(argv[0], argv);
    const int reason = errno;
    const ssize_t told = write(failure, &reason, sizeof reason);
    _exit(told == sizeof reason ? kNotStarted : kNotStarted - 1);
}

std::string one_line(std::string text) {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

std::string how(const Execution& run, int status, double limit, const std::string& flag) {
    char text[80];
    switch (run.end) {
        case Execution::End::hung:
            // Seconds as a user writes them, 3600 and not 3.6e+03.
            std::snprintf(text, sizeof text, "killed after %.10g s, its time limit", limit);
            return flag.empty() ? text : text + (" (" + flag + ")");
        case Execution::End::flooded:
            return "killed because it wrote more than 16 MiB";
        case Execution::End::interrupted:
            return "interrupted";
        case Execution::End::signalled:
            return std::string("signal: ") + strsignal(WTERMSIG(status));
        default:
            return run.status == 0 ? "" : "it ended with status " + std::to_string(run.status);
    }
}

// Whether the child has ended. It is not reaped yet, so that its number is nobody else's.
bool has_ended(pid_t pid) {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == pid;
}

// Waits until the child ends by itself or has to: what of the three else it is.
std::optional<Execution::End> wait_for(pid_t pid, Stream& output, Stream& errors, const ChildSignal& signals,
                                       double until, bool stops_at_interrupt) {
    while (!has_ended(pid)) {
        if (stops_at_interrupt && interrupted()) return Execution::End::interrupted;
        if (output.seen > kMostOutput || errors.seen > kMostOutput) return Execution::End::flooded;
        const double left = until - now();
        if (left <= 0.0) return Execution::End::hung;
        std::array<pollfd, 2> waiting{
            {{output.open ? output.fd : -1, POLLIN, 0}, {errors.open ? errors.fd : -1, POLLIN, 0}}};
        // Half a second at most: a Ctrl-C that comes between the question above and the wait is not lost for
        // long.
        const timespec most{0, std::max(1L, static_cast<long>(std::min(left, 0.5) * 1e9))};
        ppoll(waiting.data(), waiting.size(), &most, &signals.waiting());
        output.drain();
        errors.drain();
    }
    return std::nullopt;
}

// Kills the group, what the child may have left running included, and reaps the child.
int bury(pid_t pid, rusage& usage) {
    int status = 0;
    kill(-pid, SIGKILL);
    while (wait4(pid, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    return status;
}

// By the rule for this process's own slots (SystemStopwatch): more than one switch in 10 ms is others' work.
bool preempted(const rusage& usage, double seconds) {
    return static_cast<double>(usage.ru_nivcsw) > std::max(2.0, seconds / 0.01);
}

}  // namespace

Execution execute(const std::vector<std::string>& argv, double limit, const ExecuteOptions& options) {
    Execution run;
    std::vector<std::string> words = argv;
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    Pipe out;
    Pipe errors;
    Pipe failure;
    if (words.empty() || !out.good() || !errors.good() || !failure.good()) {
        run.detail = words.empty() ? "no program" : std::string("no pipe: ") + std::strerror(errno);
        return run;
    }
    const ChildSignal signals;
    SystemStopwatch stopwatch;
    stopwatch.watch();
    const pid_t parent = getpid();
    const double start = now();
    const pid_t pid = fork();
    if (pid < 0) {
        run.detail = std::string("cannot fork: ") + std::strerror(errno);
        return run;
    }
    if (pid == 0)
        become(pointers.data(), options.folder.c_str(), out.write_end(), errors.write_end(),
               failure.write_end(), signals.before(), parent);
    setpgid(pid, pid);  // whoever of the two is first: the group exists before anybody signals it
    out.close_write();
    errors.close_write();
    failure.close_write();
    Stream output(out.read_end(), kKeptOutput);
    Stream said(errors.read_end(), kKeptErrors);
    const std::optional<Execution::End> cut =
        wait_for(pid, output, said, signals, start + limit, options.stops_at_interrupt);
    run.seconds = now() - start;
    rusage usage{};
    const int status = bury(pid, usage);
    output.drain();
    said.drain();
    int reason = 0;
    if (read(failure.read_end(), &reason, sizeof reason) == sizeof reason) {
        run.detail = std::string("it cannot be started: ") + std::strerror(reason);
        return run;
    }
    run.end = cut.value_or(WIFSIGNALED(status) ? Execution::End::signalled : Execution::End::exited);
    run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    run.disturbed = stopwatch.disturbed() || preempted(usage, run.seconds);
    run.output = output.tail();
    run.detail = how(run, status, limit, options.limit_flag);
    if (!run.detail.empty() && !said.text.empty()) run.detail += "; it said: " + one_line(said.tail());
    return run;
}

}  // namespace rooftune::track
