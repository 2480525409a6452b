#include "tests/peers/harness/child.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tuner/base/interrupt.h"

namespace rooftune::peers {
namespace {

using Message = nlohmann::json;

// One line from a descriptor; empty at its end. Lines are short and rare, so a byte a call will do, and
// nothing is read ahead.
std::string read_line(int descriptor, bool until_interrupt) {
    std::string line;
    for (char c = 0;;) {
        const ssize_t n = read(descriptor, &c, 1);
        if (n < 0 && errno == EINTR && !(until_interrupt && interrupted())) continue;
        if (n <= 0) return "";
        if (c == '\n') return line;
        line += c;
    }
}

bool write_line(int descriptor, const std::string& text) {
    const std::string line = text + "\n";
    for (std::size_t sent = 0; sent < line.size();) {
        const ssize_t n = write(descriptor, line.data() + sent, line.size() - sent);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        sent += static_cast<std::size_t>(n);
    }
    return true;
}

Message answer(const Message& request, const Arm& arm, const std::vector<int>& cpus,
               std::unique_ptr<Subject>& subject, SystemStopwatch& stopwatch) {
    if (request.at("ask") == "prepare") {
        subject = arm.make(cpus);
        const Correctness verdict = subject->check(request.at("seed").get<std::uint64_t>());
        // JSON knows no infinity.
        const double error = verdict.error < 1e300 ? verdict.error : 1e300;
        return {{"ok", verdict.right},
                {"error", error},
                {"detail", verdict.right ? subject->detail() : "wrong answer: " + verdict.detail}};
    }
    TurnRules rules;
    rules.seconds = request.at("seconds").get<double>();
    rules.batches = request.at("batches").get<int>();
    const Slot slot = take_turn([&subject] { subject->run(); }, stopwatch, rules);
    return {{"seconds", slot.seconds}, {"repetitions", slot.repetitions}, {"disturbed", slot.disturbed}};
}

[[noreturn]] void serve(const Arm& arm, const std::vector<int>& cpus, int in, int out, pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    // Ctrl-C is the parent's to handle: it ends its children.
    signal(SIGINT, SIG_IGN);
    cpu_set_t mask;
    CPU_ZERO(&mask);
    for (const int cpu : cpus) CPU_SET(static_cast<std::size_t>(cpu), &mask);
    sched_setaffinity(0, sizeof mask, &mask);
    for (const auto& [name, value] : arm.environment) setenv(name.c_str(), value.c_str(), 1);
    SystemStopwatch stopwatch;
    std::unique_ptr<Subject> subject;
    for (std::string line; !(line = read_line(in, false)).empty();) {
        Message reply;
        try {
            reply = answer(Message::parse(line), arm, cpus, subject, stopwatch);
        } catch (const std::bad_alloc&) {
            reply = {{"ok", false}, {"error", 0.0}, {"detail", "not enough memory"}};
        } catch (const std::exception& error) {
            reply = {{"ok", false}, {"error", 0.0}, {"detail", error.what()}};
        }
        if (!write_line(out, reply.dump())) break;
    }
    // Neither the parent's buffers nor a library's threads are to be wound up here.
    _exit(0);
}

// Whether a thread of the process runs or waits for a processor. The CPU time alone would call one that
// others keep from running idle.
bool has_runnable_thread(pid_t pid) {
    std::error_code failed;
    for (std::filesystem::directory_iterator at("/proc/" + std::to_string(pid) + "/task", failed), end;
         !failed && at != end; at.increment(failed)) {
        std::ifstream stat(at->path() / "stat");
        std::string text;
        std::getline(stat, text);
        // The state is the word behind the name, which stands in brackets and may hold any of them.
        const std::size_t name_ends = text.rfind(')');
        if (name_ends != std::string::npos && name_ends + 2 < text.size() && text[name_ends + 2] == 'R')
            return true;
    }
    return false;
}

double cpu_seconds(clockid_t clock) {
    timespec t{};
    clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace

Child::Child(Arm arm, std::vector<int> cpus) : arm_(std::move(arm)) {
    int request[2];
    int reply[2];
    if (pipe2(request, O_CLOEXEC) != 0 || pipe2(reply, O_CLOEXEC) != 0) {
        throw EnvironmentError(std::string("cannot make a pipe: ") + std::strerror(errno));
    }
    const pid_t parent = getpid();
    pid_ = fork();
    if (pid_ < 0) throw EnvironmentError(std::string("cannot fork: ") + std::strerror(errno));
    if (pid_ == 0) {
        close(request[1]);
        close(reply[0]);
        serve(arm_, cpus, request[0], reply[1], parent);
    }
    close(request[0]);
    close(reply[1]);
    to_ = request[1];
    from_ = reply[0];
}

Child::~Child() {
    close(to_);
    close(from_);
    if (pid_ > 0) {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
}

std::string Child::how_it_ended() {
    int status = 0;
    // The pipe may close a moment before the process has ended; one that still runs is ended here.
    for (int i = 0; i < 100; ++i) {
        if (waitpid(pid_, &status, WNOHANG) == pid_) {
            pid_ = -1;
            if (WIFSIGNALED(status)) return std::string("killed: ") + strsignal(WTERMSIG(status));
            return "ended with status " + std::to_string(WEXITSTATUS(status));
        }
        usleep(1000);
    }
    return "closed its pipe";
}

std::string Child::ask(const std::string& request) {
    if (pid_ < 0) return "";
    // A dead reader is told by the reply that does not come, not by a signal that ends this process.
    struct sigaction ignore {};
    struct sigaction before {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &ignore, &before);
    const bool sent = write_line(to_, request);
    sigaction(SIGPIPE, &before, nullptr);
    return sent ? read_line(from_, true) : "";
}

Ready Child::prepare(std::uint64_t seed) {
    const std::string reply = ask(Message{{"ask", "prepare"}, {"seed", seed}}.dump());
    if (reply.empty()) return {false, interrupted() ? "interrupted" : how_it_ended(), 0.0};
    const Message message = Message::parse(reply);
    return {message.at("ok"), message.at("detail"), message.at("error")};
}

Slot Child::turn(const TurnRules& rules) {
    const std::string reply =
        ask(Message{{"ask", "turn"}, {"seconds", rules.seconds}, {"batches", rules.batches}}.dump());
    Slot slot;
    if (reply.empty() && interrupted()) return slot;
    if (reply.empty()) throw EnvironmentError("arm " + arm_.name + " " + how_it_ended());
    const Message message = Message::parse(reply);
    if (!message.contains("seconds")) {
        throw EnvironmentError("arm " + arm_.name + ": " + message.at("detail").get<std::string>());
    }
    slot.seconds = message.at("seconds");
    slot.repetitions = message.at("repetitions");
    slot.disturbed = message.at("disturbed");
    return slot;
}

double Child::settle(double limit) const {
    constexpr double kRest = 2e-3;
    clockid_t clock{};
    if (pid_ < 0 || clock_getcpuclockid(pid_, &clock) != 0) return 0.0;
    const double start = cpu_seconds(CLOCK_MONOTONIC);
    double used = cpu_seconds(clock);
    while (cpu_seconds(CLOCK_MONOTONIC) - start < limit) {
        timespec rest{0, static_cast<long>(kRest * 1e9)};
        nanosleep(&rest, nullptr);
        const double now = cpu_seconds(clock);
        if (now == used && !has_runnable_thread(pid_)) return cpu_seconds(CLOCK_MONOTONIC) - start;
        used = now;
    }
    return limit;
}

}  // namespace rooftune::peers
