#include "tests/unit/search/toy_problem.h"
#include "tuner/measure/statistics.h"

using namespace rooftune;
using namespace rooftune::test;

TEST_CASE("the search finds the best variant, and the classes add up") {
    const ToyProblem f;
    toy::Evaluator evaluator(f.space, [&](const Variant& v) { return f.honest(v); });
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    REQUIRE(r.best);
    CHECK(f.space.to_text(*r.best) == f.space.to_text(f.truly_best()));
    CHECK(r.certificate.space == 96);
    CHECK(sum(r.certificate) == 96);
    CHECK(r.certificate.excluded > 0);
    CHECK(r.certificate.audit.measured > 0);
    CHECK(r.certificate.audit.regrets == 0);
    CHECK(r.certificate.violations == 0);
    CHECK(r.beat == 0);
    CHECK(r.certificate.subtrees_cut > 0);
    CHECK(r.certificate.bounds_evaluated < 200);
}

TEST_CASE("where all others were raced out, the fastest of them is the runner-up") {
    const ToyProblem f;
    toy::Evaluator evaluator = f.evaluator();
    evaluator.plant = [&](const Variant& v, Record& record) {
        if (record.role != "finals" && v != f.truly_best()) record.outcome = Outcome::raced_out;
    };
    SearchInput input = f.input();
    input.fallback = input.naive = f.truly_best();
    const SearchResult r = search(input, evaluator, unlimited(), nullptr);
    REQUIRE(r.best);
    CHECK(f.space.to_text(*r.best) == f.space.to_text(f.truly_best()));
    REQUIRE(r.runner_up);
    CHECK((r.runner_up->variant == f.narrow(3) || r.runner_up->variant == f.narrow(5)));
}

TEST_CASE("where all others were raced out, one that is far slower takes nobody's place as the runner-up") {
    // The default wins, and the textbook loop, which is beside it in the finals, takes 9 times as long.
    const ToyProblem f;
    SearchInput input = f.input();
    input.fallback = f.truly_best();
    toy::Evaluator evaluator(f.space,
                             [&](const Variant& v) { return (v == input.naive ? 9.0 : 1.0) * f.honest(v); });
    evaluator.plant = [&](const Variant& v, Record& record) {
        if (record.role != "finals" && v != f.truly_best()) record.outcome = Outcome::raced_out;
    };
    SearchOptions options = unlimited();
    options.audit = 0;  // which measures others
    const SearchResult r = search(input, evaluator, options, nullptr);
    REQUIRE(r.best);
    CHECK(f.space.to_text(*r.best) == f.space.to_text(f.truly_best()));
    REQUIRE(r.runner_up);
    CHECK((r.runner_up->variant == f.narrow(3) || r.runner_up->variant == f.narrow(5)));
}

namespace {

// Keeps what was named as coming next.
class Listening final : public Evaluator {
public:
    explicit Listening(toy::Evaluator& inner) : inner_(&inner) {}
    Record evaluate(const Variant& variant, const EvaluationRequest& request) override {
        asked.push_back({variant, request.role, request.next});
        return inner_->evaluate(variant, request);
    }
    Rotation rotation(const RotationRequest& request) override { return inner_->rotation(request); }
    std::vector<Ceiling> reprobe(const std::vector<Ceiling>& ceilings, double seconds) override {
        return inner_->reprobe(ceilings, seconds);
    }
    double now() override { return inner_->now(); }
    bool interrupted() override { return inner_->interrupted(); }

    struct Asked {
        Variant variant;
        std::string role;
        std::vector<Variant> next;
    };
    std::vector<Asked> asked;

private:
    toy::Evaluator* inner_;
};

}  // namespace

TEST_CASE("a request names what may come next, where somebody wants to know, and changes nothing else") {
    const ToyProblem f;
    std::vector<Variant> order;
    for (const int ahead : {0, 3}) {
        toy::Evaluator inner = f.evaluator();
        Listening evaluator(inner);
        SearchInput input = f.input();
        input.look_ahead = ahead;
        SearchOptions options = unlimited();
        options.audit = 0;
        search(input, evaluator, options, nullptr);
        std::vector<Variant> variants;
        std::size_t searched = 0, guessed = 0;
        for (std::size_t i = 0; i < evaluator.asked.size(); ++i) {
            const Listening::Asked& a = evaluator.asked[i];
            variants.push_back(a.variant);
            if (ahead == 0) CHECK(a.next.empty());
            CHECK(std::find(a.next.begin(), a.next.end(), a.variant) == a.next.end());
            for (const Variant& next : a.next) {
                CHECK(f.space.valid(next));
                // What was evaluated already is not asked for again.
                for (std::size_t j = 0; j < i; ++j) CHECK(evaluator.asked[j].variant != next);
            }
            if (a.role != "search" || i + 1 == evaluator.asked.size()) continue;
            ++searched;
            const Variant& then = evaluator.asked[i + 1].variant;
            guessed += std::find(a.next.begin(), a.next.end(), then) != a.next.end();
        }
        if (ahead == 0) {
            order = variants;
            continue;
        }
        CHECK(variants == order);
        REQUIRE(searched > 5);
        CHECK(2 * guessed >= searched);
    }
}

TEST_CASE("the runner-up is the second best of the finals, with its time over the winner's") {
    const ToyProblem f;
    toy::Evaluator evaluator = f.evaluator();
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    REQUIRE(r.best);
    REQUIRE(r.runner_up);
    CHECK(r.runner_up->winner == *r.best);
    CHECK((r.runner_up->variant == f.narrow(3) || r.runner_up->variant == f.narrow(5)));
    CHECK(r.runner_up->ratio.median == Approx(1.15 / 1.10).epsilon(0.01));
    CHECK(r.runner_up->ratio.low <= r.runner_up->ratio.median);
    CHECK(r.runner_up->ratio.slots >= 8);
    SECTION("one that fails in the finals is nobody's") {
        const Variant second = r.runner_up->variant;
        toy::Evaluator failing = f.evaluator();
        failing.plant = [&](const Variant& v, Record& record) {
            if (record.role == "finals" && v == second) record.outcome = Outcome::wrong;
        };
        const SearchResult other = search(f.input(), failing, unlimited(), nullptr);
        REQUIRE(other.runner_up);
        CHECK(other.runner_up->variant != second);
        CHECK(other.runner_up->variant != *other.best);
    }
}

TEST_CASE("the counts equal an independent count over the whole space") {
    const ToyProblem f;
    toy::Evaluator evaluator(f.space, [&](const Variant& v) { return f.honest(v); });
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    std::uint64_t excluded = 0, rest = 0, evaluated = 0;
    f.space.each(PartialVariant{}, [&](const Variant& v) {
        if (evaluator.measured.contains(v)) {
            ++evaluated;
        } else if ((1.0 - r.certificate.margin) * f.lower(v) >= r.seconds.high) {
            ++excluded;
        } else {
            ++rest;
        }
        return true;
    });
    CHECK(r.certificate.excluded == excluded);
    CHECK(r.certificate.unmeasured + r.certificate.set_aside == rest);
    CHECK(r.certificate.measured + r.certificate.raced_out + r.certificate.failed == evaluated);
}

TEST_CASE("nothing excluded was faster, and the gap holds for the rest") {
    const ToyProblem f;
    toy::Evaluator evaluator(f.space, [&](const Variant& v) { return f.honest(v); });
    SearchOptions options = unlimited();
    options.evaluations = 12;
    options.audit = 0;
    const SearchResult r = search(f.input(), evaluator, options, nullptr);
    f.space.each(PartialVariant{}, [&](const Variant& v) {
        if (!evaluator.measured.contains(v)) {
            if ((1.0 - r.certificate.margin) * f.lower(v) >= r.seconds.high)
                CHECK(f.honest(v) >= r.seconds.high);
            CHECK(f.honest(v) >= r.seconds.median / (1.0 + r.certificate.gap) * (1.0 - 1e-9));
        }
        return true;
    });
    CHECK(r.certificate.stopped_by == "budget");
    CHECK(r.certificate.unmeasured > 0);
}

TEST_CASE("patience ends a search, but not before every value was given a chance") {
    const ToyProblem f;
    toy::Evaluator evaluator(f.space, [&](const Variant& v) { return f.honest(v); });
    SearchOptions options = unlimited();
    options.bounds = false;
    options.patience = 3;
    options.audit = 0;
    const SearchResult r = search(f.input(), evaluator, options, nullptr);
    CHECK(r.certificate.stopped_by == "patience");
    CHECK(r.certificate.measured + r.certificate.raced_out < 96);
    std::map<int, int> tries;
    for (const auto& [variant, count] : evaluator.measured) ++tries[variant[3]];
    CHECK(tries.size() == 10);
    for (const auto& [unroll, count] : tries) CHECK(count >= 3);
}

TEST_CASE("the usual patience: a share of the space, within limits, and some after the last improvement") {
    CHECK(usual_patience(1).least == 80);
    CHECK(usual_patience(1).unrewarded == 32);
    CHECK(usual_patience(20'000).least == 142);
    CHECK(usual_patience(5'000'000'000).least == 250);
    CHECK(usual_patience(5'000'000'000).unrewarded == 100);
    for (std::uint64_t n = 2; n < 1'000'000'000; n *= 2)
        CHECK(usual_patience(n).least >= usual_patience(n / 2).least);
}

TEST_CASE("without a patience of its own a search evaluates the least, however early its best came") {
    const ToyProblem f(60);
    toy::Evaluator evaluator(f.space, [&](const Variant& v) { return f.honest(v); });
    SearchInput input = f.input();
    input.starts = {f.truly_best()};
    SearchOptions options = unlimited();
    options.bounds = false;
    options.patience = 0;
    options.audit = 0;
    const SearchResult r = search(input, evaluator, options, nullptr);
    CHECK(r.certificate.stopped_by == "patience");
    CHECK(*r.best == f.truly_best());
    const Patience usual = usual_patience(f.space.count(PartialVariant{}));
    CHECK(r.certificate.measured + r.certificate.raced_out >= static_cast<std::uint64_t>(usual.least));
}

TEST_CASE("a start beside which the default has taken the time is left out, one that is kept is not") {
    const ToyProblem f;
    SearchInput input = f.input();
    input.starts = {f.narrow(9), f.narrow(7)};
    const auto asked_of = [&](const std::optional<Variant>& kept) {
        input.kept = kept;
        toy::Evaluator evaluator = f.evaluator();
        SearchOptions options = unlimited();
        options.seconds = 1e-6;  // any evaluation takes longer
        search(input, evaluator, options, nullptr);
        return std::count_if(evaluator.order.begin(), evaluator.order.end(),
                             [](const std::string& asked) { return asked.rfind("start ", 0) == 0; });
    };
    CHECK(asked_of(std::nullopt) == 0);
    CHECK(asked_of(f.narrow(7)) == 1);
    input.kept.reset();
    toy::Evaluator evaluator = f.evaluator();
    search(input, evaluator, unlimited(), nullptr);
    CHECK(std::count(evaluator.order.begin(), evaluator.order.end(),
                     "start " + f.space.to_text(f.narrow(9))) == 1);
}

TEST_CASE("same seed and same clock give the same trace") {
    const ToyProblem f;
    const auto run = [&](std::uint64_t seed) {
        toy::Evaluator evaluator(f.space, [&](const Variant& v) { return f.honest(v); });
        SearchOptions options = unlimited();
        options.seed = seed;
        return search(f.input(), evaluator, options, nullptr).trace;
    };
    CHECK(run(7) == run(7));
    CHECK(run(7) != run(8));
}

TEST_CASE("failures are typed, counted, and the search goes on") {
    const ToyProblem f;
    toy::Evaluator evaluator(f.space, [&](const Variant& v) { return f.honest(v); });
    evaluator.fail[f.truly_best()] = Outcome::crashed;
    const auto second = toy::variant(f.space, {{"format", "narrow"}, {"threads", "2"}, {"unroll", "3"}});
    evaluator.fail[second] = Outcome::environment;
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    REQUIRE(r.best);
    CHECK(f.space.to_text(*r.best) == "format=narrow,threads=2,unroll=5");
    CHECK(r.certificate.failed == 2);
    CHECK(r.certificate.failed_environment == 1);
    CHECK(sum(r.certificate) == 96);
    // What failed through the environment's fault may still be faster: the gap must say so.
    CHECK(r.certificate.gap > 0.0);
}

TEST_CASE("no variant works: there is no winner and the counts still add up") {
    const ToyProblem f;
    toy::Evaluator evaluator(f.space, [&](const Variant& v) { return f.honest(v); });
    f.space.each(PartialVariant{}, [&](const Variant& v) {
        evaluator.fail[v] = Outcome::wrong;
        return true;
    });
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    CHECK_FALSE(r.best);
    CHECK(r.certificate.failed == 96);
    CHECK(sum(r.certificate) == 96);
    CHECK(r.certificate.stopped_by == "exhausted");
}

TEST_CASE("planted: an unsound work term is caught by the alarm and demoted") {
    ToyProblem f;
    // The truth is four times faster than what the traffic term of 'narrow' on two threads allows.
    const auto lie = [&](const Variant& v) { return f.honest(v) / (v[0] == 1 ? 4.0 : 1.0); };
    toy::Evaluator evaluator(f.space, lie);
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    CHECK(r.certificate.violations > 0);
    CHECK_FALSE(r.demoted.empty());
    REQUIRE(r.best);
    CHECK(lie(*r.best) <= lie(f.truly_best()) * 1.02);
    CHECK(sum(r.certificate) == 96);
}

TEST_CASE("planted: a ceiling that was too low rises when probed again, and no term is demoted") {
    ToyProblem f;
    const auto faster = [&](const Variant& v) { return f.honest(v) / 1.5; };
    toy::Evaluator evaluator(f.space, faster);
    evaluator.reprobe_factor = 1.6;
    SearchOptions options = unlimited();
    options.reprobe = false;
    const SearchResult r = search(f.input(), evaluator, options, nullptr);
    CHECK(r.certificate.violations > 0);
    CHECK(r.demoted.empty());
    REQUIRE(r.best);
    CHECK(f.space.to_text(*r.best) == f.space.to_text(f.truly_best()));
}

TEST_CASE("planted: a lucky sample does not exclude the true winner") {
    const ToyProblem f;
    // The default variant shows one lucky slot far below its median: exclusion goes by the interval.
    const SearchInput input = f.input();
    int draw = 0;
    toy::Evaluator evaluator(f.space, [&](const Variant& v) {
        if (v == input.fallback && draw++ == 3) return 0.96 * f.lower(f.truly_best());
        return f.honest(v);
    });
    const SearchResult r = search(input, evaluator, unlimited(), nullptr);
    REQUIRE(r.best);
    CHECK(f.space.to_text(*r.best) == f.space.to_text(f.truly_best()));
}

TEST_CASE("what the store knows is not measured again, except the incumbent and the finalists") {
    const ToyProblem f;
    toy::Evaluator first(f.space, [&](const Variant& v) { return f.honest(v); });
    SearchOptions options = unlimited();
    options.evaluations = 30;
    const SearchResult before = search(f.input(), first, options, nullptr);
    SearchInput input = f.input();
    for (const Observation& o : before.observations) input.known[o.variant] = o.record;
    toy::Evaluator second(f.space, [&](const Variant& v) { return f.honest(v); });
    options = unlimited();
    options.audit = 0;  // which measures some of the raced out again
    const SearchResult after = search(input, second, options, nullptr);
    int again = 0;
    for (const auto& [variant, count] : second.measured) again += input.known.contains(variant) ? 1 : 0;
    CHECK(again <= 1);  // the incumbent; finalists come through rotate()
    CHECK(sum(after.certificate) == 96);
}

TEST_CASE("budgets, patience, epsilon and interruption are named") {
    const ToyProblem f;
    const auto stopped = [&](SearchOptions options, int interrupt = -1, double slack = 0.0) {
        toy::Evaluator evaluator(f.space, [&](const Variant& v) { return f.honest(v) * (1.0 + slack); });
        evaluator.interrupt_after = interrupt;
        return search(f.input(), evaluator, options, nullptr);
    };
    SearchOptions evaluations = unlimited();
    evaluations.evaluations = 8;
    CHECK(stopped(evaluations).certificate.stopped_by == "budget");
    SearchOptions seconds = unlimited();
    seconds.seconds = 0.3;
    CHECK(stopped(seconds).certificate.stopped_by == "budget");
    SearchOptions loose = unlimited();
    loose.epsilon = 0.9;
    CHECK(stopped(loose).certificate.stopped_by == "epsilon");
    const SearchResult interrupted = stopped(unlimited(), 20);
    CHECK(interrupted.certificate.stopped_by == "interrupted");
    CHECK(interrupted.best);
    CHECK(sum(interrupted.certificate) == 96);
}

TEST_CASE("without bounds nothing is cut during the search") {
    const ToyProblem f;
    toy::Evaluator evaluator(f.space, [&](const Variant& v) { return f.honest(v); });
    SearchOptions options = unlimited();
    options.bounds = false;
    const SearchResult r = search(f.input(), evaluator, options, nullptr);
    CHECK(r.certificate.measured + r.certificate.raced_out == 96);
}
