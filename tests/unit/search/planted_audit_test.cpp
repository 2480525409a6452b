// Bounds and estimates that lie, and what the audit makes of them.
#include <algorithm>
#include <functional>
#include <map>

#include "tests/unit/search/planted_model.h"
#include "tests/unit/search/toy_problem.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

/// Least time of the whole space.
double least(const Space& space, const std::function<double(const Variant&)>& time) {
    double best = std::numeric_limits<double>::infinity();
    space.each(PartialVariant{}, [&](const Variant& v) {
        best = std::min(best, time(v));
        return true;
    });
    return best;
}

// A wrong bound and a wrong estimate: what is padded takes five times as long as the rest, they say.
PlantedModel padded_ruled_out(const Space& space) {
    const auto bytes = [](const PartialVariant& v) { return is_padded(v) ? 40e6 : 8e6; };
    return PlantedModel(space, bytes, bytes);
}

}  // namespace

TEST_CASE("planted: a bound that lies is found out by the audit, and its class is opened again") {
    const ToyProblem f;
    // The model has padded variants read four times what they do. They are twice as fast as any other.
    const PlantedModel lie(
        f.space, [](const PartialVariant& v) { return is_padded(v) ? 40e6
                                                      : v[0] == 0  ? 12e6
                                                                   : 8e6; },
        [](const PartialVariant& v) { return is_padded(v) ? 40e6 : 8e6; });
    const auto truth = [&](const Variant& v) {
        if (!is_padded(v)) return f.honest(v);
        const double unroll = static_cast<double>(f.space.number(v, 3, 0));
        return f.honest(f.truly_best()) * (0.4 + 0.01 * std::abs(unroll - 6.0)) *
               (f.space.number(v, 2, 1) == 2 ? 1.0 : 1.5);
    };
    toy::Evaluator evaluator(f.space, truth);
    SearchInput input = f.input();
    input.model = &lie;
    const SearchResult r = search(input, evaluator, unlimited(), nullptr);
    CHECK(r.certificate.violations > 0);
    CHECK(r.certificate.audit.violations > 0);
    CHECK(r.certificate.audit.regrets > 0);
    CHECK(r.certificate.audit.measured > 0);
    CHECK_FALSE(r.demoted.empty());
    REQUIRE(r.best);
    CHECK(is_padded(*r.best));
    CHECK(truth(*r.best) <= 1.02 * least(f.space, truth));
    CHECK(sum(r.certificate) == 96);
    CHECK(std::count_if(r.trace.begin(), r.trace.end(), [](const std::string& line) {
              return line.find("the audit found a faster variant") != std::string::npos;
          }) == r.certificate.audit.regrets);
    // The same lie without an audit goes unnoticed: the check above can fail.
    toy::Evaluator unaudited(f.space, truth);
    SearchOptions options = unlimited();
    options.audit = 0;
    CHECK_FALSE(is_padded(*search(input, unaudited, options, nullptr).best));
}

TEST_CASE("planted: finals after a regret have what the budget kept for them") {
    const ToyProblem f;
    const PlantedModel lie = padded_ruled_out(f.space);
    const auto truth = [&](const Variant& v) {
        return is_padded(v) ? 3e-4 + 1e-6 * static_cast<double>(f.space.number(v, 3, 0)) : f.honest(v);
    };
    SearchInput input = f.input();
    input.model = &lie;
    // What had begun when its time was over: a contest of two, both prepared, and its twelve rounds.
    constexpr double kPrepare = 0.3, kBegun = 2 * kPrepare + 12 * 2 * 0.005;
    int regretted = 0;
    for (const double seconds : {20.0, 25.0, 30.0, 45.0, 60.0}) {
        INFO("budget " << seconds << " s");
        toy::Evaluator evaluator(f.space, truth);
        evaluator.prepare_seconds = kPrepare;
        SearchOptions options = unlimited();
        options.seconds = seconds;
        const SearchResult r = search(input, evaluator, options, nullptr);
        CHECK(sum(r.certificate) == 96);
        if (r.certificate.audit.regrets == 0) continue;
        ++regretted;
        REQUIRE(r.best);
        CHECK(is_padded(*r.best));
        CHECK(r.default_ratio.slots >= 8);
        CHECK(evaluator.now() <= seconds + kBegun);
    }
    CHECK(regretted >= 3);
}

TEST_CASE("planted: a process that takes long to load makes no tune end late after a regret") {
    const ToyProblem f;
    const PlantedModel lie = padded_ruled_out(f.space);
    // Few of those that are ruled out are fast, so that the audit meets one early here and late there.
    const auto truth = [&](const Variant& v) {
        return is_padded(v) && f.space.number(v, 3, 0) == 7 ? 3e-4 : f.honest(v);
    };
    SearchInput input = f.input();
    input.model = &lie;
    // What may begin at 88 % of the budget: a draw, a contest of two, finals of five at least, each process
    // loaded and each variant prepared.
    constexpr double kPrepare = 0.1, kLoad = 0.8, kSlot = 0.005;
    constexpr double kAfter =
        (kPrepare + 8 * kSlot) + (kLoad + 2 * kPrepare + 24 * kSlot) + (kLoad + 5 * kPrepare + 40 * kSlot);
    int regretted = 0;
    for (int seed = 1; seed <= 60; ++seed) {
        const double budget = 10.0 + (seed % 5);
        INFO("budget " << budget << " s, seed " << seed);
        toy::Evaluator evaluator(f.space, truth);
        evaluator.prepare_seconds = kPrepare;
        evaluator.load_seconds = kLoad;
        SearchOptions options = unlimited();
        options.seconds = budget;
        options.audit = 90;
        options.seed = static_cast<std::uint64_t>(seed);
        const SearchResult r = search(input, evaluator, options, nullptr);
        CHECK(sum(r.certificate) == 96);
        CHECK(evaluator.now() <= std::max(budget, 0.88 * budget + kAfter));
        if (r.certificate.audit.regrets == 0) continue;
        ++regretted;
        REQUIRE(r.best);
        CHECK(is_padded(*r.best));
        // Against the default and the naive variant in turn, however late it was found.
        CHECK(r.best_record.role == "finals");
        CHECK(r.default_ratio.slots >= 8);
        CHECK(r.naive_ratio.slots >= 8);
    }
    CHECK(regretted >= 3);
}

TEST_CASE("planted: a regret counts for the limits, also where the audit ends with it") {
    const ToyProblem f;
    const PlantedModel lie = padded_ruled_out(f.space);
    const auto truth = [&](const Variant& v) { return is_padded(v) ? 3e-4 : f.honest(v); };
    SearchInput input = f.input();
    input.model = &lie;
    SearchOptions options = unlimited();
    options.strategy = find_strategy("exhaustive");
    int wrong = 0;
    for (options.seed = 1; options.seed <= 8; ++options.seed) {
        toy::Evaluator evaluator(f.space, truth);
        evaluator.plant = [&](const Variant& v, Record& record) {
            if (record.role == "audit" && is_padded(v)) evaluator.interrupt_after = 0;
        };
        const AuditReport audit = search(input, evaluator, options, nullptr).certificate.audit;
        CHECK(audit.regrets == 1);
        CHECK(audit.excluded.drawn == audit.excluded.drawn_wrong);
        CHECK(audit.set_aside.drawn + audit.set_aside.drawn_wrong == 0);
        wrong += audit.excluded.drawn_wrong;
    }
    CHECK(wrong > 0);  // half of them are drawn uniformly
}

TEST_CASE("planted: one bound that lies, just above the threshold, is audited however many were set aside",
          "[statistics]") {
    ToyProblem f(100);
    f.space.add(Parameter("more", "no effect", numbers({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})));
    const auto variant = [&](std::map<std::string, std::string> values) {
        values.insert({{"threads", "2"}, {"more", "0"}});
        return toy::variant(f.space, values);
    };
    const Variant planted = variant({{"format", "padded"}, {"pad", "1"}, {"unroll", "6"}, {"more", "3"}});
    const auto may_be_planted = [&](const PartialVariant& v) {
        for (int p = 0; p < f.space.size(); ++p) {
            if (v.fixed(p) && v[p] != planted[p]) return false;
        }
        return true;
    };
    // Of those above the threshold the planted one is the nearest; most of those below are set aside.
    const PlantedModel lie(
        f.space,
        [&](const PartialVariant& v) {
            return is_padded(v) ? (may_be_planted(v) ? 10.3e6 : 11.3e6) : v[0] == 0 ? 12e6 : 8e6;
        },
        [](const PartialVariant& v) { return v.fixed(3) && v[3] >= 10 ? 80e6 : 8e6; });
    SearchInput input;
    input.space = &f.space;
    input.model = &lie;
    input.machine = f.machine;
    input.naive = variant({{"format", "wide"}, {"unroll", "0"}});
    input.fallback = variant({{"format", "narrow"}, {"unroll", "1"}});
    const double best = f.honest(variant({{"format", "narrow"}, {"unroll", "4"}}));
    SearchOptions options = unlimited();
    options.epsilon = 0.0;
    options.patience = 3;
    options.audit = 60;
    for (options.seed = 1; options.seed <= 20; ++options.seed) {
        toy::Evaluator evaluator(f.space,
                                 [&](const Variant& v) { return v == planted ? 0.5 * best : f.honest(v); });
        const SearchResult r = search(input, evaluator, options, nullptr);
        REQUIRE(r.best);
        CHECK(*r.best == planted);
        CHECK(r.certificate.audit.excluded.wrong == 1);
        CHECK(r.certificate.audit.set_aside.measured == 15);
        const SampledReport& sampled = r.certificate.sampled;
        CHECK(r.certificate.audit.measured + sampled.drawn() == 60);
        CHECK(r.certificate.set_aside + r.certificate.excluded > 1000);
    }
}

TEST_CASE("planted: an alarm in the audit takes no place in the lead without a rotation") {
    const ToyProblem f;
    // Padded variants beat a bound that lies, and none of them is faster than the best; only the alarm's own
    // measurement has it so.
    const PlantedModel lie(
        f.space, [](const PartialVariant& v) { return is_padded(v) ? 40e6
                                                      : v[0] == 0  ? 12e6
                                                                   : 8e6; },
        [](const PartialVariant& v) { return is_padded(v) ? 40e6 : 8e6; });
    const double best = f.honest(f.truly_best());
    toy::Evaluator evaluator(f.space,
                             [&](const Variant& v) { return is_padded(v) ? 1.2 * best : f.honest(v); });
    evaluator.plant = [](const Variant&, Record& record) {
        if (record.role == "alarm") {
            for (Slot& slot : record.slots) slot.seconds *= 0.5;
        }
    };
    SearchInput input = f.input();
    input.model = &lie;
    const SearchResult r = search(input, evaluator, unlimited(), nullptr);
    CHECK(r.certificate.audit.violations > 0);
    CHECK(r.certificate.audit.regrets == 0);
    REQUIRE(r.best);
    CHECK(*r.best == f.truly_best());
    CHECK(r.seconds.low >= best);
    CHECK(sum(r.certificate) == 96);
}

TEST_CASE(
    "planted: an estimate that lies about a kind of variants is found out while searching, and the kind is "
    "opened") {
    const ToyProblem f;
    const PlantedModel lie(
        f.space, [](const PartialVariant& v) { return v[0] == 0 ? 12e6 : 8e6; },
        [](const PartialVariant& v) { return is_padded(v) ? 80e6 : 8e6; });
    const auto truth = [&](const Variant& v) {
        if (!is_padded(v)) return f.honest(v);
        const double unroll = static_cast<double>(f.space.number(v, 3, 0));
        return f.lower(f.truly_best()) * (1.01 + 0.005 * std::abs(unroll - 6.0)) *
               (f.space.number(v, 2, 1) == 2 ? 1.0 : 2.0);
    };
    SearchInput input = f.input();
    input.model = &lie;
    SearchOptions options = unlimited();
    options.epsilon = 0.0;
    options.audit = 0;  // nobody else could bring them back
    for (options.seed = 1; options.seed <= 10; ++options.seed) {
        toy::Evaluator evaluator(f.space, truth);
        evaluator.noise = 0.001;
        const SearchResult r = search(input, evaluator, options, nullptr);
        CHECK(r.certificate.violations == 0);
        REQUIRE(r.best);
        CHECK(is_padded(*r.best));
        CHECK(truth(*r.best) <= 1.01 * least(f.space, truth));
        CHECK(r.certificate.estimate.low < 0.3);
        CHECK(sum(r.certificate) == 96);
    }
}

TEST_CASE(
    "planted: an estimate that lies about one variant alone sets the best aside, and the audit brings it "
    "back") {
    const ToyProblem f;
    const PlantedModel lie(
        f.space, [](const PartialVariant& v) { return v[0] == 0 ? 12e6 : 8e6; },
        [](const PartialVariant& v) { return is_padded(v) ? 80e6 : 8e6; });
    const Machine machine = toy::machine();
    const Roofs roofs(machine);
    const BoundModel bound(roofs);
    const BoundSource source{&f.space, &lie, &bound};
    const auto planted = [&](const Variant& v) {
        return is_padded(v) && f.space.number(v, 2, 1) == 2 && f.space.number(v, 3, 0) == 6;
    };
    const auto truth = [&](const Variant& v) {
        if (planted(v)) return 1.01 * f.lower(f.truly_best());
        return is_padded(v) ? 1.05 * source.rank(v) : 1.05 * f.honest(v);
    };
    int found = 0, by_audit = 0;
    SearchInput input = f.input();
    input.model = &lie;
    SearchOptions options = unlimited();
    options.epsilon = 0.0;
    options.patience = 3;
    options.audit = 40;  // of which the sampled limit takes half
    for (options.seed = 1; options.seed <= 10; ++options.seed) {
        toy::Evaluator evaluator(f.space, truth);
        evaluator.noise = 0.001;
        const SearchResult r = search(input, evaluator, options, nullptr);
        REQUIRE(r.best);
        found += planted(*r.best) ? 1 : 0;
        by_audit += r.certificate.audit.regrets > 0 ? 1 : 0;
        CHECK(r.certificate.audit.set_aside.wrong == r.certificate.audit.regrets);
        CHECK(sum(r.certificate) == 96);
    }
    // An audit draws some of a class; one variant among many it may miss, and its limit says so.
    CHECK(found >= 7);
    CHECK(by_audit >= 5);
}
