// Threads that kernels leave at work, and those that rest: who is accused of them.
#include <chrono>
#include <thread>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/unit/external/compiled_kernel.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

TEST_CASE("a team that rests, and a thread that is joined, are no threads left running") {
    const std::string loop = "for (long i = 0; i < n; ++i) y[i] += a * x[i];";
    const std::string threads = "#include <chrono>\n#include <thread>\n";
    CompiledKernel team(axpy("\n#pragma omp parallel for\n" + loop, "// rooftune: flags -O2 -fopenmp\n"));
    CHECK(team.judged({}).right);
    CHECK_FALSE(team.bench().is_spoiled());
    CompiledKernel joined(axpy("std::thread t([=] { " + loop + " }); t.join();",
                               "// rooftune: flags -O2 -pthread\n" + threads));
    CHECK(joined.judged({}).right);
    CHECK_FALSE(joined.bench().is_spoiled());
    // It lives on, and sleeps.
    CompiledKernel asleep(
        axpy("static bool once = [] { std::thread([] { "
             "std::this_thread::sleep_for(std::chrono::seconds(2)); }).detach(); return true; }(); "
             "(void)once; " +
                 loop,
             "// rooftune: flags -O2 -pthread\n" + threads));
    const auto prepared = asleep.prepare({});  // whose code stays until the thread has ended
    CHECK(asleep.judged({}).right);
    CHECK_FALSE(asleep.bench().is_spoiled());
    std::this_thread::sleep_for(std::chrono::milliseconds(2200));
}

TEST_CASE(
    "a thread that works on when the call is over is the variant's failure, and its process is spoiled") {
    const std::string spins =
        "static bool once = [] { std::thread([] { const auto end = std::chrono::steady_clock::now() + "
        "std::chrono::seconds(4); while (std::chrono::steady_clock::now() < end) {} }).detach(); return "
        "true; "
        "}(); (void)once; ";
    const std::string loop = "for (long i = 0; i < n; ++i) y[i] += a * x[i];";
    CompiledKernel k(
        axpy(spins + loop, "// rooftune: flags -O2 -pthread\n#include <chrono>\n#include <thread>\n"));
    try {
        k.judged({});
        FAIL("nothing was said");
    } catch (const VariantError& error) {
        CHECK(error.kind == VariantError::Kind::fault);
        CHECK_THAT(error.what(), Contains("leaves 1 thread running when its call is over"));
    }
    CHECK(k.bench().is_spoiled());
}

TEST_CASE("threads that another variant's turn has left at work are not this one's") {
    const std::string spins =
        "if (SPINS) std::thread([] { const auto end = std::chrono::steady_clock::now() + "
        "std::chrono::seconds(3); while (std::chrono::steady_clock::now() < end) {} }).detach(); ";
    const std::string loop = "for (long i = 0; i < n; ++i) y[i] += a * x[i];";
    CompiledKernel k(axpy(spins + loop,
                          "// rooftune: flags -O2 -pthread\n// rooftune: parameter SPINS 0 1\n"
                          "#include <chrono>\n#include <thread>\n"));
    const auto quiet = k.prepare(k.variant({{"SPINS", "0"}})),
               spinning = k.prepare(k.variant({{"SPINS", "1"}}));
    quiet->reset(1);
    quiet->run();
    quiet->come_to_rest();
    spinning->reset(1);
    spinning->run();
    quiet->run();
    CHECK_NOTHROW(quiet->come_to_rest());
    spinning->run();
    CHECK_THROWS_AS(spinning->come_to_rest(), VariantError);
    std::this_thread::sleep_for(std::chrono::milliseconds(3200));  // their code is that of `spinning`
}
