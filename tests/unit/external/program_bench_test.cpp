// Programs in a worker: what they are given, how they are timed and judged, and what is left of them.
#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <fstream>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/support/places.h"
#include "tests/support/process.h"
#include "tuner/base/adopted.h"
#include "tuner/external/answer_mark.h"
#include "tuner/external/family.h"
#include "tuner/external/problem.h"
#include "tuner/external/program_problem.h"
#include "tuner/external/program_shell.h"
#include "tuner/measure/judge.h"

using namespace rooftune;
using Catch::Contains;

namespace {

// A described program in a folder of its own; a team of two where there are two processors.
class Program {
public:
    explicit Program(const std::string& description, const std::string& script = "") {
        setenv("ROOFTUNE_KERNEL_CACHE", (folder_ / ".objects").c_str(), 1);
        if (!script.empty()) {
            std::ofstream(folder_ / "run.sh") << "#!/bin/sh\n" << script;
            std::filesystem::permissions(folder_ / "run.sh", std::filesystem::perms::owner_all);
        }
        problem_ = family_->problem(
            {{external::kDescriptionKey, description}, {external::kFolderKey, folder_ / ""}});
        space_.emplace(family_->space(*problem_, target_));
        bench_ = family_->bench(*problem_, *space_, target_);
    }
    ~Program() { unsetenv("ROOFTUNE_KERNEL_CACHE"); }

    std::unique_ptr<Prepared> prepare(const std::map<std::string, std::string>& values) {
        std::string why;
        const auto variant = values.empty() ? family_->naive_variant(*problem_, *space_, target_)
                                            : space_->from_map(values, why);
        INFO(why);
        REQUIRE(variant);
        return bench_->prepare(*variant, team_);
    }
    Correctness judged(const std::map<std::string, std::string>& values) {
        const std::vector<std::uint64_t> seeds{1, 2};
        return verify_answer(*prepare(values), *bench_, team_, seeds);
    }
    std::string failure(const std::map<std::string, std::string>& values, VariantError::Kind& kind) {
        try {
            judged(values);
        } catch (const VariantError& error) {
            kind = error.kind;
            return error.what();
        }
        return "nothing";
    }
    std::string left(const std::string& file) const { return test::contents(folder_ / file); }
    std::string folder() const { return folder_ / ""; }
    int team_size() const { return team_.size(); }
    const Problem& problem() const { return *problem_; }
    const Family& family() const { return *family_; }

private:
    static Target target_of(int threads) {
        Target target;
        target.width_bits = {128};
        target.threads = threads;
        return target;
    }

    test::TemporaryFolder folder_;
    std::unique_ptr<Family> family_ = make_external_family();
    Team team_{test::at_most_two_cpus()};
    Target target_ = target_of(team_.size());
    std::unique_ptr<Problem> problem_;
    std::optional<Space> space_;
    std::unique_ptr<Bench> bench_;
};

}  // namespace

TEST_CASE(
    "a program has its words, its variables, and as many processors as threads; this thread keeps its own") {
    Program p(
        "size n = 1<<20\nreal a = 2.5\nparameter tile 8 \"1 6\"\nparameter threads 1 all\n"
        "parameter MODE fast '' (environment)\ncommand ./run.sh {n} {a} {tile} {threads}\n",
        "echo \"$#|$1|$2|$3|$4|$OMP_NUM_THREADS|${MODE-none}\" > said\n"
        "grep Cpus_allowed_list: /proc/self/status | tr -cd ',-' | wc -c >> said\n");
    cpu_set_t before, after;
    sched_getaffinity(0, sizeof before, &before);
    p.prepare({{"tile", "1 6"}, {"threads", "1"}, {"MODE", "fast"}})->run();
    CHECK(p.left("said") == "4|1048576|2.5|1 6|1|1|fast\n0\n");
    if (p.team_size() == 2) {
        p.prepare({{"tile", "8"}, {"threads", "2"}, {"MODE", "none"}})->run();
        CHECK(p.left("said") == "4|1048576|2.5|8|2|2|none\n1\n");
    }
    sched_getaffinity(0, sizeof after, &after);
    CHECK(CPU_EQUAL(&before, &after));
}

TEST_CASE("a program that is told nothing of threads has all processors, and its user's variable") {
    setenv("OMP_NUM_THREADS", "7", 1);
    Program p("command ./run.sh\n",
              "echo $OMP_NUM_THREADS > said\n"
              "grep Cpus_allowed_list: /proc/self/status | tr -cd ',-' | wc -c >> said\n");
    p.prepare({})->run();
    unsetenv("OMP_NUM_THREADS");
    CHECK(p.left("said") == (p.team_size() == 2 ? "7\n1\n" : "7\n0\n"));
}

TEST_CASE("the time of a run is what is declared, and never longer than the run") {
    Program wall("command sleep 0.02\n");
    const auto slept = wall.prepare({});
    slept->run();
    CHECK(slept->device_seconds().value() >= 0.02);
    Program printed("parameter T 1 50000 (environment)\ncommand ./run.sh\ntime printed\n",
                    "echo \"took $T ms\"\n");
    const auto took = printed.prepare({{"T", "1"}});
    took->run();
    CHECK(took->device_seconds().value() == 1e-3);
    VariantError::Kind kind{};
    CHECK_THAT(printed.failure({{"T", "50000"}}, kind), Contains("longer than the"));
    CHECK(kind == VariantError::Kind::fault);
}

TEST_CASE("answers are held against the first variant's, and one that is not written is none") {
    Program p(
        "parameter HOW right same near wrong none (environment)\ncommand ./run.sh\nverify answer\n"
        "tolerance 1e-3\n",
        "case $HOW in\nright|same) echo x 1.5 > answer;;\nnear) echo x 1.501 > answer;;\n"
        "wrong) echo x 3.0 > answer;;\nesac\n");
    CHECK(p.judged({{"HOW", "right"}}).right);
    CHECK(p.judged({{"HOW", "same"}}).error == 0.0);
    CHECK(p.judged({{"HOW", "near"}}).right);
    CHECK(p.judged({{"HOW", "near"}}).error == Approx(2.0 / 3.0));
    VariantError::Kind kind{};
    CHECK(p.failure({{"HOW", "wrong"}}, kind) ==
          "answer, word 2, in line 1: the first variant wrote '1.5', this one '3.0'");
    CHECK(kind == VariantError::Kind::wrong);
    CHECK_THAT(p.failure({{"HOW", "none"}}, kind), Contains("it wrote no file answer"));
    CHECK_THAT(p.problem().verified_by(), Contains("first variant wrote into answer"));
    // A file that nothing writes is no answer, and still there.
    Program given("parameter n 1 2\ncommand ./run.sh {n}\nverify reference\n", "true\n");
    std::ofstream(given.folder() + "reference") << "1 2 3\n";
    CHECK_THAT(given.failure({{"n", "2"}}, kind), Contains("wrote no file reference"));
    CHECK(given.left("reference") == "1 2 3\n");
    Program nan("parameter n 1 2\ncommand ./run.sh {n}\nverify answer\n", "echo nan > answer\n");
    CHECK_THROWS_WITH(nan.judged({{"n", "2"}}), Contains("nothing to compare with: in line 1 stands nan"));
    Program fails("parameter n 1 2\ncommand ./run.sh {n}\nverify answer\n",
                  "[ $1 = 2 ] && exec touch answer; echo why >&2; exit 4\n");
    CHECK_THROWS_WITH(fails.judged({{"n", "2"}}),
                      Contains("--verify: the first variant, with which others are compared, fails: it ended "
                               "with status 4; it said: why"));
}

TEST_CASE("the first variant is run for its answer once, and only where one is compared") {
    Program p("parameter n 1 2 3\ncommand ./run.sh {n}\nverify answer\n",
              "echo $1 >> said\necho 7 > answer\n");
    const auto second = p.prepare({{"n", "2"}});
    second->reset(1);
    second->run();
    CHECK(p.left("said") == "2\n");
    CHECK(p.judged({{"n", "3"}}).right);
    CHECK(p.left("said") == "2\n3\n1\n3\n");
    Program first("parameter n 1 2\ncommand ./run.sh {n}\nverify answer\n",
                  "echo $1 >> said\necho 7 > answer\n");
    CHECK(first.judged({{"n", "1"}}).right);
    CHECK(first.left("said") == "1\n1\n");
}

TEST_CASE("an answer of an earlier run is known where no file may have an old time as well") {
    const test::TemporaryFolder folder;
    const std::string path = folder / "answer";
    const auto write = [&](const std::string& text) { std::ofstream(path) << text; };
    const auto judged = [&](external::AnswerMark mark) {
        std::filesystem::remove(path);
        mark.mark(path, 1000);
        CHECK_FALSE(mark.is_written(path));
        write("same");
        CHECK(mark.is_written(path));
        mark.mark(path, 1000);
        CHECK_FALSE(mark.is_written(path));
        usleep(20'000);  // a system's clock of files has ticks
        write("same");
        CHECK(mark.is_written(path));
        mark.mark(path, 1000);
        write("more");
        CHECK(mark.is_written(path));
        CHECK(test::contents(path) == "more");
    };
    judged(external::AnswerMark());
    // Nothing is kept of it, not even that it failed.
    judged(external::AnswerMark(
        [](const std::string& file, time_t) { return access(file.c_str(), F_OK) ? ENOENT : 0; }));
    external::AnswerMark forbidden([](const std::string&, time_t) { return EACCES; });
    CHECK_THROWS_WITH(forbidden.mark(path, 1000),
                      Contains("cannot be told from an answer of an earlier run"));
}

TEST_CASE("how a program ends is how its variant fails") {
    Program p("parameter HOW status segv ill killed (environment)\ncommand ./run.sh\n",
              "case $HOW in\nstatus) echo out; exit 3;;\nsegv) kill -SEGV $$;;\nill) kill -ILL $$;;\n"
              "killed) kill -KILL $$;;\nesac\n");
    VariantError::Kind kind{};
    CHECK(p.failure({{"HOW", "status"}}, kind) == "it ended with status 3; it printed: out");
    CHECK(kind == VariantError::Kind::wrong);
    CHECK_THAT(p.failure({{"HOW", "segv"}}, kind), Contains("Segmentation fault"));
    CHECK(kind == VariantError::Kind::fault);
    p.failure({{"HOW", "ill"}}, kind);
    CHECK(kind == VariantError::Kind::illegal);
    CHECK_THAT(p.failure({{"HOW", "killed"}}, kind), Contains("for want of memory"));
    CHECK(kind == VariantError::Kind::memory);
}

TEST_CASE("what a program leaves running is ended after its run, its own children as well") {
    REQUIRE_FALSE(has_children());
    Program p("command ./run.sh\n", "sh -c 'sleep 1000 & sleep 1000' &\nsetsid sleep 1000 &\n");
    p.prepare({})->run();
    CHECK_FALSE(has_children());
}

TEST_CASE("variants of several builds take turns, each with its own") {
    Program p("parameter tile 8 16 32\ncommand ./run.sh {tile}\nbuild ./make.sh {tile}\n");
    // The build makes the program itself.
    std::ofstream(p.folder() + "make.sh") << "#!/bin/sh\necho x >> builds\n"
                                             "printf '#!/bin/sh\\necho %s $1 >> said\\n' $1 > run.sh\n"
                                             "chmod +x run.sh\n";
    std::filesystem::permissions(p.folder() + "make.sh", std::filesystem::perms::owner_all);
    const auto first = p.prepare({{"tile", "8"}}), second = p.prepare({{"tile", "16"}});
    for (int turn = 0; turn < 3; ++turn) {
        first->run();
        second->run();
    }
    CHECK(p.left("said") == "8 8\n16 16\n8 8\n16 16\n8 8\n16 16\n");
    CHECK(p.left("builds") == "x\nx\nx\nx\nx\nx\nx\nx\n");  // two to prepare, and each turn another
}

TEST_CASE("a run as a line for a shell: what it lacks is taken away, and its processors are named") {
    external::ProgramCall call;
    call.command = {"./bench", "1 6"};
    CHECK(external::shell_command(call, {}) == "./bench '1 6'");
    call.environment = {{"MODE", "very fast"}, {"OMP_NUM_THREADS", "2"}};
    CHECK(external::shell_command(call, {0, 2}) ==
          "MODE='very fast' OMP_NUM_THREADS=2 taskset -c 0,2 ./bench '1 6'");
    call.environment = {{"MODE", ""}, {"PIN", ""}, {"OMP_NUM_THREADS", "2"}};
    CHECK(external::shell_command(call, {}) == "env -u MODE -u PIN OMP_NUM_THREADS=2 ./bench '1 6'");
}

TEST_CASE("a program is known by its files, and a worker has what the tune had") {
    const auto digest = [](const Program& p) { return p.family().problem(p.problem().spec())->digest(); };
    Program p("size n = 3\ncommand ./run.sh {n} data\n", "true\n");
    const std::string before = digest(p);
    CHECK(before == p.problem().digest());
    std::ofstream(p.folder() + "data") << "written by a run\n";
    CHECK(digest(p) == before);
    std::ofstream(p.folder() + "run.sh", std::ios::app) << "# changed\n";
    CHECK(digest(p) != before);
    const auto& problem = dynamic_cast<const external::ExternalProblem&>(p.problem());
    const auto shared = external::ExternalProblem::from_shared(problem.shared(), 1e12);
    CHECK(shared->spec() == problem.spec());
    CHECK(shared->digest() == problem.digest());
    CHECK(shared->title() == "run.sh n=3");
    CHECK(shared->instance().folder == problem.instance().folder);
    CHECK_THROWS_AS(p.family().work_model(p.problem(), p.family().space(p.problem(), {}), {}, State::cold),
                    InputError);
}
