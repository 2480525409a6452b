// Opportunities of a finished search on the toy problem, where every limit is known by hand.
#include "tuner/engine/explanation.h"

#include "tests/support/catch.h"
#include "tests/support/toy.h"

using namespace rooftune;

namespace {

/// A search that ended with `best` at `seconds`: reads at 2e10 byte/s on two threads, 1e6 flop at 1.6e10.
struct Ended {
    Space space = toy::space();
    toy::Model model{space};
    SearchResult found;
    ResultContext context;

    Ended(const std::map<std::string, std::string>& best, double seconds) {
        found.machine = toy::machine();
        found.best = toy::variant(space, best);
        found.seconds = {seconds, seconds, seconds, seconds, 8};
        found.certificate.margin = 0.03;
        rebound();
        context.space = &space;
        context.model = &model;
    }
    void rebound() {
        const Roofs roofs(found.machine);
        const BoundModel bound(roofs, found.demoted);
        found.bound = bound.explain(model.work(*found.best), model.traits(*found.best));
    }
    void timed(const std::map<std::string, std::string>& values, Outcome outcome = Outcome::measured) {
        Record record;
        record.outcome = outcome;
        found.observations.push_back({toy::variant(space, values), record, 0.0});
    }
    ExplanationReport report() const { return explanation_of(context, found); }
};

/// As an own kernel without a parameter `threads`: it runs on one.
class OneThread final : public WorkModel {
public:
    Work work(const PartialVariant&) const override {
        Work w;
        w.flops_nominal = w.total.ops = w.heaviest.ops = Operations(1e6);
        w.traffic.state = w.heaviest_traffic.state = State::cold;
        w.traffic.reads = w.heaviest_traffic.reads = Bytes(12e6);
        return w;
    }
    Traits traits(const PartialVariant&) const override {
        return {.dtype = DType::f64, .width_bits = 512, .threads = 1};
    }
};

const OpportunityReport* of(const ExplanationReport& e, const std::string& kind,
                            const std::string& what = "") {
    for (const OpportunityReport& opportunity : e.opportunities) {
        const bool named = what.empty() || opportunity.what == std::vector<std::string>{what};
        if (opportunity.kind == kind && named) return &opportunity;
    }
    return nullptr;
}

bool contains(const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

TEST_CASE("explanation: each opportunity has the limit that can be worked out by hand") {
    // wide on two threads: 12 MB at 2e10 byte/s, 0.6 ms; measured 0.75 ms.
    const Ended ended({{"format", "wide"}, {"threads", "2"}, {"unroll", "3"}}, 0.75e-3);
    const ExplanationReport e = ended.report();

    // format=narrow reads 8 MB: 0.4 ms.
    const OpportunityReport* format = of(e, "parameter", "format");
    REQUIRE(format);
    CHECK(format->at_most == Approx(0.75 / 0.4));
    CHECK(format->to == std::map<std::string, std::string>{{"format", "narrow"}});
    CHECK(format->then == "reads");
    CHECK(format->proven);
    CHECK(format->open == 4);  // narrow, and padded with 1, 2, 3: 0.7 ms at most

    // Memory made free leaves 1e6 flop at 1.6e10: 62.5 us.
    const OpportunityReport* memory = of(e, "bottleneck", "memory");
    REQUIRE(memory);
    CHECK(memory->at_most == Approx(0.75e-3 / 62.5e-6));
    CHECK(memory->then.starts_with("compute"));

    // The variant at its bound, and unroll, which moves no bound.
    CHECK(of(e, "variant")->at_most == Approx(0.75 / 0.6));
    const OpportunityReport* unroll = of(e, "parameter", "unroll");
    REQUIRE(unroll);
    CHECK(unroll->to.empty());
    CHECK(unroll->at_most == Approx(0.75 / 0.6));
    CHECK(unroll->open == 7);

    // f32 halves the bytes at best.
    CHECK(of(e, "precision")->at_most == Approx(0.75 / 0.3));

    // One thread reads 12 MB at 1e10: 1.2 ms, proven slower.
    CHECK_FALSE(of(e, "parameter", "threads"));
    CHECK(e.settled_by_proof == std::vector<std::string>{"threads"});
    CHECK(e.settled_by_measuring.empty());

    for (std::size_t i = 1; i < e.opportunities.size(); ++i)
        CHECK(e.opportunities[i].at_most <= e.opportunities[i - 1].at_most);
    for (const OpportunityReport& opportunity : e.opportunities) CHECK(opportunity.at_most >= 1.01);
}

TEST_CASE("explanation: what was timed is no opportunity any more") {
    Ended ended({{"format", "narrow"}, {"threads", "2"}, {"unroll", "0"}}, 0.45e-3);
    for (int unroll = 1; unroll < 10; ++unroll) {
        ended.timed({{"format", "narrow"}, {"threads", "2"}, {"unroll", std::to_string(unroll)}},
                    unroll % 2 ? Outcome::raced_out : Outcome::measured);
    }
    const ExplanationReport e = ended.report();
    CHECK_FALSE(of(e, "parameter"));
    CHECK(e.settled_by_measuring == std::vector<std::string>{"unroll"});
    CHECK(contains(e.settled_by_proof, "format"));  // wide 0.6 ms, padded from 0.5 ms
    CHECK(contains(e.settled_by_proof, "threads"));
    // A failure through no fault of its own settles nothing.
    ended.found.observations.front().record.outcome = Outcome::environment;
    CHECK(of(ended.report(), "parameter", "unroll")->open == 1);
}

TEST_CASE("explanation: a demoted term bounds nothing and is an estimate") {
    Ended ended({{"format", "wide"}, {"threads", "2"}, {"unroll", "3"}}, 0.62e-3);
    ended.found.demoted = {TermKind::reads, TermKind::both};
    ended.rebound();
    const ExplanationReport e = ended.report();
    // One thread's reads, 6 MB at 1e10 byte/s, are still 0.6 ms.
    CHECK(of(e, "variant")->then == "reads_thread");
    ended.found.demoted.insert({TermKind::reads_thread, TermKind::both_thread});
    ended.rebound();
    const ExplanationReport compute = ended.report();
    CHECK(of(compute, "bottleneck", "arithmetic"));
    REQUIRE_FALSE(compute.estimates.empty());
    CHECK(compute.estimates.front().kind == "demoted");
    CHECK(compute.estimates.front().seconds == Approx(0.6e-3));
}

TEST_CASE("explanation: the machine as it was just now lies between bound and clock") {
    Ended ended({{"format", "wide"}, {"threads", "2"}, {"unroll", "3"}}, 0.75e-3);
    ended.found.roof_now = 0.9;
    const ExplanationReport e = ended.report();
    const auto now = std::find_if(e.estimates.begin(), e.estimates.end(),
                                  [](const EstimateReport& estimate) { return estimate.kind == "now"; });
    REQUIRE(now != e.estimates.end());
    CHECK(now->seconds == Approx(0.6e-3 / 0.9));
    for (const EstimateReport& estimate : e.estimates) CHECK(estimate.seconds > 0.6e-3);
}

TEST_CASE("explanation: who has no parameter for threads is not told to change it") {
    Space space("own", 1);
    space.add(Parameter("unroll", "no effect on the bound", numbers({1, 2})));
    const OneThread model;
    Ended ended({{"format", "wide"}, {"threads", "2"}, {"unroll", "3"}}, 0.75e-3);
    ended.context.space = &space;
    ended.context.model = &model;
    ended.found.best = toy::variant(space, {{"unroll", "1"}});
    ended.found.seconds = {2.5e-3, 2.5e-3, 2.5e-3, 2.5e-3, 8};
    const Roofs roofs(ended.found.machine);
    const BoundModel bound(roofs, ended.found.demoted);
    ended.found.bound = bound.explain(model.work(*ended.found.best), model.traits(*ended.found.best));
    const ExplanationReport e = ended.report();
    const OpportunityReport* threads = of(e, "ceiling", "threads");
    REQUIRE(threads);
    CHECK(threads->how.starts_with("2 threads in place of 1 (no parameter sets them"));
    // What a device does with its compute units no source says.
    ended.context.backend = Backend::opencl;
    CHECK_FALSE(of(ended.report(), "ceiling", "threads"));
}

TEST_CASE("explanation: nothing is explained without a winner, a time or a ceiling") {
    Ended ended({{"format", "wide"}, {"threads", "2"}, {"unroll", "3"}}, 0.75e-3);
    Ended bare = ended;
    bare.context.space = &bare.space;
    bare.found.machine.ceilings.clear();
    bare.rebound();
    CHECK(explanation_of(ended.context, bare.found).opportunities.empty());
    ended.found.seconds.median = 0.0;
    CHECK(ended.report().opportunities.empty());
    ended.found.best.reset();
    CHECK(ended.report().opportunities.empty());
}

TEST_CASE("explanation: no opportunity at the bound itself") {
    const Ended ended({{"format", "narrow"}, {"threads", "2"}, {"unroll", "0"}}, 0.4e-3);
    const ExplanationReport e = ended.report();
    CHECK_FALSE(of(e, "variant"));
    CHECK_FALSE(of(e, "parameter"));
    CHECK(of(e, "bottleneck", "memory"));
}
