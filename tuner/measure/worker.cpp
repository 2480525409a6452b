#include "tuner/measure/worker.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>

#include "tuner/measure/interrupt.h"

extern char** environ;

namespace rooftune {
namespace {

double seconds_since_start() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void close_all(std::initializer_list<int*> descriptors) {
    for (int* fd : descriptors) {
        if (*fd >= 0) close(*fd);
        *fd = -1;
    }
}

// The end of what a worker wrote to its standard error, for the record of its death.
std::string tail_of(int fd) {
    constexpr off_t kTail = 400;
    const off_t size = lseek(fd, 0, SEEK_END);
    if (size <= 0) return {};
    const off_t from = std::max<off_t>(0, size - kTail);
    std::string text(static_cast<std::size_t>(size - from), '\0');
    const ssize_t got = pread(fd, text.data(), text.size(), from);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, got)));
    return text;
}

}  // namespace

Worker::Worker(std::string program, WorkerSetup setup, int shared_descriptor)
    : program_(std::move(program)), setup_(std::move(setup)), shared_(shared_descriptor) {
    setup_.shared = shared_ >= 0;
}

Worker::~Worker() {
    stop();
}

bool Worker::start(const Deadlines& deadlines, WorkerAnswer& failure) {
    int in[2];
    int out[2];
    if (pipe2(in, O_CLOEXEC) != 0) {
        failure.detail = std::string("no pipe for a worker: ") + std::strerror(errno);
        return false;
    }
    if (pipe2(out, O_CLOEXEC) != 0) {
        close(in[0]);
        close(in[1]);
        failure.detail = std::string("no pipe for a worker: ") + std::strerror(errno);
        return false;
    }
    errors_ = memfd_create("worker-errors", MFD_CLOEXEC);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    if (errors_ >= 0) posix_spawn_file_actions_adddup2(&actions, errors_, STDERR_FILENO);
    if (shared_ >= 0) posix_spawn_file_actions_adddup2(&actions, shared_, kSharedDescriptor);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    // A group of its own: one signal reaches whatever it started, and a terminal's Ctrl-C does not.
    posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

    const std::string parent = std::to_string(getpid());
    std::string name = "rooftune";
    std::string flag = "--worker";
    std::string parent_argument = parent;
    char* arguments[] = {name.data(), flag.data(), parent_argument.data(), nullptr};
    pid_t pid = -1;
    const int status = posix_spawn(&pid, program_.c_str(), &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(in[0]);
    close(out[1]);
    to_ = in[1];
    from_ = out[0];
    pending_.clear();
    if (status != 0) {
        failure.detail = "cannot start the worker " + program_ + ": " + std::strerror(status);
        close_all({&to_, &from_, &errors_});
        return false;
    }
    pid_ = pid;
    ++started_;
    bool timed_out = false;
    std::string line;
    if (!send(to_json(setup_).dump()) || !receive(deadlines.load, line, timed_out)) {
        failure = bury(timed_out, deadlines.load);
        failure.outcome = Outcome::environment;
        failure.detail = "the worker could not load the problem: " + failure.detail;
        return false;
    }
    std::string said;
    try {
        const WorkerLine loaded = line_from(line);
        if (loaded.phase == "loaded") return true;
        said = loaded.detail;
    } catch (const nlohmann::json::exception&) {
        said = "its answer is no message of a worker";
    }
    failure.detail = "the worker could not load the problem: " + said;
    stop();
    return false;
}

WorkerAnswer Worker::ask(const std::string& request, const Deadlines& deadlines) {
    WorkerAnswer answer;
    if (pid_ < 0 && !start(deadlines, answer)) return answer;
    if (!send(request)) return bury(false, 0.0);
    double limit = deadlines.prepare;
    for (;;) {
        std::string line;
        bool timed_out = false;
        if (!receive(limit, line, timed_out)) return bury(timed_out, limit);
        try {
            answer.line = line_from(line);
        } catch (const nlohmann::json::exception&) {
            // A kernel that scribbles over the pipe has failed like one that scribbles over memory.
            answer = bury(false, 0.0);
            answer.outcome = Outcome::crashed;
            answer.detail = "wrote to the worker's own output";
            return answer;
        }
        if (answer.line.phase == "done") {
            answer.outcome = Outcome::measured;
            return answer;
        }
        if (answer.line.phase == "failed") {
            answer.outcome = Outcome::environment;
            answer.detail = answer.line.detail;
            return answer;
        }
        limit = deadlines.run;
    }
}

void Worker::stop() {
    if (pid_ < 0) return;
    bury(false, 0.0);
}

bool Worker::send(const std::string& text) {
    const std::string line = text + "\n";
    std::size_t sent = 0;
    while (sent < line.size()) {
        const ssize_t n = write(to_, line.data() + sent, line.size() - sent);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        sent += static_cast<std::size_t>(n);
    }
    return true;
}

bool Worker::receive(double seconds, std::string& line, bool& timed_out) {
    const double until = seconds_since_start() + seconds;
    for (;;) {
        const std::size_t end = pending_.find('\n');
        if (end != std::string::npos) {
            line = pending_.substr(0, end);
            pending_.erase(0, end + 1);
            return true;
        }
        const double left = until - seconds_since_start();
        if (left <= 0.0) {
            timed_out = true;
            return false;
        }
        if (interrupted()) return false;
        pollfd waiting{from_, POLLIN, 0};
        const int ready = poll(&waiting, 1, static_cast<int>(std::min(left, 0.5) * 1000.0) + 1);
        if (ready < 0 && errno != EINTR) return false;
        if (ready <= 0) continue;
        char block[65536];
        const ssize_t n = read(from_, block, sizeof block);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        pending_.append(block, static_cast<std::size_t>(n));
        if (pending_.size() > (std::size_t{64} << 20)) return false;  // runaway output
    }
}

WorkerAnswer Worker::bury(bool timed_out, double seconds) {
    WorkerAnswer answer;
    if (pid_ < 0) return answer;
    // A worker at the end of its input exits by itself; one that hangs is killed with its group. The
    // wait tells its own death from ours.
    close_all({&to_});
    int status = 0;
    bool reaped = false;
    if (!timed_out) {
        const double until = seconds_since_start() + 0.5;
        while (!reaped && seconds_since_start() < until) {
            reaped = waitpid(pid_, &status, WNOHANG) == pid_;
            if (!reaped) usleep(1000);
        }
    }
    kill(-pid_, SIGKILL);
    if (!reaped) {
        while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
        }
    }
    if (interrupted()) {
        answer.outcome = Outcome::environment;
        answer.detail = "interrupted";
    } else if (timed_out) {
        answer.outcome = Outcome::timed_out;
        char text[80];
        std::snprintf(text, sizeof text, "killed after %.1f s", seconds);
        answer.detail = text;
    } else if (reaped && WIFSIGNALED(status)) {
        const int signal_number = WTERMSIG(status);
        answer.outcome = signal_number == SIGILL    ? Outcome::illegal
                         : signal_number == SIGKILL ? Outcome::out_of_memory
                                                    : Outcome::crashed;
        answer.detail = signal_number == SIGKILL ? "killed by the system, most likely for want of memory"
                                                 : std::string("signal: ") + strsignal(signal_number);
    } else if (reaped && WIFEXITED(status)) {
        answer.outcome = Outcome::crashed;
        answer.detail = "the worker ended with status " + std::to_string(WEXITSTATUS(status));
    } else {
        answer.detail = "the worker stopped answering";
    }
    if (errors_ >= 0 && answer.outcome != Outcome::timed_out) {
        const std::string said = tail_of(errors_);
        if (!said.empty()) answer.detail += "; it said: " + said;
    }
    pid_ = -1;
    pending_.clear();
    close_all({&from_, &errors_});
    return answer;
}

}  // namespace rooftune
