// The sampled limit of a search: what it draws, what it counts, and what a draw that is faster changes.
#include <algorithm>
#include <cmath>

#include "tests/unit/search/planted_model.h"
#include "tests/unit/search/toy_problem.h"
#include "tuner/measure/statistics.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

/// A space of many equal variants beside the few that matter, so that most is left unmeasured.
struct LargeProblem : ToyProblem {
    LargeProblem() : ToyProblem(100) {
        space.add(Parameter("more", "no effect", numbers({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})));
    }
    Variant narrow_of(int unroll, int more) const {
        return toy::variant(space, {{"format", "narrow"},
                                    {"threads", "2"},
                                    {"unroll", std::to_string(unroll)},
                                    {"more", std::to_string(more)}});
    }
    SearchInput large_input() const {
        SearchInput input;
        input.space = &space;
        input.model = &model;
        input.machine = machine;
        input.naive =
            toy::variant(space, {{"format", "wide"}, {"threads", "2"}, {"unroll", "0"}, {"more", "0"}});
        input.fallback = narrow_of(1, 0);
        return input;
    }
};

// In the space's own order, and no more than a few of it: what matters is left for the sample. (Bounds and
// ranking find all there is to find here, and a test of the sample then tests nothing.)
SearchOptions impatient() {
    SearchOptions options = unlimited();
    options.epsilon = 0.0;
    options.patience = 3;
    options.audit = 60;
    options.strategy = find_strategy("exhaustive");
    return options;
}

int asked(const toy::Evaluator& evaluator, const std::string& role) {
    return static_cast<int>(
        std::count_if(evaluator.order.begin(), evaluator.order.end(),
                      [&](const std::string& line) { return line.rfind(role + " ", 0) == 0; }));
}

}  // namespace

TEST_CASE("sampled limit: half of the audit draws from what is left, and none of it was faster") {
    const LargeProblem f;
    const bool pairs = GENERATE(false, true);
    toy::Evaluator evaluator = f.evaluator();
    evaluator.pairs = pairs;
    const SearchResult r = search(f.large_input(), evaluator, impatient(), nullptr);
    REQUIRE(r.best);
    const SampledReport& s = r.certificate.sampled;
    REQUIRE(s.unmeasured.population > 300);
    CHECK(s.drawn() == 30);
    CHECK(r.certificate.audit.measured == 30);
    CHECK(s.unmeasured.drawn >= 22);
    CHECK(s.unmeasured.faster == 0);
    CHECK(s.unmeasured.upper_limit == Approx(1.0 - std::pow(0.05, 1.0 / s.unmeasured.drawn)));
    // Who was drawn and timed belongs to another class now.
    CHECK(r.certificate.unmeasured < s.unmeasured.population);
    CHECK(r.certificate.unmeasured + static_cast<std::uint64_t>(s.unmeasured.drawn) >=
          s.unmeasured.population);
    check_certificate(f, r);
}

TEST_CASE("sampled limit: an audit of 0 draws nothing, and neither does a run that is interrupted") {
    const LargeProblem f;
    const bool pairs = GENERATE(false, true);
    toy::Evaluator evaluator = f.evaluator();
    evaluator.pairs = pairs;
    SearchOptions options = impatient();
    options.audit = 0;
    const SearchResult r = search(f.large_input(), evaluator, options, nullptr);
    CHECK(r.certificate.sampled.drawn() == 0);
    CHECK(asked(evaluator, "sample") == 0);
    toy::Evaluator stopped = f.evaluator();
    stopped.pairs = pairs;
    stopped.interrupt_in = "sample";
    const SearchResult cut = search(f.large_input(), stopped, impatient(), nullptr);
    CHECK(cut.certificate.stopped_by == "interrupted");
    CHECK(cut.certificate.sampled.drawn() == 0);
    CHECK(cut.certificate.failed == 0);
    check_certificate(f, cut);
}

TEST_CASE("sampled limit: a group that a budget cuts short is not counted", "[statistics]") {
    const LargeProblem f;
    std::set<int> counted, measured;
    for (int evaluations = 36; evaluations <= 78; evaluations += 3) {
        toy::Evaluator evaluator = f.evaluator();
        SearchOptions options = impatient();
        options.evaluations = evaluations;
        const SearchResult r = search(f.large_input(), evaluator, options, nullptr);
        const SampledReport& s = r.certificate.sampled;
        INFO("budget " << evaluations);
        CHECK(s.drawn() <= asked(evaluator, "sample") + 2);  // a few are drawn twice, and asked once
        CHECK(asked(evaluator, "sample") - s.drawn() < 11);
        counted.insert(s.drawn());
        measured.insert(asked(evaluator, "sample"));
        check_certificate(f, r);
    }
    CHECK(counted.size() == 3);  // one, two or three whole groups
    CHECK(measured.size() > 8);
}

TEST_CASE("sampled limit: what a group found counts, also where the budget ends within it") {
    const LargeProblem f;
    const bool pairs = GENERATE(false, true);
    const auto is_fast = [&](const Variant& v) { return v[0] == 1 && v[4] >= 6; };
    SearchOptions options = impatient();
    int cut = 0;
    for (options.evaluations = 40; options.evaluations <= 80; options.evaluations += 8) {
        toy::Evaluator evaluator(f.space,
                                 [&](const Variant& v) { return f.lower(v) * (is_fast(v) ? 1.02 : 2.0); });
        evaluator.pairs = pairs;
        evaluator.noise = 0.001;
        const SearchResult r = search(f.large_input(), evaluator, options, nullptr);
        const SampledReport& s = r.certificate.sampled;
        REQUIRE(r.best);
        REQUIRE(is_fast(*r.best));  // which only a draw can have found
        CHECK(s.unmeasured.faster > 0);
        CHECK(s.regrets > 0);
        cut += s.drawn() % 10 != 0 ? 1 : 0;
    }
    CHECK(cut > 0);
}

TEST_CASE("sampled limit: what the search left is faster, the draw finds some of it and the search goes on") {
    const LargeProblem f;
    const bool pairs = GENERATE(false, true);
    // An estimate that sees nothing of it, and patience for three: a sixth of what is left is twice as fast.
    const auto is_fast = [&](const Variant& v) {
        return v[0] == 1 && v[4] >= 6 && f.space.number(v, 3, 0) >= 20;
    };
    const auto truth = [&](const Variant& v) {
        const double unroll = static_cast<double>(f.space.number(v, 3, 0));
        return f.lower(v) * (is_fast(v) ? 1.02 : 2.0 + 0.001 * unroll);
    };
    int found = 0;
    SearchOptions options = impatient();
    for (options.seed = 1; options.seed <= 10; ++options.seed) {
        toy::Evaluator evaluator(f.space, truth);
        evaluator.pairs = pairs;
        evaluator.noise = 0.001;
        const SearchResult r = search(f.large_input(), evaluator, options, nullptr);
        REQUIRE(r.best);
        found += is_fast(*r.best) ? 1 : 0;
        if (r.certificate.sampled.unmeasured.faster == 0) continue;
        CHECK(r.certificate.sampled.unmeasured.upper_limit >
              static_cast<double>(r.certificate.sampled.unmeasured.faster) /
                  r.certificate.sampled.unmeasured.drawn);
        CHECK(is_fast(*r.best));
        // Finals again, by whom it is the winner.
        CHECK(r.best_record.role == "finals");
    }
    CHECK(found >= 9);
}

TEST_CASE("sampled limit: the speed-ups told are those of whom a draw made the winner") {
    const LargeProblem f;
    const bool pairs = GENERATE(false, true);
    const auto is_fast = [&](const Variant& v) { return v[0] == 1 && v[4] >= 6; };
    const auto truth = [&](const Variant& v) { return f.lower(v) * (is_fast(v) ? 1.02 : 2.0); };
    const SearchInput input = f.large_input();
    SearchOptions options = impatient();
    const bool is_cut = GENERATE(false, true);
    for (options.evaluations = 40; options.evaluations <= 140; options.evaluations += 50) {
        INFO("budget " << options.evaluations << (is_cut ? ", Ctrl-C after the regret" : ""));
        toy::Evaluator evaluator(f.space, truth);
        evaluator.pairs = pairs;
        evaluator.noise = 0.001;
        evaluator.plant = [&](const Variant& v, Record& record) {
            if (is_cut && record.role == "sample" && is_fast(v)) evaluator.interrupt_in = "search";
        };
        const SearchResult r = search(input, evaluator, options, nullptr);
        REQUIRE(r.best);
        REQUIRE(is_fast(*r.best));
        if (is_cut) {
            CHECK(r.certificate.stopped_by == "interrupted");
            CHECK(r.naive_ratio.slots + r.default_ratio.slots == 0);
            continue;
        }
        CHECK(r.naive_ratio.median == Approx(truth(input.naive) / truth(*r.best)).epsilon(0.01));
        CHECK(r.default_ratio.median == Approx(truth(input.fallback) / truth(*r.best)).epsilon(0.01));
        CHECK(r.best_record.role == "finals");
    }
}

TEST_CASE("sampled limit: without second finals the notice says whose the winner is") {
    const LargeProblem f;
    const bool pairs = GENERATE(false, true);
    const auto is_fast = [&](const Variant& v) { return v[0] == 1 && v[4] >= 6; };
    toy::Evaluator evaluator(f.space,
                             [&](const Variant& v) { return f.lower(v) * (is_fast(v) ? 1.02 : 2.0); });
    evaluator.pairs = pairs;
    bool regretted = false;
    evaluator.plant = [&](const Variant& v, Record& record) {
        regretted = regretted || (record.role == "sample" && is_fast(v));
        if (!regretted || record.role != "finals") return;
        record.outcome = Outcome::environment;
        record.slots.clear();
    };
    const SearchResult r = search(f.large_input(), evaluator, impatient(), nullptr);
    REQUIRE(r.best);
    CHECK(is_fast(*r.best));
    CHECK(r.naive_ratio.slots + r.default_ratio.slots == 0);
    CHECK(std::count_if(r.trace.begin(), r.trace.end(), [](const std::string& line) {
              return line.find("there were no finals after the audit") != std::string::npos;
          }) == 1);
}

TEST_CASE("sampled limit: slower variants that look faster for a slot or two are not counted") {
    const LargeProblem f;
    const bool pairs = GENERATE(false, true);
    toy::Evaluator evaluator = f.evaluator();
    evaluator.pairs = pairs;
    evaluator.plant = [&](const Variant&, Record& record) {
        if (record.role != "sample" || record.slots.size() > 8) return;
        for (Slot& slot : record.slots) slot.seconds *= pairs ? 0.4 : 0.75;
    };
    const SearchResult r = search(f.large_input(), evaluator, impatient(), nullptr);
    const auto rotated = std::count_if(r.trace.begin(), r.trace.end(), [](const std::string& line) {
        return line.rfind("sample rotation", 0) == 0;
    });
    CHECK(rotated > 0);
    CHECK(r.certificate.sampled.drawn() == 30);
    CHECK(r.certificate.sampled.unmeasured.faster + r.certificate.sampled.raced_out.faster == 0);
}

TEST_CASE("sampled limit: a draw that could not be timed counts as one that may be faster") {
    const LargeProblem f;
    const bool pairs = GENERATE(false, true);
    toy::Evaluator evaluator = f.evaluator();
    evaluator.pairs = pairs;
    int untimed = 0;
    evaluator.plant = [&](const Variant& v, Record& record) {
        if (record.role != "sample" || v[4] % 3 != 0) return;
        ++untimed;
        record.outcome = Outcome::environment;
        record.slots.clear();
    };
    const SearchResult r = search(f.large_input(), evaluator, impatient(), nullptr);
    const SampledReport& s = r.certificate.sampled;
    REQUIRE(untimed > 3);
    CHECK(s.drawn() == 30);
    CHECK(s.unmeasured.untimed + s.raced_out.untimed >= untimed);  // twice, where one was drawn twice
    CHECK(s.unmeasured.untimed + s.raced_out.untimed <= untimed + 2);
    CHECK(s.unmeasured.faster + s.raced_out.faster == 0);
    CHECK(s.unmeasured.upper_limit == Approx(upper_limit(s.unmeasured.untimed, s.unmeasured.drawn)));
}

TEST_CASE("sampled limit: a draw that is wrong when it meets the winner has failed") {
    const LargeProblem f;
    const bool pairs = GENERATE(false, true);
    const auto is_fast = [&](const Variant& v) { return v[0] == 1 && v[2] == 1 && v[4] >= 6; };
    toy::Evaluator evaluator(f.space,
                             [&](const Variant& v) { return f.lower(v) * (is_fast(v) ? 1.02 : 2.0); });
    evaluator.pairs = pairs;
    evaluator.plant = [&](const Variant& v, Record& record) {
        if (record.role != "sample" || record.slots.size() <= 8 || !is_fast(v)) return;
        record.outcome = Outcome::wrong;
        record.slots.clear();
    };
    const SearchResult r = search(f.large_input(), evaluator, impatient(), nullptr);
    REQUIRE(r.best);
    CHECK_FALSE(is_fast(*r.best));
    CHECK(r.certificate.sampled.drawn() == 30);
    CHECK(r.certificate.sampled.unmeasured.faster == 0);
    CHECK(r.certificate.failed > 2);
    for (const Observation& o : r.observations) {
        if (is_fast(o.variant)) CHECK(o.record.outcome == Outcome::wrong);
    }
}

TEST_CASE("sampled limit: what was raced out wrongly is measured again and wins") {
    const ToyProblem f;
    const bool pairs = GENERATE(false, true);
    // A spell in the search races out everything with an even unroll but 0; the best are among those.
    const auto even = [&](const Variant& v) {
        return v[0] == 1 && f.space.number(v, 3, 0) % 2 == 0 && f.space.number(v, 3, 0) > 0;
    };
    toy::Evaluator evaluator = f.evaluator();
    evaluator.pairs = pairs;
    evaluator.plant_slot = [&](const Variant& v, int count, Slot& slot) {
        if (even(v) && count < (pairs ? 2 : 1)) slot.seconds *= 3.0;
    };
    SearchOptions options = unlimited();
    options.audit = 0;
    const SearchResult without = search(f.input(), evaluator, options, nullptr);
    REQUIRE(without.best);
    CHECK_FALSE(even(*without.best));

    toy::Evaluator again = f.evaluator();
    again.pairs = pairs;
    again.plant_slot = evaluator.plant_slot;
    options.audit = 60;
    const SearchResult r = search(f.input(), again, options, nullptr);
    REQUIRE(r.best);
    CHECK(*r.best == f.truly_best());
    CHECK(r.certificate.sampled.raced_out.drawn > 0);
    CHECK(r.certificate.sampled.raced_out.faster > 0);
    CHECK(asked(again, "again") == 0);  // all of its company were drawn
    check_certificate(f, r);
}

TEST_CASE("sampled limit: racing again leaves the search its patience, and the draws of before alone") {
    const LargeProblem f;
    const bool pairs = GENERATE(false, true);
    // All that the search comes to is fast, and raced out by its first slot.
    const auto truth = [&](const Variant& v) { return f.lower(v) * (v[0] == 0 && v[2] == 0 ? 1.02 : 10.0); };
    toy::Evaluator evaluator(f.space, truth);
    evaluator.pairs = pairs;
    evaluator.plant_slot = [&](const Variant& v, int count, Slot& slot) {
        if (v[0] == 0 && v[2] == 0 && count < (pairs ? 2 : 1)) slot.seconds *= 5.0;
    };
    SearchOptions options = impatient();
    options.patience = 40;
    const SearchResult r = search(f.large_input(), evaluator, options, nullptr);
    REQUIRE(r.best);
    REQUIRE(r.best->fixed(0));
    CHECK((*r.best)[0] == 0);
    std::set<std::string> drawn;
    int again = 0, searched = 0;
    for (const std::string& line : evaluator.order) {
        const std::string role = line.substr(0, line.find(' ')), variant = line.substr(line.find(' ') + 1);
        if (role == "sample" || role == "audit") drawn.insert(variant);
        again += role == "again" ? 1 : 0;
        searched += again > 0 && role == "search" ? 1 : 0;
        if (role == "again") CHECK_FALSE(drawn.contains(variant));
    }
    CHECK(again > 10);
    CHECK(searched >= options.patience);
}

TEST_CASE("sampled limit: those that may be faster by as much as matters are counted") {
    const LargeProblem f;
    const bool pairs = GENERATE(false, true);
    // Some scatter by 8 % to either side: no median tells them from the winner.
    const auto scatters = [](const Variant& v) { return v[0] == 1 && v[2] == 1 && v[4] >= 1; };
    toy::Evaluator evaluator(f.space, [&](const Variant& v) { return 2.0 * f.lower(v); });
    evaluator.pairs = pairs;
    std::set<Variant> met;
    evaluator.plant = [&](const Variant& v, Record& record) {
        if (record.role != "sample" || !scatters(v)) return;
        for (std::size_t i = 0; i < record.slots.size(); ++i)
            record.slots[i].seconds *= i % 2 == 0 ? 1.08 : 0.92;
        if (record.slots.size() > 8) met.insert(v);
    };
    const SearchResult r = search(f.large_input(), evaluator, impatient(), nullptr);
    REQUIRE(r.best);
    CHECK_FALSE(scatters(*r.best));
    const SampledReport& s = r.certificate.sampled;
    REQUIRE(met.size() > 2);
    CHECK(s.drawn() == 30);
    CHECK(s.unmeasured.faster >= static_cast<int>(met.size()));
    CHECK(s.unmeasured.faster <= static_cast<int>(met.size()) + 2);  // a few are drawn twice
    CHECK(s.regrets == 0);
}

TEST_CASE("sampled limit: what an earlier audit timed and bounds exclude was not raced out") {
    const LargeProblem f;
    const bool pairs = GENERATE(false, true);
    SearchInput input = f.large_input();
    SearchOptions options = impatient();
    options.audit = 30;
    toy::Evaluator first = f.evaluator();
    first.pairs = pairs;
    const SearchResult before = search(input, first, options, nullptr);
    std::uint64_t raced = 0, audited = 0;
    for (const Observation& o : before.observations) {
        input.known[o.variant] = o.record;
        const bool is_raced = o.record.outcome == Outcome::raced_out;
        raced += is_raced && o.record.role != "audit" ? 1 : 0;
        audited += is_raced && o.record.role == "audit" ? 1 : 0;
    }
    REQUIRE(audited == 15);
    toy::Evaluator second = f.evaluator();
    second.pairs = pairs;
    const SearchResult after = search(input, second, options, nullptr);
    CHECK(after.certificate.raced_out >= audited + raced);
    const SampledReport& s = after.certificate.sampled;
    CHECK(s.raced_out.population < audited + raced);
    CHECK(s.raced_out.population >= raced);
}

TEST_CASE("sampled limit: of a pool that is too large to list it draws by counts", "[statistics]") {
    ToyProblem f(10);
    std::vector<std::int64_t> many(120);
    std::iota(many.begin(), many.end(), 0);
    f.space.add(Parameter("first", "no effect", numbers(many)));
    f.space.add(Parameter("second", "no effect", numbers(many)));
    const auto variant = [&](std::map<std::string, std::string> values) {
        values.insert({{"threads", "2"}, {"unroll", "0"}, {"first", "0"}, {"second", "0"}});
        return toy::variant(f.space, values);
    };
    SearchInput input;
    input.space = &f.space;
    input.model = &f.model;
    input.machine = f.machine;
    input.naive = variant({{"format", "wide"}});
    input.fallback = variant({{"format", "narrow"}});
    // So slow against their bounds that nothing is excluded and nothing set aside.
    toy::Evaluator evaluator(f.space, [](const Variant&) { return 0.01; });
    SearchOptions options = impatient();
    options.evaluations = 120;
    const SearchResult r = search(input, evaluator, options, nullptr);
    const SampledReport& s = r.certificate.sampled;
    REQUIRE(r.certificate.unmeasured > 1'000'000);
    CHECK(s.unmeasured.population >= r.certificate.unmeasured);
    CHECK(s.unmeasured.population <= r.certificate.unmeasured + 60);
    CHECK(s.drawn() == 30);
    std::set<std::int64_t> values;
    for (const Observation& o : r.observations) {
        if (o.record.role == "sample") values.insert(o.variant[4]);
    }
    CHECK(values.size() > 12);
}
