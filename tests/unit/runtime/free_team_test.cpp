// Teams in other people's programs: their threads are their own, and the caller's mask stays as it is.
#include <immintrin.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "kernels/runtime/team.h"
#include "tests/support/catch.h"
#include "tests/support/child.h"
#include "tests/support/mask.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

namespace {

// Which shares ran.
class Shares {
public:
    void add(int share) {
        const std::lock_guard lock(mutex_);
        once_ = shares_.insert(share).second && once_;
    }
    // The first so many, each once.
    bool are_the_first(int number) const {
        return once_ && static_cast<int>(shares_.size()) == number && *shares_.begin() == 0 &&
               *shares_.rbegin() == number - 1;
    }

private:
    std::mutex mutex_;
    std::set<int> shares_;
    bool once_ = true;
};

int threads_of_this_process() {
    int number = 0;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        static_cast<void>(task);
        ++number;
    }
    return number;
}

}  // namespace

TEST_CASE("a free team touches nobody's mask but that of its own threads") {
    const std::vector<int> before = mask_of_this_thread();
    Team team(usable_cpus(), Team::Caller::free);
    CHECK(mask_of_this_thread() == before);
    std::mutex mutex;
    std::map<int, std::vector<int>> masks;
    const std::thread::id caller = std::this_thread::get_id();
    for (int run = 0; run < 50; ++run) {
        team.run(team.size(), [&](int share) {
            const std::lock_guard lock(mutex);
            if (std::this_thread::get_id() != caller) masks[share] = mask_of_this_thread();
        });
    }
    for (const auto& [share, mask] : masks)
        CHECK(mask == std::vector<int>{team.cpus()[static_cast<std::size_t>(share)]});
    CHECK(mask_of_this_thread() == before);
}

TEST_CASE("the caller of a free team takes the share of the processing unit that it stands on") {
    const std::vector<int> before = mask_of_this_thread();
    const std::vector<int> cpus = usable_cpus();
    Team team(cpus, Team::Caller::free);
    const std::thread::id caller = std::this_thread::get_id();
    for (const int cpu : cpus) {
        set_mask({cpu});
        for (int run = 0; run < 20; ++run) {
            std::atomic<int> mine{-1};
            Shares shares;
            team.run(team.size(), [&](int share) {
                if (std::this_thread::get_id() == caller) mine = share;
                shares.add(share);
            });
            CHECK(cpus[static_cast<std::size_t>(mine.load())] == cpu);
            CHECK(shares.are_the_first(team.size()));
        }
    }
    set_mask(before);
}

TEST_CASE("a free caller takes the first share where its own is not wanted") {
    const std::vector<int> cpus = usable_cpus();
    if (cpus.size() < 2) return;
    const std::vector<int> before = mask_of_this_thread();
    Team team({cpus[0], cpus[0], cpus[1]}, Team::Caller::free);
    set_mask({cpus[1]});
    const std::thread::id caller = std::this_thread::get_id();
    std::atomic<int> mine{-1};
    Shares shares;
    team.run(2, [&](int share) {
        if (std::this_thread::get_id() == caller) mine = share;
        shares.add(share);
    });
    set_mask(before);
    CHECK(mine.load() == 0);
    CHECK(shares.are_the_first(2));
}

TEST_CASE("threads that may run anywhere do, and the caller takes the first share wherever it stands") {
    const std::vector<int> before = mask_of_this_thread();
    const std::vector<int> cpus = usable_cpus();
    Team team = Team::anywhere_on(cpus, 3);
    CHECK(team.size() == 3);
    const std::thread::id caller = std::this_thread::get_id();
    for (const int cpu : cpus) {
        set_mask({cpu});
        std::mutex mutex;
        std::map<int, std::vector<int>> masks;
        Shares shares;
        team.run(3, [&](int share) {
            shares.add(share);
            const std::lock_guard lock(mutex);
            masks[share] = mask_of_this_thread();
            if (share == 0) CHECK(std::this_thread::get_id() == caller);
        });
        CHECK(shares.are_the_first(3));
        CHECK(masks[1] == cpus);
        CHECK(masks[2] == cpus);
    }
    set_mask(before);
    CHECK(Team::anywhere_on(cpus, 1).size() == 1);
}

TEST_CASE("a free team that cannot be had says how far it came, and leaves no thread behind") {
    const std::vector<int> before = mask_of_this_thread();
    const int first = usable_cpus().front();
    const int threads = threads_of_this_process();
    for (int round = 0; round < 20; ++round) {
        CHECK_THROWS_AS(Team({first, 1023}, Team::Caller::free), EnvironmentError);
        CHECK_THROWS_WITH(Team({first, 1023}, Team::Caller::free), Contains("1 of 2 threads started"));
    }
    // The kernel counts a thread for a moment after it was joined.
    for (int look = 0; threads_of_this_process() > threads && look < 20'000; ++look)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(threads_of_this_process() <= threads);
    CHECK(mask_of_this_thread() == before);
}

TEST_CASE("what is thrown on the caller comes out when the other threads are done") {
    for (const auto who : {Team::Caller::free, Team::Caller::pinned}) {
        Team team(std::vector<int>(3, usable_cpus().front()), who);
        const std::thread::id caller = std::this_thread::get_id();
        std::atomic<int> done{0};
        auto body = [&](int) {
            if (std::this_thread::get_id() == caller) throw InputError("of the caller");
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            done.fetch_add(1);
        };
        CHECK_THROWS_WITH(team.run(3, body), "of the caller");
        CHECK(done.load() == 2);
        team.run(3, [&](int) { done.fetch_add(1); });
        CHECK(done.load() == 5);
    }
}

TEST_CASE("threads of a free team calculate in the caller's mode") {
    Team team(std::vector<int>(2, usable_cpus().front()), Team::Caller::free);
    constexpr unsigned kFlushToZero = 0x8000;
    const unsigned before = _mm_getcsr();
    for (const unsigned mode : {before | kFlushToZero, before & ~kFlushToZero}) {
        _mm_setcsr(mode);
        std::atomic<int> wrong{0};
        team.run(2, [&](int) {
            if (((_mm_getcsr() ^ mode) & kFlushToZero) != 0) wrong.fetch_add(1);
        });
        CHECK(wrong.load() == 0);
    }
    _mm_setcsr(before);
}

TEST_CASE("threads of a free team leave a program's signals to it, and take a profiler's") {
    Team team(std::vector<int>(2, usable_cpus().front()), Team::Caller::free);
    const std::thread::id caller = std::this_thread::get_id();
    std::atomic<int> wrong{0};
    team.run(2, [&](int) {
        if (std::this_thread::get_id() == caller) return;
        sigset_t blocked;
        pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
        for (const int program : {SIGINT, SIGTERM, SIGUSR1, SIGALRM, SIGCHLD})
            if (sigismember(&blocked, program) != 1) wrong.fetch_add(1);
        for (const int own : {SIGSEGV, SIGFPE, SIGPROF, SIGVTALRM})
            if (sigismember(&blocked, own) != 0) wrong.fetch_add(1);
    });
    CHECK(wrong.load() == 0);
}

TEST_CASE("a free team serves one thread after the other, and sleeps between") {
    Team team(usable_cpus(), Team::Caller::free);
    std::atomic<int> runs{0};
    for (int round = 0; round < 4; ++round) {
        std::thread([&] { team.run(team.size(), [&](int) { runs.fetch_add(1); }); }).join();
        if (round % 2 == 1) std::this_thread::sleep_for(std::chrono::milliseconds(8));
    }
    team.wake();
    CHECK(runs.load() == 4 * team.size());
}

TEST_CASE("a child of fork() has none of its parent's threads, is told so, and can have its own") {
    if (usable_cpus().size() < 2) return;
    const std::vector<int> cpus = usable_cpus();
    auto team = std::make_unique<Team>(cpus, Team::Caller::free);
    team->run(team->size(), [](int) {});
    const pid_t child = ::fork();
    if (child == 0)
        end_child([&] {
            bool refused = false;
            try {
                team->run(team->size(), [](int) {});
            } catch (const EnvironmentError& e) {
                refused = std::string(e.what()).find("fork()") != std::string::npos;
            }
            bool alone = false;
            team->run(1, [&](int) { alone = true; });
            team->wake();
            team.reset();
            std::atomic<int> runs{0};
            {
                Team own(cpus, Team::Caller::free);
                own.run(own.size(), [&](int) { runs.fetch_add(1); });
            }
            return refused && alone && runs.load() == static_cast<int>(cpus.size());
        });
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    std::atomic<int> runs{0};
    team->run(team->size(), [&](int) { runs.fetch_add(1); });
    CHECK(runs.load() == team->size());
}
