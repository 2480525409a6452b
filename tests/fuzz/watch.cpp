#include "tests/fuzz/watch.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <random>
#include <stdexcept>

#include "kernels/runtime/error.h"

namespace rooftune::fuzz {
namespace {

constexpr std::size_t kMostInput = 1 << 20, kMostWords = 512;

// What the child was reading when it ended, seen by its parent.
struct Shared {
    std::atomic<std::uint64_t> executions{0};
    std::atomic<std::size_t> size{0};
    char what[kMostWords] = {};
    char input[kMostInput] = {};
};

class SharedPage {
public:
    SharedPage() {
        void* page = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (page == MAP_FAILED) throw std::runtime_error("no memory to share with the process that reads");
        shared_ = new (page) Shared;
    }
    SharedPage(const SharedPage&) = delete;
    SharedPage& operator=(const SharedPage&) = delete;
    ~SharedPage() { munmap(shared_, sizeof(Shared)); }
    Shared* operator->() const { return shared_; }

private:
    Shared* shared_;
};

// A reader that calls exit(0) has not come to the end of what it was to read.
constexpr int kThrown = 41, kDone = 42;

// Catch's handlers would report the child's end as a test's; a mask or a handler from outside would keep
// hangs from being seen. Where a sanitizer's handler would tell more, `fuzz --input` does. What is
// instrumented maps terabytes.
void become_plain() {
    for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS, SIGTERM}) std::signal(signal, SIG_DFL);
#if !defined(__SANITIZE_ADDRESS__)
    constexpr rlim_t kMostMemory = rlim_t{2} << 30;
    const rlimit within{kMostMemory, kMostMemory};
    setrlimit(RLIMIT_AS, &within);
#endif
    std::signal(SIGALRM, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
}

void read_one(const Target& target, const SharedPage& page, const std::string& input, const Limits& limits) {
    const std::size_t size = std::min(input.size(), kMostInput);
    std::memcpy(page->input, input.data(), size);
    page->size = size;
    alarm(static_cast<unsigned>(limits.seconds_an_input));
    try {
        const std::string told = told_of(target, input);
        if (limits.planted && told.find(target.deep) != std::string::npos) raise(SIGSEGV);
    } catch (const std::exception& error) {
        std::strncpy(page->what, error.what(), kMostWords - 1);
        _exit(kThrown);
    } catch (...) {
        std::strncpy(page->what, "of no standard type", kMostWords - 1);
        _exit(kThrown);
    }
    alarm(0);
    ++page->executions;
}

[[noreturn]] void child(const Target& target, const SharedPage& page, const Limits& limits,
                        std::uint64_t skip, std::uint64_t seed, std::chrono::steady_clock::time_point until) {
    become_plain();
    const auto& seeds = target.material.seeds;
    // A planted fault is one that changed inputs find.
    for (std::size_t i = limits.planted ? seeds.size() : skip; i < seeds.size(); ++i)
        read_one(target, page, seeds[i], limits);
    std::mt19937_64 random(seed);
    const bool by_count = limits.executions > 0;
    const std::uint64_t most = (limits.executions + target.cost - 1) / target.cost;
    while (!seeds.empty() &&
           (by_count ? page->executions < most + seeds.size() : std::chrono::steady_clock::now() < until)) {
        page->size = 0;
        const std::string input =
            mutated(seeds[random() % seeds.size()], target.material, random, limits.most_bytes);
        read_one(target, page, input, limits);
    }
    _exit(kDone);
}

std::string how_it_ended(int status, const SharedPage& page, int seconds) {
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        return "took longer than " + std::to_string(seconds) + " s";
    if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
    if (WEXITSTATUS(status) == kThrown)
        return "an exception that no user is told: " + std::string(page->what);
    if (WEXITSTATUS(status) == 0) return "status 0, before its end";
    return "status " + std::to_string(WEXITSTATUS(status)) + ", a sanitizer's report perhaps";
}

}  // namespace

Outcome watched(const Target& target, const Limits& limits) {
    const SharedPage page;
    Outcome outcome;
    const auto until =
        std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                               std::chrono::duration<double>(limits.seconds));
    for (std::uint64_t round = 0;; ++round) {
        const std::uint64_t before = page->executions;
        // A seed that ended the process before is left out.
        const std::uint64_t skip = std::min<std::uint64_t>(before + round, target.material.seeds.size());
        const pid_t pid = fork();
        if (pid < 0) throw std::runtime_error("no process can be started");
        if (pid == 0) {
            // Whatever is thrown here must not reach the caller's copy in this process.
            try {
                child(target, page, limits, skip, limits.seed + round, until);
            } catch (...) {
                _exit(kThrown);
            }
        }
        int status = 0;
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
        }
        if (WIFEXITED(status) && WEXITSTATUS(status) == kDone) break;
        outcome.findings.push_back({how_it_ended(status, page, limits.seconds_an_input),
                                    std::string(page->input, page->size.load())});
        if (outcome.findings.size() >= static_cast<std::size_t>(limits.most_findings)) break;
    }
    outcome.executions = page->executions;
    return outcome;
}

}  // namespace rooftune::fuzz
