// rooftune::tune() as a program calls it: what it asks of that program, what it tells, how it is stopped. The
// problem is tiny and no time is judged.
#include "tuner/engine/tune.h"

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <stdexcept>

#include "kernels/runtime/kernels_build.h"
#include "tests/support/catch.h"
#include "tests/support/scripted_worker.h"
#include "tests/support/toy.h"
#include "tuner/formats/machine_file.h"
#include "tuner/store/store.h"

using namespace rooftune;
using Catch::Contains;

namespace {

namespace fs = std::filesystem;

TuneProblem small() {
    TuneProblem problem{"matmul", {{"m", "8"}, {"n", "8"}, {"k", "8"}, {"dtype", "f64"}}};
    // Evaluations end it. Two seconds, which stood here, were once gone after the first of them on a machine
    // that ran other tests at the same time.
    problem.budget = {.seconds = 120.0, .evaluations = 24};
    return problem;
}

/// A results folder and a worker; the machine is not measured, and nobody else's measurements are waited for.
struct Guest {
    test::TemporaryFolder folder;
    TuneOptions options;

    Guest() {
        setenv("ROOFTUNE_LOCK", (folder / "lock").c_str(), 1);
        options.common.results = folder / "results";
        // Rates that no machine has: nothing beats its bound, and nothing is probed.
        Machine machine = toy::machine();
        for (Ceiling& c : machine.ceilings) c.max = c.p95 = c.median = 1000.0 * c.max;
        options.common.machine = folder / "machine.json";
        write_machine_file(options.common.machine, machine);
        options.common.threads = 1;
        options.audit = 0;
        options.finals_seconds = 0.1;
        options.worker = ROOFTUNE_TEST_WORKER;
    }
    ~Guest() { unsetenv("ROOFTUNE_LOCK"); }
    bool wrote_anything() const { return fs::exists(options.common.results); }
};

struct Listener final : TuneObserver {
    int seen = 0, ends = 0, stop_after = 1 << 20;
    TuneProgress last;
    std::string notices;
    std::function<void()> on_progress;

    void progress(const TuneProgress& p) override {
        ++seen;
        last = p;
        if (on_progress) on_progress();
    }
    void notice(const std::string& text) override { notices += text + "\n"; }
    bool stop() override { return seen >= stop_after; }
    void ended() override { ++ends; }
};

}  // namespace

TEST_CASE("a program that cannot be its own worker is told what to call, before anything is made") {
    // These tests never call serve_worker(): workers of theirs would run all tests again.
    Guest guest;
    guest.options.worker.clear();
    CHECK_THROWS_WITH(tune(small(), guest.options), Contains("serve_worker(argc, argv)"));
    CHECK_THROWS_AS(tune(small(), guest.options), EnvironmentError);
    CHECK_FALSE(guest.wrote_anything());
}

TEST_CASE("a tune tells where it stands, keeps what it found, and goes on from there") {
    const Guest guest;
    Listener listener;
    TuneProblem problem = small();
    problem.where = {"threads == 1"};
    const TuneResult first = tune(problem, guest.options, &listener);
    CHECK_FALSE(first.best.empty());
    CHECK(first.resumed == 0);
    CHECK(fs::exists(first.config_file));
    CHECK(fs::exists(first.header_file));
    CHECK(fs::exists(fs::path(guest.options.common.results) / "rooftune.db"));
    CHECK(listener.seen > 0);
    CHECK(listener.ends == 1);
    CHECK_THAT(listener.notices, Contains("on processor "));
    CHECK(listener.last.space == first.certificate.space);
    CHECK(listener.last.flops_nominal == 2.0 * 8 * 8 * 8);
    CHECK(listener.last.budget_evaluations == 24);
    CHECK(tune(problem, guest.options).resumed > 0);
}

TEST_CASE("a tune that is stopped ends with what it has, and the next one is not stopped") {
    const Guest guest;
    Listener listener;
    SECTION("before it began") {
        listener.stop_after = 0;
        const TuneResult none = tune(small(), guest.options, &listener);
        CHECK(none.family == "matmul");
        CHECK(none.title == "matmul 8x8x8 f64");
        CHECK(none.best.empty());
        CHECK(none.certificate.stopped_by == "interrupted");
    }
    SECTION("in its search") {
        listener.stop_after = 2;
        const TuneResult some = tune(small(), guest.options, &listener);
        CHECK(some.certificate.stopped_by == "interrupted");
        CHECK(listener.last.evaluated < 24);
        CHECK(listener.ends == 1);
    }
    CHECK(tune(small(), guest.options).certificate.stopped_by != "interrupted");
}

TEST_CASE("what an observer throws ends the tune, and arrives when everything is written") {
    const Guest guest;
    Listener listener;
    listener.on_progress = [&] {
        if (listener.seen == 2) throw std::domain_error("the window was closed");
    };
    CHECK_THROWS_WITH(tune(small(), guest.options, &listener), "the window was closed");
    CHECK(listener.seen == 2);
    {
        // An exception that passes through the tune would leave its run open.
        Store store((fs::path(guest.options.common.results) / "rooftune.db").string());
        REQUIRE(store.runs().size() == 1);
        CHECK_FALSE(store.runs().front().ended.empty());
    }
    CHECK(tune(small(), guest.options).resumed > 0);
}

TEST_CASE("one tune at a time in a process") {
    const Guest guest;
    Listener listener;
    listener.on_progress = [&] {
        if (listener.seen > 1) return;
        CHECK_THROWS_WITH(tune(small(), guest.options), Contains("another tune runs in this process"));
        CHECK_THROWS_AS(tune(small(), guest.options), InputError);
    };
    CHECK_FALSE(tune(small(), guest.options, &listener).best.empty());
    CHECK(listener.seen > 1);
}

TEST_CASE("a worker that has other kernels is no worker") {
    Guest guest;
    const std::string other = to_text(WorkerLine{"loaded", "another build", {}, {}});
    const test::ScriptedWorker worker({other});
    guest.options.worker = worker.program();
    CHECK_THROWS_WITH(tune(small(), guest.options),
                      Contains("another build") && Contains(kernels_build()) && Contains(worker.program()));
    guest.options.worker = "/no/such/worker";
    CHECK_THROWS_WITH(tune(small(), guest.options), Contains("/no/such/worker: No such file"));
    CHECK_THROWS_AS(tune(small(), guest.options), EnvironmentError);
}

TEST_CASE("an option that is none is told, and nothing is made") {
    Guest guest;
    TuneOptions& o = guest.options;
    TuneProblem problem = small();
    std::string said = "nothing";
    SECTION("state") {
        o.common.state = "Cold";
        said = "'Cold'";
    }
    SECTION("backend") {
        o.common.backend = "gpu";
        said = "'gpu'";
    }
    SECTION("epsilon") {
        o.epsilon = std::numeric_limits<double>::quiet_NaN();
        said = "epsilon";
    }
    SECTION("patience") {
        o.patience = -1;
        said = "patience";
    }
    SECTION("audit") {
        o.audit = -1;
        said = "audit";
    }
    SECTION("finals") {
        o.finals_seconds = -1.0;
        said = "finals_seconds";
    }
    SECTION("threads") {
        o.common.threads = -1;
        said = "threads";
    }
    SECTION("processors") {
        o.common.cpus = "all";
        said = "'all'";
    }
    SECTION("strategy") {
        o.strategy = "rondom";
        said = "random";
    }
    SECTION("only") {
        o.only = {"colour=red"};
        said = "colour";
    }
    SECTION("where") {
        problem.where = {"threads >"};
        said = "threads >";
    }
    SECTION("budget") {
        problem.budget.seconds = -1.0;
        said = "budget";
    }
    SECTION("family") {
        problem.family = "matmull";
        said = "matmul";
    }
    CHECK_THROWS_WITH(tune(problem, o), Contains(said));
    CHECK_THROWS_AS(tune(problem, o), InputError);
    CHECK_FALSE(guest.wrote_anything());
}
