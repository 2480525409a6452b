// Builds in a program's own folder: which one is current, what is refused, and what is left alone.
#include <unistd.h>

#include <fstream>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/support/process.h"
#include "tuner/base/adopted.h"
#include "tuner/external/compiled.h"
#include "tuner/external/folder_lock.h"
#include "tuner/external/program_builds.h"

using namespace rooftune;
using namespace rooftune::external;
using Catch::Contains;

namespace {

namespace fs = std::filesystem;

template <typename Do>
std::string why_refused(Do&& act) {
    try {
        act();
    } catch (const VariantError& error) {
        return error.kind == VariantError::Kind::build ? error.what() : "another kind";
    } catch (const EnvironmentError& error) {
        return std::string("environment: ") + error.what();
    }
    return "nothing";
}

// A folder where `sh -c` builds ./bench.
class Folder {
public:
    std::string text(const std::string& file) const { return test::contents(folder_ / file); }
    std::string path(const std::string& file = "") const { return folder_ / file; }
    std::string state() const { return folder_ / ".state/build"; }
    void write(const std::string& file, const std::string& what) const {
        std::ofstream(folder_ / file) << what;
    }
    ProgramBuilds builds() const { return {folder_ / "", state()}; }

private:
    test::TemporaryFolder folder_;
};

std::vector<std::string> shell(const std::string& script) {
    return {"sh", "-c", script};
}

std::vector<std::string> makes(const std::string& what) {
    return shell("rm -f bench; echo " + what + " > bench; chmod +x bench; echo x >> times");
}

const std::vector<ProgramWord> kBench{{"./bench"}, {"--fast"}};

}  // namespace

TEST_CASE("a build is made anew unless it was the last one, for another process of the tune as well") {
    const Folder f;
    const ProgramBuilds builds = f.builds();
    builds.use(makes("one"), kBench);
    builds.use(makes("one"), kBench);
    CHECK(f.text("times") == "x\n");
    builds.use(makes("two"), kBench);
    CHECK(f.text("bench") == "two\n");
    CHECK_FALSE(builds.is_current(makes("one"), kBench));
    f.builds().use(makes("two"), kBench);
    CHECK(f.text("times") == "x\nx\n");
    f.builds().use(makes("one"), kBench);
    CHECK(f.text("bench") == "one\n");
    CHECK(f.text("times") == "x\nx\nx\n");
}

TEST_CASE("a program that somebody else has made is not taken for the one that was built") {
    const Folder f;
    const ProgramBuilds builds = f.builds();
    builds.use(makes("one"), kBench);
    f.write("bench", "by another make\n");
    CHECK_FALSE(builds.is_current(makes("one"), kBench));
    builds.use(makes("one"), kBench);
    CHECK(f.text("bench") == "one\n");
}

TEST_CASE("whatever else lies in the folder stays as its user left it, what builds wrote among it") {
    const Folder f;
    const ProgramBuilds builds = f.builds();
    const auto build = [](const std::string& what) {
        return shell("rm -f bench; echo " + what + " > bench; chmod +x bench; [ " + what +
                     " = two ] || echo " + what + " > notes");
    };
    builds.use(build("one"), kBench);
    builds.use(build("two"), kBench);
    std::ofstream(f.path("notes"), std::ios::app) << "by hand\n";
    f.write("results.db", "records\n");
    builds.use(build("two"), kBench);
    builds.use(makes("three"), kBench);
    builds.use(build("two"), kBench);
    CHECK(f.text("notes") == "one\nby hand\n");
    CHECK(f.text("results.db") == "records\n");
}

TEST_CASE("a build that leaves the program as it was is refused, whatever else it writes") {
    const Folder f;
    const ProgramBuilds builds = f.builds();
    const std::vector<std::string> idle = shell("echo up to date >> log");
    f.write("bench", "of other values\n");
    fs::permissions(f.path("bench"), fs::perms::owner_all);
    CHECK_THAT(why_refused([&] { builds.use(idle, kBench); }),
               Contains("left ./bench as it was") && Contains("make -B") && Contains("touch"));
    builds.use(makes("one"), kBench);
    CHECK_THAT(why_refused([&] { builds.use(idle, kBench); }), Contains("left ./bench as it was"));
    // Its name differs by the values: it may be there already.
    builds.use(idle, {{"./bench", false}});
    // What is behind a symbolic link is what runs.
    const auto points = [](const std::string& to) {
        return shell("test -e " + to + " || { echo " + to + " > " + to + "; chmod +x " + to + "; }; ln -sf " +
                     to + " linked");
    };
    const std::vector<ProgramWord> linked{{"./linked"}};
    builds.use(points("one"), linked);
    builds.use(points("two"), linked);
    CHECK_FALSE(builds.is_current(points("one"), linked));
    builds.use(points("one"), linked);
    CHECK(f.text("linked") == "one\n");
}

TEST_CASE("the program may be another word than the first; what a run writes is none, whatever its rights") {
    const Folder f;
    const ProgramBuilds builds = f.builds();
    const auto build = [](const std::string& what) {
        return shell("printf '#!/bin/sh\\necho " + what + "\\n' > bench; chmod +x bench");
    };
    const std::vector<ProgramWord> words{{"mpirun"}, {"-n"}, {"2"}, {"./bench"}, {"out"}};
    builds.use(build("one"), words);
    f.write("out", "written by a run\n");
    fs::permissions(f.path("out"), fs::perms::owner_all);
    CHECK(builds.is_current(build("one"), words));
    builds.use(build("two"), words);
    CHECK_THAT(why_refused([&] { builds.use(shell("echo >> log"), words); }),
               Contains("left ./bench as it was"));
}

TEST_CASE("of a command that names no program any file may tell that a build did something") {
    const Folder f;
    const ProgramBuilds builds = f.builds();
    const std::vector<ProgramWord> words{{"sh"}, {"-c"}, {"./bench > out"}};
    fs::create_directory(f.path("deep"));
    builds.use(shell("echo 1 > deep/made"), words);
    CHECK_THAT(why_refused([&] { builds.use(shell("true"), words); }), Contains("changed no file below"));
    builds.use(shell("ln -s made deep/linked"), words);
    // One that was made before and finds all of it.
    builds.use(shell("test -e second || touch second"), words);
    builds.use(shell("echo 2 > deep/made"), words);
    builds.use(shell("test -e second || touch second"), words);
    // A build without values cannot be one of others.
    builds.use(shell("true; true"), {{"sh", false}, {"-c", false}});
}

TEST_CASE("after a build that failed nothing is current, and what it left running is ended") {
    REQUIRE_FALSE(has_children());
    const Folder f;
    const ProgramBuilds builds = f.builds();
    builds.use(makes("one"), kBench);
    setenv("ROOFTUNE_COMPILE_LIMIT", "0.3", 1);
    const std::string said =
        why_refused([&] { builds.use(shell("echo half > bench; setsid sleep 1000 & sleep 1000"), kBench); });
    unsetenv("ROOFTUNE_COMPILE_LIMIT");
    CHECK_THAT(said, Contains("its time limit ($ROOFTUNE_COMPILE_LIMIT)"));
    CHECK_FALSE(has_children());
    CHECK_FALSE(builds.is_current(makes("one"), kBench));
    builds.use(makes("one"), kBench);
    CHECK(f.text("bench") == "one\n");
    const std::string failed = why_refused([&] { builds.use(shell("echo why >&2; exit 3"), kBench); });
    CHECK_THAT(failed, Contains("it ended with status 3") && Contains("why") && !Contains("environment"));
}

TEST_CASE("a want of space or memory is not the variant's, and a build may say much") {
    const Folder f;
    const ProgramBuilds builds = f.builds();
    for (const char* words :
         {"bench.o: No space left on device", "g++: fatal error: Killed signal terminated program cc1plus",
          "make: *** [Makefile:3: bench] Killed"}) {
        INFO(words);
        CHECK(tells_of_environment(words));
        CHECK_THAT(
            why_refused([&] { builds.use(shell(std::string("echo '") + words + "' >&2; exit 2"), kBench); }),
            Contains("environment: "));
    }
    CHECK_FALSE(tells_of_environment("bench.c:3: error: expected ';'"));
    CHECK_THAT(why_refused([&] { builds.use(shell("kill -KILL $$"), kBench); }), Contains("environment: "));
    // More than a program may print.
    builds.use(shell("head -c 20000000 /dev/zero; echo 1 > bench; chmod +x bench"), kBench);
}

TEST_CASE("one process at a time builds in a folder, by whatever name it is called") {
    const Folder f;
    setenv("ROOFTUNE_KERNEL_CACHE", f.path(".cache").c_str(), 1);
    fs::create_directory(f.path("work"));
    fs::create_directory_symlink("work", f.path("alias"));
    CHECK(build_state(f.path("work")) == build_state(f.path("alias")));
    const auto others = [&] {
        return test::run({"/bin/sh", "-c", "flock -n " + f.path("work") + " true"}).status;
    };
    {
        const auto lock = lock_folder(f.path("work"));
        const auto same = lock_folder(f.path("alias"));
        CHECK(same == lock);
        CHECK(others() == 1);
        // What was built under it is forgotten with it.
        fs::create_directories(f.path(".cache"));
        std::ofstream(build_state(f.path("work"))) << "built\n";
    }
    CHECK_FALSE(fs::exists(build_state(f.path("work"))));
    CHECK(others() == 0);
    const std::string command = "exec 9< " + f.path("work") + "; flock 9; echo; exec sleep 1000";
    FILE* const other = popen(("exec sh -c '" + command + "' & echo $!; wait").c_str(), "r");
    REQUIRE(other != nullptr);
    char line[32]{}, blank[8]{};
    REQUIRE(fgets(line, sizeof line, other));
    REQUIRE(fgets(blank, sizeof blank, other));
    CHECK_THAT(why_refused([&] { lock_folder(f.path("alias")); }),
               Contains("environment: another rooftune builds in " + fs::canonical(f.path("work")).string()));
    kill(std::atoi(line), SIGKILL);
    pclose(other);
    CHECK(lock_folder(f.path("alias")) != nullptr);
    unsetenv("ROOFTUNE_KERNEL_CACHE");
}
