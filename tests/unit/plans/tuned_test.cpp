// What a program finds in a folder, and that nothing in there can stop it.
#include "tuner/plans/tuned.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "kernels/matmul/family.h"
#include "tests/support/catch.h"
#include "tests/unit/plans/tuned_folder.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

namespace {

TunedConfig some_config(const std::string& k = "16") {
    const auto family = make_matmul_family();
    const auto problem = family->problem({{"m", "40"}, {"n", "24"}, {"k", k}});
    const Space space = family->space(*problem, one_thread());
    return config_of(*family, *problem, family->default_variant(*problem, space, one_thread()), space);
}

}  // namespace

TEST_CASE("load_tuned: configs of a folder and of the folder tuned in it") {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.file("tuned"));
    write_tuned_config(folder.file("a.json"), some_config());
    write_tuned_config(folder.file("tuned/b.json"), some_config("17"));
    folder.write("notes.txt", "not ours");
    folder.write("other.json", R"({"schema": "somebody/else/1"})");
    folder.write("list.json", "[1, 2]");
    const Tuned tuned = load_tuned(folder.path());
    CHECK(tuned.configs() == 2);
    CHECK(tuned.sets() == 0);
    CHECK(tuned.of_other_machines() == 0);
    CHECK(tuned.notices().empty());
}

TEST_CASE("load_tuned: a broken or older file is a notice, the others are taken") {
    const TemporaryFolder folder;
    write_tuned_config(folder.file("good.json"), some_config());
    folder.write("torn.json", folder.read("good.json").substr(0, 300));
    folder.write("old.json", R"({"schema": "rooftune/tuned-config/1"})");
    const Tuned tuned = load_tuned(folder.path());
    CHECK(tuned.configs() == 1);
    REQUIRE(tuned.notices().size() == 2);
    CHECK_THAT(tuned.notices()[0], Contains("old.json") && Contains("passed over"));
    CHECK_THAT(tuned.notices()[1], Contains("torn.json") && Contains("passed over"));
}

TEST_CASE("load_tuned: configs of another machine are counted and told") {
    const TemporaryFolder folder;
    TunedConfig config = some_config();
    config.result.machine_id = "another";
    write_tuned_config(folder.file("a.json"), config);
    const Tuned tuned = load_tuned(folder.path());
    CHECK(tuned.configs() == 0);
    CHECK(tuned.of_other_machines() == 1);
    REQUIRE(tuned.notices().size() == 1);
    CHECK_THAT(tuned.notices()[0], Contains("tuned on another machine (Some Xeon)"));
}

TEST_CASE("load_tuned: a machine of this name that is another one is told apart") {
    const TemporaryFolder folder;
    TunedConfig config = some_config();
    config.result.machine_id = "another";
    config.result.machine_name = this_machine().topology.cpu;
    write_tuned_config(folder.file("a.json"), config);
    const Tuned tuned = load_tuned(folder.path());
    REQUIRE(tuned.notices().size() == 1);
    CHECK_THAT(tuned.notices()[0], Contains("as this one, but with other processing units") &&
                                       Contains("another, here " + this_machine().fingerprint));
}

TEST_CASE("load_tuned: a folder that may not be read is told from an empty one") {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.file("tuned"));
    write_tuned_config(folder.file("tuned/a.json"), some_config());
    this_machine();  // looked at before the child gives up its rights
    REQUIRE(::chmod(folder.path().c_str(), 0755) == 0);
    REQUIRE(::chmod(folder.file("tuned").c_str(), 0111) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        // As somebody who is not root, since root may read anything.
        if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(3);
        const std::vector<std::string> notices = load_tuned(folder.path()).notices();
        const bool told = notices.size() == 1 &&
                          notices[0].find("tuned: cannot be read: Permission denied") != std::string::npos;
        ::_exit(told ? 0 : 4);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(::chmod(folder.file("tuned").c_str(), 0755) == 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 3) {
        WARN("skipped: this process may not become another user");
        return;
    }
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("load_tuned: no folder, an empty one, one that is a file") {
    const TemporaryFolder folder;
    CHECK_THAT(load_tuned(folder.path()).notices().at(0), Contains("there is no tuned config"));
    CHECK_THAT(load_tuned(folder.file("gone")).notices().at(0), Contains("there is no such folder"));
    CHECK_THAT(load_tuned(folder.write("file", "")).notices().at(0), Contains("there is no such folder"));
    ::unsetenv("ROOFTUNE_TUNED");
    CHECK(load_tuned().notices().empty());
    write_tuned_config(folder.file("a.json"), some_config());
    ::setenv("ROOFTUNE_TUNED", folder.path().c_str(), 1);
    CHECK(load_tuned().configs() == 1);
    ::unsetenv("ROOFTUNE_TUNED");
}
