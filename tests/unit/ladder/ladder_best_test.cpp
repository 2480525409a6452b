// Which tuned config a ladder's best variant is from.
#include "tuner/ladder/ladder_best.h"

#include "tests/support/catch.h"
#include "tests/unit/formats/example_result.h"
#include "tests/unit/formats/temporary_folder.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

/// A results folder with tuned configs of one small product.
struct LadderWorld {
    TemporaryFolder folder;
    Registry registry = built_in_families();
    Job job;
    CommonOptions common;
    std::unique_ptr<Problem> problem;
    std::string told;

    LadderWorld() {
        job.family = registry.find("matmul");
        job.problem = {{"m", "8"}, {"n", "8"}, {"k", "8"}, {"dtype", "f64"}};
        problem = job.family->problem(job.problem);
        common.results = folder.path();
        std::filesystem::create_directory(folder.file("tuned"));
    }

    void tuned(const std::string& name, const std::string& created, const std::string& machine,
               int threads = 1) {
        TunedConfig config{example_result(), created, "g++", "build"};
        TuneResult& r = config.result;
        r.family = "matmul";
        r.problem = job.problem;
        r.digest = problem->digest();
        r.backend = "cpu";
        r.device = "";
        r.state = "warm";
        r.machine_id = machine;
        r.threads = threads;
        write_tuned_config(folder.file("tuned/" + name), config);
    }

    std::string newest() {
        const auto notice = [&](const std::string& text) { told += text + "\n"; };
        const auto found = newest_config(job, *problem, common, "here", notice);
        return found ? std::filesystem::path(found->path).filename().string() : "none";
    }
};

}  // namespace

TEST_CASE("the newest config of this machine counts, although another machine has a newer one", "[ladder]") {
    LadderWorld world;
    CHECK(world.newest() == "none");
    world.tuned("a.json", "2026-03-01T00:00:00Z", "there");
    CHECK(world.newest() == "none");
    world.tuned("b.json", "2026-01-01T00:00:00Z", "here");
    world.tuned("c.json", "2026-02-01T00:00:00Z", "here");
    CHECK(world.newest() == "c.json");
    CHECK(world.told.empty());
}

TEST_CASE("so does the newest for the threads that are asked for", "[ladder]") {
    LadderWorld world;
    world.tuned("one.json", "2026-01-01T00:00:00Z", "here", 1);
    world.tuned("seven.json", "2026-03-01T00:00:00Z", "here", 7);
    CHECK(world.newest() == "seven.json");
    world.common.threads = 1;
    CHECK(world.newest() == "one.json");
    world.job.state = "cold";
    CHECK(world.newest() == "none");
}

TEST_CASE("a folder that cannot be listed is told, and what the other has counts", "[ladder]") {
    LadderWorld world;
    world.tuned("a.json", "2026-01-01T00:00:00Z", "here");
    world.common.out = world.folder.file("tuned");
    std::filesystem::create_symlink("tuned", world.folder.file("tuned/tuned"));
    CHECK(world.newest() == "a.json");
    CHECK_THAT(world.told, Catch::Contains("/tuned/tuned: cannot be read"));
}
