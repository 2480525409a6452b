// The caller's threads that run something together: each share once, and an answer for whoever comes wrongly.
#include "kernels/runtime/participants.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "kernels/runtime/team.h"
#include "tests/support/catch.h"
#include "tests/support/child.h"
#include "tests/support/several_threads.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

namespace {

bool none_threw(const std::vector<std::string>& thrown) {
    return std::all_of(thrown.begin(), thrown.end(), [](const std::string& text) { return text.empty(); });
}

// A team of so many threads on one processing unit.
std::vector<int> crowded(int threads) {
    return std::vector<int>(static_cast<std::size_t>(threads), usable_cpus().front());
}

// How often each share of two dispatches ran, by n threads of a test's.
std::vector<int> runs_of_shares(Participants& participants, Team& team, int shares, int n) {
    std::vector<std::atomic<int>> runs(static_cast<std::size_t>(shares));
    const std::vector<std::string> thrown = at_once(n, [&](int part) {
        participants.take_part(part, n, [&] {
            for (int dispatch = 0; dispatch < 2; ++dispatch)
                team.run(shares, [&](int share) { runs[static_cast<std::size_t>(share)].fetch_add(1); });
        });
    });
    CHECK(none_threw(thrown));
    std::vector<int> counted;
    for (const std::atomic<int>& run : runs) counted.push_back(run.load());
    return counted;
}

}  // namespace

TEST_CASE("participants do each share once a dispatch, whatever their number") {
    for (int shares = 1; shares <= 5; ++shares) {
        Team team(crowded(shares), Team::Caller::free);
        Participants participants(shares);
        for (int n = 1; n <= 6; ++n) {
            INFO(shares << " shares, " << n << " parts");
            for (int round = 0; round < 5; ++round)
                CHECK(runs_of_shares(participants, team, shares, n) ==
                      std::vector<int>(static_cast<std::size_t>(shares), 2));
        }
    }
}

TEST_CASE("participants: no thread of the team runs a share, and one dispatch ends before the next begins") {
    constexpr int kThreads = 3;
    Team team(crowded(kThreads), Team::Caller::free);
    Participants participants(kThreads);
    std::vector<std::thread::id> of_part(kThreads), of_share(kThreads);
    std::atomic<int> done{0}, early{0};
    const auto thrown = at_once(kThreads, [&](int part) {
        of_part[static_cast<std::size_t>(part)] = std::this_thread::get_id();
        participants.take_part(part, kThreads, [&] {
            for (int dispatch = 0; dispatch < 20; ++dispatch)
                team.run(kThreads, [&](int share) {
                    of_share[static_cast<std::size_t>(share)] = std::this_thread::get_id();
                    if (done.load() < dispatch * kThreads) early.fetch_add(1);
                    done.fetch_add(1);
                });
        });
    });
    CHECK(none_threw(thrown));
    CHECK(of_part == of_share);
    CHECK(early.load() == 0);
    CHECK(done.load() == 20 * kThreads);
}

TEST_CASE("participants: one part alone does all shares on its own thread, beside who uses the same team") {
    constexpr int kThreads = 3, kRuns = 200;
    Team team(crowded(kThreads), Team::Caller::free);
    std::atomic<int> elsewhere{0}, done{0};
    const auto thrown = at_once(2, [&](int) {
        Participants alone(kThreads);
        for (int i = 0; i < kRuns; ++i) {
            alone.take_part(0, 1, [&] {
                team.run(kThreads, [&, here = std::this_thread::get_id()](int) {
                    if (std::this_thread::get_id() != here) elsewhere.fetch_add(1);
                    done.fetch_add(1);
                });
            });
        }
    });
    CHECK(none_threw(thrown));
    CHECK(elsewhere.load() == 0);
    CHECK(done.load() == 2 * kRuns * kThreads);
}

TEST_CASE("participants: run follows run without a barrier of the caller's") {
    constexpr int kThreads = 3, kRuns = 300;
    Team team(crowded(kThreads), Team::Caller::free);
    Participants participants(kThreads);
    std::atomic<int> shares{0};
    const auto thrown = at_once(kThreads, [&](int part) {
        for (int run = 0; run < kRuns; ++run)
            participants.take_part(part, kThreads, [&] {
                // Every fifth hands nothing out.
                if (run % 5 != 0) team.run(kThreads, [&](int) { shares.fetch_add(1); });
            });
    });
    CHECK(none_threw(thrown));
    CHECK(shares.load() == kRuns / 5 * 4 * kThreads);
}

TEST_CASE("participants: who has no share waits for nobody") {
    Participants participants(2);
    bool ran = false;
    participants.take_part(2, 4, [&] { ran = true; });
    participants.take_part(3, 4, [&] { ran = true; });
    CHECK_FALSE(ran);
    Participants alone(1);
    alone.take_part(5, 6, [&] { ran = true; });
    CHECK_FALSE(ran);
    alone.take_part(0, 6, [&] { ran = true; });
    CHECK(ran);
}

TEST_CASE("participants: a part that is none is refused, and disturbs nobody") {
    Participants participants(3);
    const auto nothing = [] {};
    for (const auto& [part, parts] : {std::pair{-1, 3}, {3, 3}, {0, 0}, {0, -2}, {0, 1 << 20}})
        CHECK_THROWS_AS(participants.take_part(part, parts, nothing), InputError);
    const auto thrown = at_once(4, [&](int part) { participants.take_part(part, 3, nothing); });
    CHECK_THAT(thrown[3], Contains("part 3 of 3 is none; parts are counted from 0"));
    CHECK(thrown[0] + thrown[1] + thrown[2] == "");
}

TEST_CASE("participants: a part that is taken and another number of parts are refused to all") {
    Participants participants(3);
    Team team(crowded(3), Team::Caller::free);
    const auto all_of = [](const std::vector<std::string>& thrown) {
        return thrown[0] + "; " + thrown[1] + "; " + thrown[2];
    };
    for (int round = 0; round < 20; ++round) {
        const auto twice = at_once(3, [&](int i) { participants.take_part(std::min(i, 1), 3, [] {}); });
        CHECK(std::count(twice.begin(), twice.end(), "") == 0);
        CHECK_THAT(all_of(twice),
                   Contains("another thread's already") && Contains("another thread's part of this run"));
        const auto differ = at_once(3, [&](int i) { participants.take_part(i, i == 0 ? 2 : 3, [] {}); });
        CHECK(std::count(differ.begin(), differ.end(), "") == 0);
        CHECK_THAT(all_of(differ), Contains("say the same number"));
        CHECK(runs_of_shares(participants, team, 3, 3) == std::vector<int>{2, 2, 2});
    }
}

TEST_CASE("participants: who comes into the middle of a run is refused, and the run goes on") {
    Participants participants(2);
    Team team(crowded(2), Team::Caller::free);
    std::string late;
    std::atomic<int> shares{0};
    const auto thrown = at_once(2, [&](int part) {
        participants.take_part(part, 2, [&] {
            late = at_once(1, [&](int) { participants.take_part(1, 2, [] {}); }).front();
            team.run(2, [&](int) { shares.fetch_add(1); });
        });
    });
    CHECK(thrown == std::vector<std::string>(2));
    CHECK_THAT(late, Contains("another thread's already"));
    CHECK(shares.load() == 2);
    CHECK(runs_of_shares(participants, team, 2, 2) == std::vector<int>{2, 2});
}

TEST_CASE("participants: what part 0 throws is told to all, and the next run is right") {
    constexpr int kThreads = 3;
    Participants participants(kThreads);
    Team team(crowded(kThreads), Team::Caller::free);
    std::vector<int> kind(kThreads);
    for (const bool input : {true, false}) {
        at_once(kThreads, [&](int part) {
            int& mine = kind[static_cast<std::size_t>(part)];
            mine = 0;
            try {
                participants.take_part(part, kThreads, [&] {
                    team.run(kThreads, [](int) {});
                    if (input) throw InputError("no such thing");
                    throw EnvironmentError("no such thing");
                });
            } catch (const InputError& error) {
                mine = error.what() == std::string("no such thing") ? 1 : -1;
            } catch (const EnvironmentError& error) {
                mine = error.what() == std::string("no such thing") ? 2 : -1;
            }
        });
        CHECK(kind == std::vector<int>(kThreads, input ? 1 : 2));
        CHECK(runs_of_shares(participants, team, kThreads, kThreads) ==
              std::vector<int>(static_cast<std::size_t>(kThreads), 2));
    }
}

TEST_CASE("participants: a child of fork() is not waited for by who waited in its parent") {
    Participants participants(2);
    Team team(crowded(2), Team::Caller::free);
    std::atomic<bool> asked{false};
    std::thread early([&] {
        asked = true;
        participants.take_part(1, 2, [] {});
    });
    while (!asked) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const pid_t child = ::fork();
    if (child == 0)
        end_child([&] {
            // On the child's own threads, though the team has none there.
            std::atomic<int> shares{0};
            const auto thrown = at_once(2, [&](int part) {
                participants.take_part(part, 2, [&] { team.run(2, [&](int) { shares.fetch_add(1); }); });
            });
            return none_threw(thrown) && shares.load() == 2;
        });
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    participants.take_part(0, 2, [] {});
    early.join();
}

namespace {

// Calls one share after the other, the last first, and what it was asked.
class OneByOne final : public LentThreads {
public:
    void run(int shares, void (*body)(void*, int), void* context) override {
        ++dispatches;
        is_nested = is_nested || Lending::now() != nullptr;
        for (int share = shares - 1; share >= 0; --share) body(context, share);
    }
    bool at_once(int) const override { return false; }
    int dispatches = 0;
    bool is_nested = false;
};

}  // namespace

TEST_CASE("what is lent is lent to one thread, for as long as it is, and not to what runs within") {
    Team team(crowded(2), Team::Caller::free);
    OneByOne lent, other;
    CHECK(Team::runs_at_once(2));
    {
        const Lending lending(&lent);
        CHECK_FALSE(Team::runs_at_once(2));
        CHECK(Team::runs_at_once(1));
        std::vector<int> order;
        team.run(2, [&](int share) { order.push_back(share); });
        CHECK(order == std::vector<int>{1, 0});
        {
            const Lending within(&other);
            team.run(2, [](int) {});
        }
        CHECK(Lending::now() == &lent);
        bool elsewhere = false;
        std::thread([&] { elsewhere = Lending::now() != nullptr; }).join();
        CHECK_FALSE(elsewhere);
        // One share needs nobody.
        team.run(1, [](int) {});
    }
    CHECK(lent.dispatches == 1);
    CHECK(other.dispatches == 1);
    CHECK_FALSE(lent.is_nested);
    CHECK(Lending::now() == nullptr);
    std::atomic<int> runs{0};
    team.run(2, [&](int) { runs.fetch_add(1); });
    CHECK(runs.load() == 2);
}
