#include "tuner/cluster/journal.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tuner/cluster/job_words.h"

using namespace rooftune;

namespace {

namespace fs = std::filesystem;

struct Place {
    fs::path folder = fs::temp_directory_path() / ("rooftune_journal_" + std::to_string(getpid()));
    std::string file = (folder / "j.nodes.jsonl").string();
    Place() { fs::create_directories(folder); }
    ~Place() { fs::remove_all(folder); }
};

std::vector<int> numbers(ClusterJournal& journal) {
    std::vector<int> found;
    journal.each([&](JournalPlace, const Json& line) { found.push_back(line["n"].get<int>()); });
    return found;
}

const Json kJob = {{"job", "a"}};

}  // namespace

TEST_CASE("journal: what was added is there for who comes next, in order and by its place") {
    const Place place;
    JournalPlace second = 0;
    {
        ClusterJournal journal(place.file, kJob, false);
        journal.add({{"n", 1}});
        second = journal.add({{"n", 2}, {"text", std::string(100000, 'x')}});
        CHECK(journal.at(second)["n"] == 2);
    }
    {
        ClusterJournal journal(place.file, kJob, false);
        CHECK(numbers(journal) == std::vector<int>{1, 2});
        CHECK(journal.at(second)["text"].get<std::string>().size() == 100000);
        journal.add({{"n", 3}});
    }
    ClusterJournal again(place.file, kJob, false);
    CHECK(numbers(again) == std::vector<int>{1, 2, 3});
}

TEST_CASE("journal: a line that was being written when its writer died is cut off, at any byte") {
    const Place place;
    {
        ClusterJournal journal(place.file, kJob, false);
        journal.add({{"n", 1}});
        journal.add({{"n", 2}});
    }
    const auto whole = fs::file_size(place.file);
    for (std::uintmax_t size = whole - 1; size > whole - 9; --size) {
        fs::resize_file(place.file, size);
        {
            ClusterJournal journal(place.file, kJob, false);
            CHECK(numbers(journal) == std::vector<int>{1});
            journal.add({{"n", 2}});
        }
        ClusterJournal again(place.file, kJob, false);
        CHECK(numbers(again) == std::vector<int>{1, 2});
    }
}

TEST_CASE("journal: who has it open has it alone") {
    const Place place;
    {
        ClusterJournal journal(place.file, kJob, false);
        journal.add({{"n", 1}});
        CHECK_THROWS_AS(ClusterJournal(place.file, kJob, false), EnvironmentError);
        CHECK_THROWS_AS(ClusterJournal(place.file, kJob, true), EnvironmentError);
        CHECK_THROWS_AS(ClusterJournal(place.file, {{"job", "b"}}, false), EnvironmentError);
    }
    ClusterJournal journal(place.file, kJob, false);
    CHECK(numbers(journal) == std::vector<int>{1});
}

TEST_CASE("journal: of another job is kept aside, and a fresh run drops its own") {
    const Place place;
    {
        ClusterJournal journal(place.file, kJob, false);
        journal.add({{"n", 1}});
    }
    {
        ClusterJournal other(place.file, {{"job", "b"}}, false);
        CHECK(other.set_aside() == place.file + ".other");
        CHECK(numbers(other).empty());
        CHECK(fs::exists(other.set_aside()));
        other.add({{"n", 5}});
    }
    ClusterJournal fresh(place.file, {{"job", "b"}}, true);
    CHECK(numbers(fresh).empty());
    fresh.remove();
    CHECK_FALSE(fs::exists(place.file));
}

TEST_CASE("journal: a task that ended is the same when it is read, and is of a problem of the job") {
    const Registry registry = built_in_families();
    JobList list;
    list.jobs.resize(3);
    for (Job& job : list.jobs) job.family = registry.find("matmul");
    SetTask task;
    task.place = 2;
    task.group = 1;
    task.index = 4;
    task.kind = SetTask::Kind::compare;
    task.offered_by = {3, 1};
    task.nearest_best = SetTask::Values{{"a", "b"}};
    task.job.budget.seconds = 4.5;
    const SetTask back = journal_task(journal_json(task), list, "file");
    CHECK(journal_json(back) == journal_json(task));
    CHECK(back.job.family == list.jobs[2].family);
    CHECK(back.job.budget.seconds == 4.5);
    task.place = 3;
    CHECK_THROWS_AS(journal_task(journal_json(task), list, "file"), InputError);
}

TEST_CASE("journal: whose job it is depends on what is measured, and not on who measures") {
    const Registry registry = built_in_families();
    JobList list;
    list.jobs.resize(1);
    list.jobs[0].family = registry.find("matmul");
    list.jobs[0].problem = {{"m", "3"}};
    std::vector<ProblemSketch> sketches{{"g", {}, {}, "content"}};
    const TuneOptions options;
    const Json one = job_identity(list, sketches, options);
    TuneOptions elsewhere = options;
    elsewhere.common.results = "/elsewhere";
    elsewhere.fresh = true;
    CHECK(job_identity(list, sketches, elsewhere) == one);
    TuneOptions other = options;
    other.common.seed = 7;
    CHECK(job_identity(list, sketches, other) != one);
    sketches[0].digest = "other content";
    CHECK(job_identity(list, sketches, options) != one);
    sketches[0].digest = "content";
    list.jobs[0].budget.seconds = 61.0;
    CHECK(job_identity(list, sketches, options) != one);
}
