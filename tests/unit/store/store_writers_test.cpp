// Several processes on one store at once, and kill -9 of any.
#include <csignal>
#include <random>
#include <set>

#include "tests/support/catch.h"
#include "tests/unit/store/store_fixture.h"
#include "tuner/store/store.h"
#include "tuner/store/store_source.h"

using namespace rooftune;
using test::ended;
using test::example_key;
using test::example_record;
using test::example_variant;
using test::spawn;
using test::TemporaryFolder;

TEST_CASE("store: two processes on one store both finish and nothing is lost", "[store][faults]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("rooftune.db");
    std::vector<pid_t> children;
    for (int child = 0; child < 2; ++child)
        children.push_back(spawn([&] {
            Store store(path);  // both may be the one that makes the file
            const JobId id = store.job(example_key());
            for (int i = 0; i < 200; ++i) {
                const std::string variant = example_variant(1000 * child + i);
                store.journal_start(id, variant);
                store.add(id, variant, example_record(1000 * child + i));
            }
        }));
    for (const pid_t child : children) CHECK(ended(child) == 0);
    Store store(path);
    REQUIRE(store.jobs().size() == 1);
    const auto records = store.records(store.jobs()[0].id);
    CHECK(records.size() == 400);
    std::set<std::string> variants;
    for (const auto& stored : records) variants.insert(stored.variant);
    CHECK(variants.size() == 400);
    CHECK(store.notices().empty());
}

TEST_CASE("store: several processes may make the same store at the same time", "[store][faults]") {
    for (int round = 0; round < 10; ++round) {
        const TemporaryFolder folder;
        std::vector<pid_t> children;
        for (int child = 0; child < 4; ++child)
            children.push_back(spawn([&] { Store(folder.file("new/rooftune.db")).job(example_key()); }));
        for (const pid_t child : children) CHECK(ended(child) == 0);
        CHECK(Store(folder.file("new/rooftune.db")).jobs().size() == 1);
    }
}

TEST_CASE("store: kill -9 at any moment loses no record whose add() returned", "[store][faults]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("rooftune.db");
    std::mt19937 random(7);
    int promised = 0;
    for (int round = 0; round < 12; ++round) {
        int ends[2];
        REQUIRE(::pipe(ends) == 0);
        const pid_t child = spawn([&] {
            ::close(ends[0]);
            Store store(path);
            const JobId id = store.job(example_key());
            for (int i = 0;; ++i) {
                const std::int32_t number = 100'000 * round + i;
                store.journal_start(id, example_variant(number));
                store.add(id, example_variant(number), example_record(number));
                if (::write(ends[1], &number, sizeof number) != sizeof number) ::_exit(2);
            }
        });
        ::close(ends[1]);
        // The first report says that the store is open; the moment after it is drawn.
        std::vector<std::int32_t> reported;
        std::int32_t number = 0;
        REQUIRE(::read(ends[0], &number, sizeof number) == sizeof number);
        reported.push_back(number);
        ::usleep(std::uniform_int_distribution<useconds_t>(0, 20'000)(random));
        ::kill(child, SIGKILL);
        CHECK(ended(child) == 128 + SIGKILL);
        while (::read(ends[0], &number, sizeof number) == sizeof number) reported.push_back(number);
        ::close(ends[0]);

        Store store(path);
        CHECK(store.notices().empty());
        std::set<std::string> there;
        for (const auto& stored : store.records(store.job(example_key()))) there.insert(stored.variant);
        for (const std::int32_t each : reported) CHECK(there.contains(example_variant(each)));
        promised += static_cast<int>(reported.size());
        CHECK(static_cast<int>(there.size()) >= promised);
        CHECK(static_cast<int>(there.size()) <=
              promised + round + 1);  // one may be stored but not yet reported
    }
}

TEST_CASE("store: ten writers at once, some killed: every record whose add() returned is there",
          "[store][faults]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("rooftune.db");
    constexpr int kWriters = 10, kEach = 40;
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    std::vector<pid_t> children;
    for (int child = 0; child < kWriters; ++child)
        children.push_back(spawn([&] {
            ::close(ends[0]);
            Store store(path);
            JobKey key = example_key();
            key.threads = 1 + child % 3;  // some share a job
            const JobId id = store.job(key);
            const RunId run = store.start_run(id);
            for (int i = 0; i < kEach; ++i) {
                const std::int32_t number = 1000 * child + i;
                store.journal_start(id, example_variant(number));
                store.add(id, example_variant(number), example_record(number), run);
                if (::write(ends[1], &number, sizeof number) != sizeof number) ::_exit(2);
            }
            store.finish_run(run, "{}");
        }));
    ::close(ends[1]);
    std::set<std::int32_t> reported;
    std::set<int> killed;
    std::mt19937 random(11);
    std::uniform_int_distribution<int> any(0, kWriters - 1);
    for (std::int32_t number = 0; ::read(ends[0], &number, sizeof number) == sizeof number;) {
        reported.insert(number);
        if (reported.size() % 25 != 0 || killed.size() >= 5) continue;
        const int victim = any(random);
        killed.insert(victim);
        ::kill(children[static_cast<std::size_t>(victim)], SIGKILL);
    }
    ::close(ends[0]);
    for (int child = 0; child < kWriters; ++child) {
        const int status = ended(children[static_cast<std::size_t>(child)]);
        // One may be killed that has just ended.
        CHECK((status == 0 || (killed.contains(child) && status == 128 + SIGKILL)));
    }
    CHECK_FALSE(killed.empty());
    CHECK(reported.size() >= static_cast<std::size_t>((kWriters - 5) * kEach));
    CHECK(check_store(path).whole());
    Store store(path);
    CHECK(store.notices().empty());
    std::set<std::string> there;
    std::size_t records = 0;
    for (const JobSummary& job : store.jobs())
        for (const StoredRecord& stored : store.records(job.id)) {
            there.insert(stored.variant);
            ++records;
        }
    CHECK(records == there.size());  // none twice
    for (const std::int32_t number : reported) CHECK(there.contains(example_variant(number)));
    // Beyond those at most the one that each of the killed was about to report.
    CHECK(records <= reported.size() + killed.size());
}
