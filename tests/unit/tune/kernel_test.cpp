// rooftune::tune() of functions: what a program declares, what becomes of variants that throw or are wrong,
// and what it is told. Times differ by factors of three and more, and no fine one is judged.
#include "tuner/tune/kernel.h"

#include <sched.h>

#include <chrono>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "tests/support/catch.h"
#include "tests/unit/tune/kernel_guest.h"
#include "tuner/formats/tuned_config.h"

using namespace rooftune;
using Catch::Contains;
using test::Guest;

namespace {

namespace fs = std::filesystem;

/// A summary is wrapped to the page: its words in one line.
std::string in_one_line(const std::string& text) {
    std::istringstream words(text);
    std::string line, word;
    while (words >> word) line += (line.empty() ? "" : " ") + word;
    return line;
}

void spin(double seconds) {
    using Clock = std::chrono::steady_clock;
    const auto until = Clock::now() + std::chrono::duration<double>(seconds);
    while (Clock::now() < until) {
    }
}

/// Takes 60 µs, 20 µs, … by the position of the value of TILE: 32 is the fastest by a factor of three.
double spin_of(std::int64_t tile) {
    return tile == 8 ? 180e-6 : tile == 16 ? 60e-6 : 20e-6;
}

void large_is_fast(const Values& v) {
    spin(spin_of(v.integer("TILE")));
}
void small_is_fast(const Values& v) {
    spin(v.integer("TILE") == 8 ? 10e-6 : 90e-6);
}

Kernel spinning(const std::string& name = "spin") {
    Kernel kernel(name);
    kernel.size("n", 4096).parameter("TILE", {8, 16, 32});
    kernel.run([](const Values& v) { spin(spin_of(v.integer("TILE"))); });
    return kernel;
}

/// Whether this is taken for a check.
template <typename Function>
constexpr bool is_check = requires(Kernel kernel, Function function) {
    kernel.check(function);
};

std::string message_of(const Kernel& kernel, const KernelOptions& options) {
    try {
        tune(kernel, options);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("the fastest of a program's variants is found, in its own process") {
    const Guest guest;
    Kernel kernel = spinning();
    int runs = 0, prepared = 0, checks = 0;
    std::int64_t tile = 0;
    kernel.prepare([&](const Values&) { ++prepared; });
    kernel.run([&](const Values& v) {
        ++runs;
        tile = v.integer("TILE");
        spin(spin_of(tile));
    });
    kernel.check([&](const Values& v) {
        ++checks;
        return v.integer("TILE") == tile && v.integer("n") == 4096;
    });
    const TunedKernel tuned = tune(kernel, guest.options);
    REQUIRE(tuned.found());
    CHECK(tuned.values.integer("TILE") == 32);
    CHECK(tuned.values.integer("n") == 4096);
    CHECK(tuned.seconds.median >= 20e-6);
    CHECK(tuned.first_ratio.median > 2.0);
    CHECK(tuned.verified);
    CHECK(runs > 0);
    CHECK(checks >= 3);
    CHECK(prepared >= checks);
    CHECK(prepared < runs);
    CHECK_THAT(in_one_line(tuned.summary),
               Contains("spin n=4096") && Contains("TILE=32") && Contains("the program's own check"));
    // Nothing else can run it: the summary names no command that would.
    CHECK_THAT(in_one_line(tuned.summary), !Contains("rooftune run"));
    CHECK(tuned.result.certificate.failed == 0);
    REQUIRE(fs::exists(tuned.config));
    CHECK(read_tuned_config(tuned.config).result.best.at("TILE") == "32");
    CHECK(fs::exists(fs::path(guest.options.results) / "rooftune.db"));
}

TEST_CASE("before each turn of a variant its data are made ready, and within a turn they are left alone") {
    const Guest guest;
    Kernel kernel("turns");
    kernel.parameter("TILE", {8, 16});
    std::int64_t ready = 0;
    int foreign = 0;
    kernel.prepare([&](const Values& v) { ready = v.integer("TILE"); });
    kernel.run([&](const Values& v) {
        foreign += ready != v.integer("TILE");
        spin(spin_of(v.integer("TILE")));
    });
    CHECK(tune(kernel, guest.options).found());
    CHECK(foreign == 0);
}

TEST_CASE("a variant that throws is a failure of its own, and is told with what it said") {
    const Guest guest;
    Kernel kernel = spinning();
    kernel.run([](const Values& v) {
        if (v.integer("TILE") == 32) throw std::runtime_error("the tile is too large for the scratchpad");
        spin(spin_of(v.integer("TILE")));
    });
    const TunedKernel tuned = tune(kernel, guest.options);
    REQUIRE(tuned.found());
    CHECK(tuned.values.integer("TILE") == 16);
    CHECK(tuned.result.certificate.failed == 1);
    CHECK_THAT(in_one_line(tuned.summary), Contains("the tile is too large for the scratchpad"));
}

TEST_CASE("what is thrown need not be an exception of the library, and may come from any function") {
    const Guest guest;
    Kernel kernel = spinning();
    SECTION("run") {
        kernel.run([](const Values& v) {
            if (v.integer("TILE") != 8) throw 42;
            spin(1e-5);
        });
    }
    SECTION("prepare") {
        kernel.prepare([](const Values& v) {
            if (v.integer("TILE") != 8) throw std::domain_error("no");
        });
    }
    SECTION("check") {
        kernel.check([](const Values& v) -> bool {
            if (v.integer("TILE") != 8) throw std::domain_error("no");
            return true;
        });
    }
    const TunedKernel tuned = tune(kernel, guest.options);
    REQUIRE(tuned.found());
    CHECK(tuned.values.integer("TILE") == 8);
    CHECK(tuned.result.certificate.failed == 2);
}

TEST_CASE("where every variant throws there is no winner, and why is said") {
    const Guest guest;
    Kernel kernel = spinning();
    kernel.run([](const Values&) { throw std::runtime_error("the device is not there"); });
    const TunedKernel tuned = tune(kernel, guest.options);
    CHECK_FALSE(tuned.found());
    CHECK(tuned.config.empty());
    CHECK_FALSE(tuned.verified);
    CHECK_FALSE(tuned.values.has("TILE"));
    CHECK_THAT(in_one_line(tuned.summary), Contains("the device is not there"));
}

TEST_CASE("the program's check rules out what is fast and wrong; without one nothing is verified") {
    const Guest guest;
    Kernel kernel = spinning();
    std::int64_t tile = 0;
    kernel.run([&](const Values& v) {
        tile = v.integer("TILE");
        spin(spin_of(tile));
    });
    SECTION("with a check") {
        kernel.check([&] { return tile != 32; });
        const TunedKernel tuned = tune(kernel, guest.options);
        REQUIRE(tuned.found());
        CHECK(tuned.values.integer("TILE") == 16);
        CHECK(tuned.result.certificate.failed == 1);
        CHECK(tuned.verified);
    }
    SECTION("without") {
        const TunedKernel tuned = tune(kernel, guest.options);
        REQUIRE(tuned.found());
        CHECK(tuned.values.integer("TILE") == 32);
        CHECK_FALSE(tuned.verified);
        CHECK_THAT(in_one_line(tuned.summary), Contains("by nothing: the kernel has no check"));
    }
}

TEST_CASE("a check says yes or no: what only converts to that, as an error does, is none") {
    STATIC_REQUIRE(is_check<bool (*)()>);
    STATIC_REQUIRE(is_check<bool (*)(const Values&)>);
    STATIC_REQUIRE(is_check<bool (*)(const Values&) noexcept>);
    STATIC_REQUIRE(is_check<std::function<bool()>>);
    STATIC_REQUIRE(is_check<std::function<bool(const Values&)>>);
    STATIC_REQUIRE_FALSE(is_check<double (*)()>);
    STATIC_REQUIRE_FALSE(is_check<int (*)()>);
    STATIC_REQUIRE_FALSE(is_check<const char* (*)()>);
    STATIC_REQUIRE_FALSE(is_check<void (*)()>);
    STATIC_REQUIRE_FALSE(is_check<double (*)(const Values&)>);
    STATIC_REQUIRE_FALSE(is_check<int (*)(const Values&)>);
}

TEST_CASE("numbers are values of parameters, and letters are none") {
    STATIC_REQUIRE(std::is_constructible_v<ParameterChoice, int>);
    STATIC_REQUIRE(std::is_constructible_v<ParameterChoice, std::uint8_t>);
    STATIC_REQUIRE(std::is_constructible_v<ParameterChoice, float>);
    STATIC_REQUIRE(std::is_constructible_v<ParameterChoice, const char*>);
    STATIC_REQUIRE_FALSE(std::is_constructible_v<ParameterChoice, char>);
    STATIC_REQUIRE_FALSE(std::is_constructible_v<ParameterChoice, wchar_t>);
    STATIC_REQUIRE_FALSE(std::is_constructible_v<ParameterChoice, char32_t>);
}

TEST_CASE("bytes beyond a cache exclude variants, too, which are never run") {
    const Guest guest;
    Kernel kernel("excluded_beyond");
    bool ran_slow = false;
    kernel.parameter("SWEEPS", {1, 1000})
        .reads_beyond("w", "SWEEPS == 1 ? 8 - w : SWEEPS*(1e9 - w)")
        .run([&](const Values& v) {
            ran_slow = ran_slow || v.integer("SWEEPS") != 1;
            spin(20e-6);
        });
    const TunedKernel tuned = tune(kernel, guest.options);
    REQUIRE(tuned.found());
    CHECK(tuned.values.integer("SWEEPS") == 1);
    CHECK(tuned.result.certificate.excluded == 1);
    CHECK_FALSE(ran_slow);
}

TEST_CASE("declared work that depends on a parameter excludes variants, which are never run") {
    const Guest guest;
    Kernel kernel("excluded");
    bool ran_slow = false;
    // At 1000 times the toy machine's rates the reads of TILE 8 and 16 take longer than 32 does. The first
    // variant is measured whatever its bound: the others are compared with it.
    kernel.parameter("TILE", {32, 16, 8}).reads("TILE == 32 ? 8 : 1e12").run([&](const Values& v) {
        ran_slow = ran_slow || v.integer("TILE") != 32;
        spin(20e-6);
    });
    const TunedKernel tuned = tune(kernel, guest.options);
    REQUIRE(tuned.found());
    CHECK(tuned.values.integer("TILE") == 32);
    CHECK(tuned.result.certificate.excluded == 2);
    CHECK(tuned.left == 0.0);
    CHECK_FALSE(ran_slow);
}

TEST_CASE("mistakes are told with the call that made them") {
    const Guest guest;
    Kernel kernel = spinning();
    SECTION("a rule of a name that is none") {
        kernel.where("TIEL <= n");
        CHECK_THAT(message_of(kernel, guest.options), Contains("Kernel spin, where():") && Contains("TIEL"));
    }
    SECTION("work that cannot be read") {
        kernel.flops("2*n^");
        CHECK_THAT(message_of(kernel, guest.options), Contains("Kernel spin, flops():") && Contains("2*n^"));
    }
    SECTION("a range that is none") {
        kernel.parameter("UNROLL", {"8:1:x2"});
        CHECK_THAT(message_of(kernel, guest.options),
                   Contains("Kernel spin, parameter(\"UNROLL\"):") && Contains("8:1:x2"));
    }
    SECTION("a parameter without values") {
        kernel.parameter("UNROLL", {});
        CHECK_THAT(message_of(kernel, guest.options), Contains("Kernel spin, parameter(\"UNROLL\"):"));
    }
    SECTION("a name that is there already") {
        kernel.size("TILE", 3);
        CHECK_THAT(message_of(kernel, guest.options),
                   Contains("Kernel spin, size(\"TILE\"):") && Contains("declared already"));
    }
    SECTION("a cache by a name that is there already") {
        kernel.reads_beyond("TILE", "8 - TILE");
        CHECK_THAT(message_of(kernel, guest.options),
                   Contains("Kernel spin, reads_beyond(): 'TILE' is declared, too, and stands for"));
    }
    SECTION("a size that means something else") {
        kernel.size("function", 3);
        CHECK_THAT(message_of(kernel, guest.options), Contains("Kernel spin, size(\"function\"):"));
    }
    SECTION("a type of arithmetic that is none") {
        kernel.arithmetic("f128");
        CHECK_THAT(message_of(kernel, guest.options),
                   Contains("Kernel spin, arithmetic():") && Contains("f128"));
    }
    SECTION("a value with both kinds of quotes") {
        kernel.parameter("TITLE", {"plain", "it's \"quoted\""});
        CHECK_THAT(message_of(kernel, guest.options),
                   Contains("Kernel spin, parameter(\"TITLE\"):") && Contains("it's \"quoted\"") &&
                       Contains("both kinds of quotes") && !Contains("file"));
    }
    SECTION("a check that is empty") {
        const bool with_values = GENERATE(true, false);
        if (with_values)
            kernel.check(std::function<bool(const Values&)>());
        else
            kernel.check(std::function<bool()>());
        CHECK_THAT(message_of(kernel, guest.options),
                   Contains("Kernel spin, check():") && Contains("is empty"));
        kernel.check([] { return true; });
        CHECK(message_of(kernel, guest.options).empty());
        return;
    }
    SECTION("several lines") {
        kernel.where("TILE <= n\nbuild rm x");
        CHECK_THAT(message_of(kernel, guest.options),
                   Contains("Kernel spin, where():") && Contains("several lines"));
    }
    SECTION("nothing is run") {
        CHECK_THAT(message_of(Kernel("idle").parameter("TILE", {8}), guest.options),
                   Contains("Kernel idle, run():"));
    }
    SECTION("a name of several lines") {
        CHECK_THAT(message_of(Kernel("a\nb").run([](const Values&) {}), guest.options),
                   Contains("goes over several lines"));
    }
    SECTION("no name") {
        CHECK_THAT(message_of(Kernel("").run([](const Values&) {}), guest.options), Contains("no name"));
    }
    SECTION("a budget that is none") {
        KernelOptions options = guest.options;
        options.budget = std::chrono::seconds(-1);
        CHECK_THAT(message_of(kernel, options), Contains("budget"));
    }
    CHECK_FALSE(fs::exists(fs::path(guest.options.results) / "tuned"));
}

TEST_CASE("a function that asks for a value that is not there ends the tune") {
    const Guest guest;
    Kernel kernel = spinning();
    int runs = 0;
    kernel.run([&](const Values& v) {
        ++runs;
        spin(1e-6 * static_cast<double>(v.integer("TIEL")));
    });
    CHECK_THAT(message_of(kernel, guest.options), Contains("'TIEL'") && Contains("did you mean 'TILE'"));
    CHECK(runs == 1);
}

TEST_CASE(
    "words, real numbers, ranges and parameters that exist only somewhere reach the function as they are") {
    const Guest guest;
    Kernel kernel("kinds");
    kernel.real("scale", 0.5)
        .parameter("MODE", {"two words", "when", "plain", ""})
        .parameter("A", {0.25, 2.5}, "MODE == 'plain'")
        .parameter("B", {"4:16:x2"})
        .parameter("threads", {std::size_t{1}});
    bool right = true;
    std::map<std::string, int> seen;
    kernel.run([&](const Values& v) {
        const std::string& mode = v.text("MODE");
        ++seen[mode];
        right = right && v.integer("threads") == 1;
        right = right && v.real("scale") == 0.5 && v.integer("B") >= 4 && v.integer("B") <= 16;
        right = right && v.has("A") == (mode == "plain") && !v.has("C");
        if (v.has("A")) right = right && (v.real("A") == 0.25 || v.real("A") == 2.5);
        spin(mode == "plain" ? 20e-6 : 100e-6);
    });
    KernelOptions options = guest.options;
    options.budget = std::chrono::seconds(10);
    const TunedKernel tuned = tune(kernel, options);
    CHECK(right);
    CHECK(seen.size() == 4);
    REQUIRE(tuned.found());
    CHECK(tuned.values.text("MODE") == "plain");
    CHECK(tuned.result.certificate.space == 3 * 3 + 2 * 3);
    CHECK_THROWS_WITH(tuned.values.integer("MODE"), Contains("no whole number"));
    CHECK_THROWS_WITH(tuned.values.real("MODE"), Contains("no number"));
}

TEST_CASE("one kernel after the other, and again: each finds its own measurements and no other's") {
    const Guest guest;
    const TunedKernel first = tune(spinning("first"), guest.options);
    const TunedKernel second = tune(spinning("second"), guest.options);
    REQUIRE(first.found());
    REQUIRE(second.found());
    CHECK(first.config != second.config);
    CHECK(second.result.resumed == 0);
    CHECK(tune(spinning("second"), guest.options).result.resumed > 0);
    // The same declaration, and another function.
    Kernel other("second");
    other.size("n", 4096).parameter("TILE", {8, 16, 32}).run([](const Values& v) {
        spin(v.integer("TILE") == 8 ? 10e-6 : 90e-6);
    });
    const TunedKernel third = tune(other, guest.options);
    CHECK(third.result.resumed == 0);
    CHECK(third.values.integer("TILE") == 8);
    // The same, and another one of the same type.
    Kernel pointed("pointed");
    pointed.size("n", 4096).parameter("TILE", {8, 16, 32}).run(&large_is_fast);
    CHECK(tune(pointed, guest.options).found());
    CHECK(tune(pointed, guest.options).result.resumed > 0);
    const TunedKernel last = tune(pointed.run(&small_is_fast), guest.options);
    CHECK(last.result.resumed == 0);
    CHECK(last.values.integer("TILE") == 8);
    KernelOptions fresh = guest.options;
    fresh.fresh = true;
    CHECK(tune(spinning("second"), fresh).result.resumed == 0);
}

TEST_CASE("from a thread of the program, which keeps the processors that it had") {
    const Guest guest;
    TunedKernel tuned;
    bool same = false, wide = true;
    std::thread([&] {
        cpu_set_t before, after;
        sched_getaffinity(0, sizeof before, &before);
        Kernel kernel = spinning();
        // Threads that a function starts inherit its mask: it is not narrowed while it runs.
        kernel.run([&](const Values& v) {
            cpu_set_t now;
            sched_getaffinity(0, sizeof now, &now);
            wide = wide && CPU_EQUAL(&before, &now);
            spin(spin_of(v.integer("TILE")));
        });
        tuned = tune(kernel, guest.options);
        sched_getaffinity(0, sizeof after, &after);
        same = CPU_EQUAL(&before, &after);
    }).join();
    CHECK(tuned.found());
    CHECK(wide);
    CHECK(same);
}

TEST_CASE("a budget, a number of evaluations and the program itself end a tune with what it has") {
    const Guest guest;
    Kernel kernel("long");
    kernel.parameter("I", {"1:100"}).run([](const Values&) { spin(200e-6); });
    KernelOptions options = guest.options;
    SECTION("evaluations") {
        options.evaluations = 6;
        const TunedKernel tuned = tune(kernel, options);
        CHECK(tuned.found());
        CHECK(tuned.result.certificate.stopped_by == "budget");
        CHECK(tuned.result.certificate.unmeasured > 0);
        CHECK(tuned.left > 0.0);
        CHECK_THAT(in_one_line(tuned.summary), !Contains("--budget"));
    }
    SECTION("time") {
        options.budget = std::chrono::milliseconds(300);
        const TunedKernel tuned = tune(kernel, options);
        CHECK(tuned.found());
        CHECK(tuned.result.certificate.stopped_by == "budget");
    }
    SECTION("stop()") {
        int asked = 0;
        options.stop = [&] { return ++asked > 20; };
        const TunedKernel tuned = tune(kernel, options);
        CHECK(tuned.result.certificate.stopped_by == "interrupted");
        CHECK_THAT(in_one_line(tuned.summary), !Contains("same command"));
    }
    SECTION("an exception of stop()") {
        int asked = 0;
        options.stop = [&]() -> bool {
            if (++asked > 20) throw std::domain_error("the window was closed");
            return false;
        };
        CHECK_THROWS_WITH(tune(kernel, options), "the window was closed");
    }
}

TEST_CASE("a tune in a function that is tuned is refused, and what listens hears of the processors") {
    const Guest guest;
    Kernel kernel = spinning();
    std::string heard, inner;
    KernelOptions options = guest.options;
    options.notice = [&](const std::string& text) { heard += text + "\n"; };
    kernel.prepare([&](const Values&) {
        if (inner.empty()) inner = message_of(spinning(), guest.options);
    });
    CHECK(tune(kernel, options).found());
    CHECK_THAT(heard, Contains("on processor"));
    CHECK_THAT(inner, Contains("another tune runs in this process"));
}
