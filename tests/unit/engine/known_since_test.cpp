// A result says so where its machine has been probed better since.
#include "tuner/engine/known_since.h"

#include "models/bound.h"
#include "tests/support/catch.h"
#include "tests/support/toy.h"
#include "tuner/engine/result_builder.h"

using namespace rooftune;
using Catch::Contains;

namespace {

// A winner on two threads that only reads, and the ceilings behind it as a tune keeps them.
TuneResult tuned_on(const Machine& machine) {
    const Roofs roofs(machine);
    const Space space = toy::space();
    const toy::Model model(space);
    const Variant best = toy::variant(space, {{"format", "narrow"}, {"threads", "2"}, {"unroll", "0"}});
    const Bound bound = BoundModel(roofs).explain(model.work(best), model.traits(best));
    TuneResult r;
    r.machine_id = machine.id;
    r.best = space.to_map(best);
    r.bound = report_of(bound, machine, model.traits(best));
    r.needs = {512, 2};
    r.certificate.margin = 0.05;
    const Ceiling& c =
        machine
            .ceilings[static_cast<std::size_t>(bound.terms[static_cast<std::size_t>(bound.binding)].ceiling)];
    for (const char* of : {"problem", "winner"})
        r.binding_ceilings.push_back({of, describe(c), std::string(unit_of(c)), c.max, c.p95, c.median, ""});
    return r;
}

Machine with_walks(double by) {
    Machine machine = toy::machine();
    for (Ceiling& c : machine.ceilings) {
        if (c.resource == Resource::bandwidth) c.max *= by;
    }
    return machine;
}

}  // namespace

TEST_CASE("nothing is said of a machine that is known as it was, or better by no more than the margin") {
    const TuneResult r = tuned_on(toy::machine());
    REQUIRE(r.bound.binding == "reads");
    CHECK(known_since(r, toy::machine()) == "");
    CHECK(known_since(r, with_walks(1.04)) == "");
    // Another machine of that name, which never reached what bound the result.
    CHECK(known_since(r, with_walks(0.5)) == "");
    TuneResult older = r;
    older.binding_ceilings.clear();
    CHECK(known_since(older, with_walks(2.0)) == "");
}

TEST_CASE("a higher rate is told with what it makes of the bound, and what to do") {
    const TuneResult r = tuned_on(toy::machine());
    const std::string text = known_since(r, with_walks(2.0));
    // 8 MB at 20 and at 40 GB/s.
    CHECK_THAT(text, Contains("40.0 GB/s for reads") && Contains("this tune knew 20.0 GB/s") &&
                         Contains("200 µs and no longer 400 µs") && Contains("tune again"));
}

TEST_CASE("another way to walk that came to be known counts as well") {
    Machine machine = toy::machine();
    Ceiling wider = machine.ceilings.back();
    wider.when.huge_pages = true;
    wider.max *= 1.5;
    machine.ceilings.push_back(wider);
    CHECK_THAT(known_since(tuned_on(toy::machine()), machine), Contains("30.0 GB/s for reads"));
}

TEST_CASE("where the winner's own bound stands, what bounds the problem is told") {
    TuneResult r = tuned_on(toy::machine());
    const Ceiling arithmetic = toy::machine().ceilings[3];  // one thread, the widest vectors
    r.binding_ceilings.front() = {"problem",      describe(arithmetic), "flop/s", arithmetic.max,
                                  arithmetic.p95, arithmetic.median,    ""};
    Machine machine = toy::machine();
    machine.ceilings[3].max *= 1.25;
    CHECK_THAT(known_since(r, machine),
               Contains("10.0 Gflop/s for what bounds the problem's roof") && Contains("knew 8.00 Gflop/s"));
}
