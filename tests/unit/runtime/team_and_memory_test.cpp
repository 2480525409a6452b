#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "kernels/runtime/memory.h"
#include "kernels/runtime/team.h"
#include "tests/support/catch.h"
#include "tests/support/mask.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

std::unique_ptr<Team> g_goes_last;

}  // namespace

TEST_CASE("every thread runs a job exactly once, job after job") {
    Team team(usable_cpus());
    std::vector<std::atomic<int>> runs(static_cast<std::size_t>(team.size()));
    constexpr int kJobs = 200;
    for (int job = 0; job < kJobs; ++job) {
        team.run(team.size(), [&](int thread) { runs[static_cast<std::size_t>(thread)].fetch_add(1); });
    }
    for (const auto& r : runs) CHECK(r.load() == kJobs);
}

TEST_CASE("a job on fewer threads leaves the others out, and a parked team wakes") {
    Team team(usable_cpus());
    std::atomic<int> runs{0};
    team.run(1, [&](int thread) {
        CHECK(thread == 0);
        runs.fetch_add(1);
    });
    CHECK(runs.load() == 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // long enough for workers to park
    team.wake();
    team.run(team.size(), [&](int) { runs.fetch_add(1); });
    CHECK(runs.load() == 1 + team.size());
}

TEST_CASE("a team of no or of absent processing units is refused") {
    CHECK_THROWS_AS(Team(std::vector<int>{}), EnvironmentError);
    CHECK_THROWS_AS(Team(std::vector<int>{1023}), EnvironmentError);
}

TEST_CASE("a team that cannot be pinned leaves nothing behind") {
    const std::vector<int> before = mask_of_this_thread();
    const int first = usable_cpus().front();
    for (int round = 0; round < 20; ++round) CHECK_THROWS_AS(Team({first, 1023}), EnvironmentError);
    CHECK(mask_of_this_thread() == before);
    Team team(usable_cpus());
    std::atomic<int> runs{0};
    team.run(team.size(), [&](int) { runs.fetch_add(1); });
    CHECK(runs.load() == team.size());
}

TEST_CASE("several teams live side by side, also in a program with arenas of its own") {
    // Teams of more threads than there are processing units, which share them.
    std::vector<int> cpus(4);
    for (std::size_t i = 0; i < cpus.size(); ++i) cpus[i] = usable_cpus()[i % usable_cpus().size()];
    std::vector<std::unique_ptr<Team>> teams;
    std::atomic<int> runs{0};
    for (int i = 1; i <= 4; ++i) {
        teams.push_back(std::make_unique<Team>(cpus));
        runs = 0;
        for (const auto& team : teams) team->run(team->size(), [&](int) { runs.fetch_add(1); });
        CHECK(runs.load() == 4 * i);
    }
    std::atomic<int> sum{0};
    oneapi::tbb::parallel_for(0, 1000, [&](int i) { sum.fetch_add(i); });
    CHECK(sum.load() == 499'500);
    // Beside what all teams hold, the program's own threads have room.
    using oneapi::tbb::global_control;
    const auto held = global_control::active_value(global_control::max_allowed_parallelism);
    teams.clear();
    CHECK(global_control::active_value(global_control::max_allowed_parallelism) == held - 12);
}

TEST_CASE("the calling thread gets its processing units back, in whatever order teams go") {
    const std::vector<int> before = mask_of_this_thread();
    const std::vector<int> one = {usable_cpus().back()};
    auto first = std::make_unique<Team>(one);
    CHECK(mask_of_this_thread() == one);
    auto second = std::make_unique<Team>(usable_cpus());
    first.reset();
    CHECK(mask_of_this_thread() == std::vector<int>{usable_cpus().front()});
    first = std::make_unique<Team>(one);
    SECTION("the later first") {
        first.reset();
        // The other's worker may be where the thread was.
        CHECK(mask_of_this_thread() == std::vector<int>{usable_cpus().front()});
        second.reset();
    }
    SECTION("the earlier first") {
        second.reset();
        first.reset();
    }
    SECTION("on another thread, which keeps its own") {
        std::thread([&] {
            const std::vector<int> others = mask_of_this_thread();
            first.reset();
            second.reset();
            CHECK(mask_of_this_thread() == others);
        }).join();
    }
    CHECK(mask_of_this_thread() == before);
}

TEST_CASE("a fork leaves the thread alone that it came from") {
    const std::vector<int> cpus = usable_cpus();
    const auto team = std::make_unique<Team>(std::vector<int>{cpus.front()});
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(20);
        set_mask(cpus);
        const bool whole = mask_of_this_thread() == cpus;
        bool back = false;
        {
            Team own({cpus.front()});
            back = mask_of_this_thread() == std::vector<int>{cpus.front()};
        }
        ::_exit(whole && back && mask_of_this_thread() == cpus ? 0 : 1);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    CHECK(mask_of_this_thread() == std::vector<int>{cpus.front()});
}

TEST_CASE("a team may outlive the thread that made it, and leaves a mask alone that is the program's own") {
    const std::vector<int> before = mask_of_this_thread();
    std::unique_ptr<Team> team;
    std::thread([&] { team = std::make_unique<Team>(usable_cpus()); }).join();
    team.reset();
    CHECK(mask_of_this_thread() == before);
    team = std::make_unique<Team>(std::vector<int>{usable_cpus().front()});
    set_mask(usable_cpus());
    team.reset();
    CHECK(mask_of_this_thread() == usable_cpus());
    set_mask(before);
}

TEST_CASE("guard zones see one byte on either side, and nothing inside") {
    for (const Pages pages : {Pages::small, Pages::huge}) {
        Buffer buffer(1000, pages);
        REQUIRE(reinterpret_cast<std::uintptr_t>(buffer.data()) % kCacheLine == 0);
        buffer.arm();
        CHECK(buffer.intact());
        std::fill_n(buffer.data(), buffer.bytes(), std::byte{0xff});
        CHECK(buffer.intact());
        std::byte& behind = buffer.data()[buffer.bytes()];
        const std::byte was_behind = behind;
        behind = std::byte{0};
        CHECK_FALSE(buffer.intact());
        behind = was_behind;
        CHECK(buffer.intact());
        buffer.data()[-1] = std::byte{0};
        CHECK_FALSE(buffer.intact());
    }
}

TEST_CASE("an empty buffer is intact, and a moved one takes its bytes along") {
    Buffer empty;
    empty.arm();
    CHECK(empty.intact());
    Buffer first(64);
    first.as<char>()[0] = 'x';
    Buffer second(std::move(first));
    CHECK(second.as<char>()[0] == 'x');
    CHECK(second.bytes() == 64);
}

TEST_CASE("what a buffer takes of the address space is known before there is one") {
    for (const std::size_t bytes : {1UL, 4096UL, 4097UL, 3UL << 20}) {
        for (const Pages pages : {Pages::small, Pages::huge}) {
            const Buffer buffer(bytes, pages);
            CHECK(buffer.mapped_bytes() == Buffer::mapped_bytes(bytes, pages));
            CHECK(buffer.mapped_bytes() >= bytes + 2 * kGuardBytes);
            CHECK(buffer.mapped_bytes() <
                  bytes + 2 * kGuardBytes + (pages == Pages::huge ? 3UL << 20 : 4096));
        }
    }
    CHECK(Buffer().mapped_bytes() == 0);
}

TEST_CASE("memory that is asked for in huge pages is as it was, wherever it begins") {
    std::vector<char> all(std::size_t{9} << 20, 'a');
    for (const std::size_t from : {0UL, 1UL, 4095UL}) {
        like_huge_pages(all.data() + from, all.size() - from);
        like_huge_pages(all.data() + from, 100);
    }
    like_huge_pages(nullptr, 0);
    CHECK(std::count(all.begin(), all.end(), 'a') == static_cast<std::ptrdiff_t>(all.size()));
}

TEST_CASE("a mapping larger than any memory is refused, not crashed on") {
    CHECK_THROWS_AS(Buffer(std::size_t{1} << 60), std::bad_alloc);
}

// The last case: this program goes with a team of a global, which was made before anything of teams was and
// goes after it. That is for valgrind to judge: memory that was freed twice then need not show in the exit
// status.
TEST_CASE("a team may be a global") {
    g_goes_last = std::make_unique<Team>(usable_cpus());
    std::atomic<int> runs{0};
    g_goes_last->run(g_goes_last->size(), [&](int) { runs.fetch_add(1); });
    CHECK(runs.load() == g_goes_last->size());
}
