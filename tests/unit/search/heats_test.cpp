// Finals in several processes: what one of them was dealt does not choose the winner.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tests/unit/search/toy_problem.h"
#include "tuner/search/on_average.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

/// Multiplies the times of a variant in finals' processes by a factor each; 1 beyond the list.
void deal(toy::Evaluator& evaluator, const Variant& variant, std::vector<double> factors) {
    evaluator.plant = [&evaluator, variant, factors](const Variant& v, Record& record) {
        if (record.role != "finals" || v != variant) return;
        const auto process = static_cast<std::size_t>(evaluator.rotations.back().process);
        for (Slot& slot : record.slots) slot.seconds *= process < factors.size() ? factors[process] : 1.0;
    };
}

std::vector<RotationRequest> finals_of(const toy::Evaluator& evaluator) {
    std::vector<RotationRequest> finals;
    for (const RotationRequest& asked : evaluator.rotations) {
        if (asked.role == "finals") finals.push_back(asked);
    }
    return finals;
}

/// Knows what all finals took.
class Timed final : public toy::Evaluator {
public:
    using toy::Evaluator::Evaluator;
    Rotation rotation(const RotationRequest& request) override {
        const double start = now();
        Rotation answer = toy::Evaluator::rotation(request);
        if (request.role == "finals") finals_took += now() - start;
        return answer;
    }
    double finals_took = 0.0;
};

}  // namespace

TEST_CASE("finals: a variant that one process favours does not win by it") {
    const ToyProblem f;
    toy::Evaluator evaluator = f.evaluator();
    const Variant lucky = f.narrow(3);
    REQUIRE(lucky != f.truly_best());
    deal(evaluator, lucky, {0.8});
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    REQUIRE(r.best);
    CHECK(f.space.to_text(*r.best) == f.space.to_text(f.truly_best()));
    REQUIRE(r.runner_up);
    CHECK(r.runner_up->winner == *r.best);
}

TEST_CASE("finals: one that most processes favour does") {
    const ToyProblem f;
    toy::Evaluator evaluator = f.evaluator();
    deal(evaluator, f.narrow(3), {1.3, 0.8, 0.8, 0.8, 0.8});
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    REQUIRE(r.best);
    // Too slow in the first to go on: nobody measures it again, so that it wins nothing.
    CHECK(f.space.to_text(*r.best) == f.space.to_text(f.truly_best()));

    toy::Evaluator near = f.evaluator();
    deal(near, f.narrow(3), {1.0, 0.8, 0.8, 0.8, 0.8});
    const SearchResult other = search(f.input(), near, unlimited(), nullptr);
    REQUIRE(other.best);
    CHECK(f.space.to_text(*other.best) == f.space.to_text(f.narrow(3)));
    // Its time is that of all processes.
    CHECK(other.best_record.slots.size() > 32);
}

TEST_CASE("finals: further processes have the best and both references, and other inputs") {
    const ToyProblem f;
    toy::Evaluator evaluator = f.evaluator();
    const SearchInput input = f.input();
    const SearchResult r = search(input, evaluator, unlimited(), nullptr);
    const std::vector<RotationRequest> finals = finals_of(evaluator);
    REQUIRE(finals.size() >= 3);
    for (std::size_t p = 0; p < finals.size(); ++p) {
        CHECK(finals[p].process == static_cast<int>(p));
        const std::set<Variant> field(finals[p].variants.begin(), finals[p].variants.end());
        CHECK(field.size() == finals[p].variants.size());
        for (const Variant& v : {input.naive, input.fallback, *r.best}) CHECK(field.contains(v));
        if (p > 0) CHECK(field.size() <= 7);
    }
    CHECK(r.naive_ratio.slots == static_cast<int>(r.best_record.slots.size()));
}

TEST_CASE("finals: what is wrong on the inputs of a later process is not the winner") {
    const ToyProblem f;
    toy::Evaluator evaluator = f.evaluator();
    evaluator.plant = [&](const Variant& v, Record& record) {
        if (record.role != "finals" || v != f.truly_best() || evaluator.rotations.back().process != 2) return;
        record.outcome = Outcome::wrong;
        record.slots.clear();
    };
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    REQUIRE(r.best);
    CHECK(*r.best != f.truly_best());
    CHECK(r.certificate.failed == 1);
    check_certificate(f, r);
}

TEST_CASE("finals: a process that dies loses what it would have told, and nothing else") {
    const ToyProblem f;
    toy::Evaluator evaluator = f.evaluator();
    evaluator.plant = [&](const Variant&, Record& record) {
        if (record.role != "finals" || evaluator.rotations.back().process < 2) return;
        record.outcome = Outcome::environment;
        record.slots.clear();
    };
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    REQUIRE(r.best);
    CHECK(f.space.to_text(*r.best) == f.space.to_text(f.truly_best()));
    CHECK(finals_of(evaluator).size() == 3);
    CHECK(r.certificate.failed == 0);
    CHECK(r.certificate.failed_environment == 0);
}

TEST_CASE("finals: where loading takes longer than measuring, two processes are enough") {
    const ToyProblem f;
    toy::Evaluator evaluator = f.evaluator();
    evaluator.prepare_seconds = 10.0;
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    REQUIRE(r.best);
    CHECK(finals_of(evaluator).size() == 2);
}

TEST_CASE("finals: as many meet as the budget has time for, the references and one more at least") {
    const ToyProblem f;
    struct Met {
        std::size_t finalists, measured;
    };
    const auto meet = [&](double prepare, double seconds) {
        // So near each other that no race drops one before the finals.
        Timed evaluator(f.space, [&](const Variant& v) {
            return 2e-3 + 1e-6 * static_cast<double>(f.space.number(v, 3, 0));
        });
        evaluator.prepare_seconds = prepare;
        SearchOptions options = unlimited();
        options.epsilon = 0.0;
        options.bounds = false;
        options.seconds = seconds;
        const SearchResult r = search(f.input(), evaluator, options, nullptr);
        CHECK(r.best);
        CHECK(r.finals_took > 0.0);
        CHECK(r.finals_took == Approx(evaluator.finals_took));
        return Met{finals_of(evaluator).front().variants.size(), evaluator.measured.size()};
    };
    CHECK(meet(0.0, 1000.0).finalists > 6);
    const Met few = meet(1.0, 10.0);
    CHECK(few.finalists >= 3);
    CHECK(few.finalists < few.measured);
}

TEST_CASE("finals: what the default's time leaves no room for is measured by them alone") {
    const ToyProblem f;
    const auto asked_before = [&](double seconds) {
        toy::Evaluator evaluator = f.evaluator();
        evaluator.prepare_seconds = 1.0;
        SearchOptions options = unlimited();
        options.seconds = seconds;
        const SearchResult r = search(f.input(), evaluator, options, nullptr);
        REQUIRE(r.best);
        CHECK(r.naive_ratio.slots > 0);
        check_certificate(f, r);
        const std::string naive = "reference " + f.space.to_text(f.input().naive);
        return std::count(evaluator.order.begin(), evaluator.order.end(), naive);
    };
    CHECK(asked_before(1.5) == 0);
    CHECK(asked_before(100.0) == 1);
}

TEST_CASE("finals: a far slower naive variant that they alone measure is one that was raced out") {
    const ToyProblem f;
    const SearchInput input = f.input();
    toy::Evaluator evaluator(f.space,
                             [&](const Variant& v) { return (v == input.naive ? 20.0 : 1.0) * f.honest(v); });
    evaluator.prepare_seconds = 1.0;
    SearchOptions options = unlimited();
    options.seconds = 1.5;
    const SearchResult r = search(input, evaluator, options, nullptr);
    REQUIRE(r.best);
    CHECK(evaluator.measured[input.naive] == 0);
    CHECK(r.naive_ratio.slots > 0);
    CHECK(r.naive_ratio.slots < 8);
    const Record* naive = record_of(r, input.naive);
    REQUIRE(naive);
    CHECK(naive->outcome == Outcome::raced_out);
    CHECK(static_cast<int>(naive->slots.size()) == r.naive_ratio.slots);
    CHECK(r.certificate.raced_out == 1);
    check_certificate(f, r);
}

namespace {

/// Eight rounds a process, each of its seconds.
std::vector<Slot> in_processes(const std::vector<double>& seconds) {
    std::vector<Slot> slots;
    for (const double s : seconds) slots.insert(slots.end(), 8, Slot{s, 1, false});
    return slots;
}

}  // namespace

TEST_CASE("finals: the average over processes decides where the median does not tell two apart") {
    const std::vector<std::size_t> ends{8, 16, 24};
    const std::vector<Slot> one = in_processes({5.9, 6.0, 6.0});
    // What a virtual machine gave: as fast as the other in two processes, faster in the third.
    const std::vector<Slot> sometimes = in_processes({4.9, 6.06, 6.03});
    CHECK(ratio_on_average(sometimes, one, ends) == Approx(std::cbrt(4.9 / 5.9 * 6.06 / 6.0 * 6.03 / 6.0)));
    CHECK(better_on_average(sometimes, one, ends));
    CHECK_FALSE(better_on_average(one, sometimes, ends));
    // Slower by more than the median's tie, whatever one process dealt.
    CHECK_FALSE(better_on_average(in_processes({3.0, 6.2, 6.2}), one, ends));
    // Proven slower, by however little, is no tie.
    CHECK_FALSE(better_on_average(in_processes({5.96, 6.06, 6.06}), one, ends));
    // No better on average.
    CHECK_FALSE(better_on_average(one, one, ends));
    CHECK_FALSE(better_on_average(in_processes({5.85, 6.0, 6.0}), one, ends));
    // Of two processes nobody knows which is the rule.
    CHECK_FALSE(better_on_average(in_processes({4.9, 6.06}), in_processes({5.9, 6.0}), {{8, 16}}));
    // A disturbed round is not what a process gave.
    std::vector<Slot> disturbed = in_processes({5.9, 6.0, 6.0});
    for (const std::size_t i : {0, 1}) disturbed[i] = Slot{0.1, 1, true};
    CHECK(ratio_on_average(disturbed, one, ends) == Approx(1.0));
    CHECK(ratio_on_average({}, one, ends) == 1.0);
}

TEST_CASE("finals: as long as processes differ more than two finalists do, it is open which is faster") {
    const std::vector<std::size_t> ends{8, 16, 24};
    const auto open = [&](const std::vector<double>& variant, const std::vector<double>& other,
                          double by = 0.02) {
        std::vector<std::size_t> of;
        for (std::size_t p = 1; p <= variant.size(); ++p) of.push_back(8 * p);
        return may_be_faster(in_processes(variant), in_processes(other), of, by);
    };
    // A transpose, by its pages: which is right only many processes tell.
    const std::vector<double> small{0.66, 0.63, 0.71}, large{0.76, 0.74, 0.58};
    CHECK(open(small, large));
    CHECK(open(large, small));
    CHECK_FALSE(open({1.1, 0.58, 1.1, 1.1, 1.05, 1.1, 0.6, 1.1, 1.1, 1.1, 1.1, 1.05},
                     {0.65, 0.65, 0.65, 0.7, 0.95, 0.65, 0.65, 0.65, 0.7, 0.65, 0.65, 0.65}));
    // Two that are alike in all processes: nothing is to be had.
    CHECK_FALSE(open({1.0, 1.001, 0.999}, {1.0, 1.0, 1.0}));
    CHECK(open({0.9, 0.901, 0.899}, {1.0, 1.0, 1.0}));
    CHECK_FALSE(open({0.9, 0.901, 0.899}, {1.0, 1.0, 1.0}, 0.2));
    // Of two processes nothing can be said.
    CHECK_FALSE(open({0.5, 1.5}, {1.0, 1.0}));
    CHECK_FALSE(may_be_faster({}, {}, {}, 0.02));
}

TEST_CASE(
    "finals: who wins is asked in further processes while that is open and a search that ended left time") {
    const ToyProblem f;
    const Variant lucky = f.narrow(3);
    REQUIRE(lucky != f.truly_best());
    // Faster in three of the first five processes, slower in all others.
    const double even = f.honest(f.truly_best()) / f.honest(lucky);
    std::vector<double> dealt{0.85 * even, 1.1 * even, 0.85 * even, 0.85 * even, 1.1 * even};
    dealt.insert(dealt.end(), 30, 1.1 * even);
    const auto run = [&](double seconds, double finals) {
        toy::Evaluator evaluator = f.evaluator();
        deal(evaluator, lucky, dealt);
        SearchOptions options = unlimited();
        options.seconds = seconds;
        options.finals_seconds = finals;
        const SearchResult r = search(f.input(), evaluator, options, nullptr);
        REQUIRE(r.best);
        std::size_t first = 0;
        for (const RotationRequest& one : finals_of(evaluator)) {
            if (one.process == 0 && first > 0) break;
            ++first;
        }
        return std::pair(f.space.to_text(*r.best), first);
    };
    const auto [best, processes] = run(1000.0, 0.0);
    CHECK(best == f.space.to_text(f.truly_best()));
    CHECK(processes > 5);
    CHECK(processes <= 20);
    // Whoever limits the finals has them so.
    CHECK(run(1000.0, 1.0).second <= 5);
    CHECK(run(0.0, 0.0).second <= 5);
}

TEST_CASE("finals: of two that most processes deal the same, the one that others favour wins") {
    const ToyProblem f;
    toy::Evaluator evaluator = f.evaluator();
    const Variant other = f.narrow(3);
    // As long as the best of the space in most processes.
    const double even = f.honest(f.truly_best()) / f.honest(other);
    deal(evaluator, other, {0.8 * even, 0.8 * even, 1.005 * even, 1.005 * even, 1.005 * even});
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    REQUIRE(r.best);
    CHECK(f.space.to_text(*r.best) == f.space.to_text(other));
    REQUIRE(r.runner_up);
    CHECK(r.runner_up->winner == other);
    CHECK(r.runner_up->ratio.high >= 1.0);  // nor is the runner-up proven faster
}

TEST_CASE("finals: who is faster only while the others' second core is taken does not win") {
    const ToyProblem f;
    const Variant other = f.narrow(3);
    for (const bool quiet_rounds : {true, false}) {
        INFO("with undisturbed rounds: " << quiet_rounds);
        toy::Evaluator evaluator = f.evaluator();
        // Everybody else takes twice as long in three rounds of four, and each slot counts as disturbed, or
        // those three do.
        const double even = f.honest(f.truly_best()) / f.honest(other);
        evaluator.plant = [&](const Variant& v, Record& record) {
            if (record.role != "finals") return;
            for (std::size_t i = 0; i < record.slots.size(); ++i) {
                Slot& slot = record.slots[i];
                const bool slow = i % 4 != 0;
                slot.disturbed = slow || !quiet_rounds;
                if (v == other) {
                    slot.seconds *= 1.6 * even;
                } else if (slow) {
                    slot.seconds *= 2.0;
                }
            }
        };
        const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
        REQUIRE(finals_of(evaluator).size() >= 3);
        REQUIRE(r.best);
        CHECK(f.space.to_text(*r.best) == f.space.to_text(f.truly_best()));
        REQUIRE(r.runner_up);
        CHECK(r.runner_up->variant != other);
    }
}

TEST_CASE("finals: references that take several times as long are told by one process, and by a few turns") {
    const ToyProblem f;
    toy::Evaluator evaluator = f.evaluator();
    const SearchInput input = f.input();
    deal(evaluator, input.naive, {50.0, 50.0, 50.0, 50.0, 50.0});
    const SearchResult r = search(input, evaluator, unlimited(), nullptr);
    const std::vector<RotationRequest> finals = finals_of(evaluator);
    REQUIRE(finals.size() >= 3);
    for (const RotationRequest& one : finals) CHECK(one.turns_of_far_slower > 0);
    const auto has = [&](const RotationRequest& one) {
        return std::find(one.variants.begin(), one.variants.end(), input.naive) != one.variants.end();
    };
    CHECK(has(finals.front()));
    for (std::size_t p = 1; p < finals.size(); ++p) CHECK_FALSE(has(finals[p]));
    CHECK(r.naive_ratio.median > 20.0);
    CHECK(r.default_ratio.slots == static_cast<int>(r.best_record.slots.size()));
}

TEST_CASE(
    "finals: a reference of three slots has a ratio, and is neither winner nor runner-up nor in the way") {
    const ToyProblem f;
    const SearchInput input = f.input();
    toy::Evaluator evaluator(f.space,
                             [&](const Variant& v) { return (v == input.naive ? 50.0 : 1.0) * f.honest(v); });
    std::size_t turns = 0;
    evaluator.plant = [&](const Variant& v, Record& record) {
        if (record.role == "finals" && v == input.naive) turns = record.slots.size();
    };
    SearchOptions options = unlimited();
    options.audit = 0;  // which draws from the raced out
    const SearchResult r = search(input, evaluator, options, nullptr);
    REQUIRE(r.best);
    CHECK(f.space.to_text(*r.best) == f.space.to_text(f.truly_best()));
    CHECK(turns == 3);
    CHECK(r.naive_ratio.slots == 3);
    CHECK(r.naive_ratio.median ==
          Approx(50.0 * f.honest(input.naive) / f.honest(f.truly_best())).epsilon(0.02));
    CHECK(r.naive_seconds.median == Approx(50.0 * f.honest(input.naive)).epsilon(0.02));
    // The others stay for all rounds, and what the ledger knew of it is not overwritten by so few.
    CHECK(r.default_ratio.slots == static_cast<int>(r.best_record.slots.size()));
    REQUIRE(r.runner_up);
    CHECK(r.runner_up->variant != input.naive);
    CHECK(record_of(r, input.naive)->role == "reference");
    check_certificate(f, r);
}

TEST_CASE("finals: the runner-up is one that was in all of the winner's processes") {
    const ToyProblem f;
    toy::Evaluator evaluator = f.evaluator();
    // Faster than all in the first process, and wrong about nothing but never measured again.
    evaluator.plant = [&](const Variant& v, Record& record) {
        if (record.role != "finals" || v != f.narrow(5)) return;
        if (evaluator.rotations.back().process == 0) {
            for (Slot& slot : record.slots) slot.seconds *= 0.9;
        } else {
            record.outcome = Outcome::environment;
            record.slots.clear();
        }
    };
    const SearchResult r = search(f.input(), evaluator, unlimited(), nullptr);
    REQUIRE(r.best);
    CHECK(f.space.to_text(*r.best) == f.space.to_text(f.truly_best()));
    REQUIRE(r.runner_up);
    CHECK(f.space.to_text(r.runner_up->variant) != f.space.to_text(f.narrow(5)));
    CHECK(r.runner_up->ratio.slots == static_cast<int>(r.best_record.slots.size()));
}
