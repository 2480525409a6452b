#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "kernels/runtime/memory.h"
#include "kernels/runtime/team.h"

using namespace rooftune;

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

TEST_CASE("a mapping larger than any memory is refused, not crashed on") {
    CHECK_THROWS_AS(Buffer(std::size_t{1} << 60), std::bad_alloc);
}
