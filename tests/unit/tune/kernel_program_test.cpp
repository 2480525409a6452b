// Programs that tune functions of their own, seen from outside: how they were started, and how they end.
#include <signal.h>

#include <filesystem>

#include "kernels/runtime/cpu.h"
#include "tests/support/catch.h"
#include "tests/support/process.h"
#include "tests/unit/tune/kernel_guest.h"

using namespace rooftune;
using test::Guest;
namespace fs = std::filesystem;

TEST_CASE("a variant that ends the program twice is left out when it is started again") {
    const Guest guest;
    const std::vector<std::string> program{ROOFTUNE_DYING_FUNCTION, guest.options.results,
                                           guest.options.machine};
    for (int i = 0; i < 2; ++i) CHECK(test::run(program).status == 128 + SIGABRT);
    const test::Finished third = test::run(program);
    CHECK(third.status == 0);
    CHECK(third.out == "32, 1 failed\n");
}

TEST_CASE("a program that is interrupted writes what it has, ends by the signal, and no variant is blamed") {
    const Guest guest;
    const auto interrupted = [&](const char* times) {
        return test::run(
            {ROOFTUNE_INTERRUPTED_FUNCTION, guest.options.results, guest.options.machine, times});
    };
    const auto configs = [&] {
        const fs::path folder = fs::path(guest.options.results) / "tuned";
        return fs::exists(folder) ? std::distance(fs::directory_iterator(folder), fs::directory_iterator())
                                  : 0;
    };
    SECTION("once") {
        for (int i = 0; i < 2; ++i) {
            const test::Finished finished = interrupted("1");
            CHECK(finished.status == 128 + SIGINT);
            CHECK(finished.out.empty());
            CHECK(configs() > 0);
        }
        CHECK(interrupted("0").out == "32, 0 failed\n");
    }
    SECTION("twice, while the variant runs") {
        CHECK(interrupted("2").status == 128 + SIGINT);
        CHECK(configs() == 0);
    }
}

#ifdef ROOFTUNE_BOUND_FUNCTION
TEST_CASE("a program whose OpenMP pins its first thread is tuned for all threads that OpenMP has") {
    const Guest guest;
    const std::string all = std::to_string(usable_cpus().size()) + " threads\n";
    for (const char* binding : {"OMP_PROC_BIND=true", "OMP_PROC_BIND=spread", "OMP_PLACES=threads"}) {
        INFO(binding);
        const test::Finished finished = test::run(
            {"/usr/bin/env", binding, ROOFTUNE_BOUND_FUNCTION, guest.options.results, guest.options.machine});
        CHECK(finished.status == 0);
        CHECK(finished.out == all);
    }
}
#endif
