#include "tuner/audit/child.h"

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

#include "tuner/measure/interrupt.h"

extern char** environ;

namespace rooftune::audit {
namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::vector<std::string> with(const Environment& changes) {
    std::vector<std::string> variables;
    for (char** at = environ; *at; ++at) {
        const std::string variable = *at;
        const std::string name = variable.substr(0, variable.find('='));
        const bool changed = std::any_of(changes.begin(), changes.end(),
                                         [&](const auto& change) { return change.first == name; });
        if (!changed) variables.push_back(variable);
    }
    for (const auto& [name, value] : changes) {
        if (!value.empty()) variables.push_back(name + "=" + value);
    }
    return variables;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (std::string& text : texts) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

std::string tail_of(int fd) {
    constexpr off_t kTail = 300;
    const off_t size = fd >= 0 ? lseek(fd, 0, SEEK_END) : 0;
    if (size <= 0) return {};
    const off_t from = std::max<off_t>(0, size - kTail);
    std::string text(static_cast<std::size_t>(size - from), '\0');
    const ssize_t got = pread(fd, text.data(), text.size(), from);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, got)));
    while (!text.empty() && text.back() == '\n') text.pop_back();
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

// A line before the deadline; false without one. `hung` tells the deadline from the end of the pipe.
bool read_line(int fd, double until, std::string& line, bool& hung) {
    constexpr std::size_t kMostAnswer = std::size_t{1} << 20;
    for (;;) {
        const double left = until - now();
        hung = left <= 0.0;
        if (hung || interrupted() || line.size() > kMostAnswer) return false;
        pollfd waiting{fd, POLLIN, 0};
        const int ready = poll(&waiting, 1, static_cast<int>(std::min(left, 0.5) * 1000.0) + 1);
        if (ready < 0 && errno != EINTR) return false;
        if (ready <= 0) continue;
        char block[4096];
        const ssize_t n = read(fd, block, sizeof block);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        line.append(block, static_cast<std::size_t>(n));
        if (const std::size_t end = line.find('\n'); end != std::string::npos) {
            line.resize(end);
            return true;
        }
    }
}

// A child that died before it read is told by the answer that does not come, not by a signal that ends this
// process.
void write_all(int fd, const std::string& text) {
    struct sigaction ignore {};
    struct sigaction before {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &ignore, &before);
    for (std::size_t sent = 0; sent < text.size();) {
        const ssize_t n = write(fd, text.data() + sent, text.size() - sent);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        sent += static_cast<std::size_t>(n);
    }
    sigaction(SIGPIPE, &before, nullptr);
}

// Reaps the group; says how the child ended by itself, if it did.
std::string bury(pid_t pid, bool at_once) {
    constexpr double kPatience = 0.5;
    int status = 0;
    bool reaped = false;
    for (const double until = now() + kPatience; !at_once && !reaped && now() < until;) {
        reaped = waitpid(pid, &status, WNOHANG) == pid;
        if (!reaped) usleep(500);
    }
    kill(-pid, SIGKILL);
    if (!reaped) {
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
        }
        return "stopped answering";
    }
    if (WIFSIGNALED(status)) return std::string("signal: ") + strsignal(WTERMSIG(status));
    return "ended with status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

ChildAnswer ask_child(const std::string& program, const std::vector<std::string>& arguments,
                      const Environment& environment, const std::string& question, double deadline_seconds) {
    ChildAnswer answer;
    int in[2];
    int out[2];
    if (pipe2(in, O_CLOEXEC) != 0) {
        answer.detail = std::string("no pipe: ") + std::strerror(errno);
        return answer;
    }
    if (pipe2(out, O_CLOEXEC) != 0) {
        answer.detail = std::string("no pipe: ") + std::strerror(errno);
        close(in[0]);
        close(in[1]);
        return answer;
    }
    const int errors = memfd_create("audit-errors", MFD_CLOEXEC);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    if (errors >= 0) posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    // A group of its own: one signal reaches whatever it started, and a terminal's Ctrl-C does not.
    posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    std::vector<std::string> words{program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<std::string> variables = with(environment);
    pid_t pid = -1;
    const int status = posix_spawn(&pid, program.c_str(), &actions, &attributes, pointers(words).data(),
                                   pointers(variables).data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(in[0]);
    close(out[1]);
    if (status == 0) {
        write_all(in[1], question + "\n");
        close(in[1]);
        bool hung = false;
        const bool got = read_line(out[0], now() + deadline_seconds, answer.line, hung);
        const std::string end = bury(pid, hung || interrupted());
        answer.end = got             ? ChildAnswer::End::answered
                     : hung          ? ChildAnswer::End::hung
                     : interrupted() ? ChildAnswer::End::interrupted
                                     : ChildAnswer::End::crashed;
        if (hung) {
            char text[64];
            std::snprintf(text, sizeof text, "killed after %.1f s", deadline_seconds);
            answer.detail = text;
        } else if (!got) {
            answer.detail = interrupted() ? "interrupted" : end;
            const std::string said = tail_of(errors);
            if (!said.empty()) answer.detail += "; it said: " + said;
        }
    } else {
        answer.detail = "cannot start " + program + ": " + std::strerror(status);
        close(in[1]);
    }
    close(out[0]);
    if (errors >= 0) close(errors);
    return answer;
}

}  // namespace rooftune::audit
