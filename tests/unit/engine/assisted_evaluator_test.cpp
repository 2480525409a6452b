#include "tuner/engine/assisted_evaluator.h"

#include <algorithm>
#include <deque>
#include <functional>

#include "tests/unit/search/toy_problem.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

// Helpers whose machine is `slower` than this one, and who answer at once, never, or with nothing.
class Others final : public Helpers {
public:
    Others(const ToyProblem& f, int count, double slower) : f_(f), count_(count), slower_(slower) {}
    bool lost = false, silent = false;
    std::vector<Variant> asked{};
    std::function<void(Record&)> plant = [](Record&) {};
    int count() override { return count_; }
    void ask(std::uint64_t id, const Variant& variant, const EvaluationRequest& request) override {
        asked.push_back(variant);
        Answer answer{id, {}};
        if (!lost) {
            Record r;
            r.variant = f_.space.to_map(variant);
            r.outcome = Outcome::measured;
            r.slots.assign(8, {slower_ * f_.honest(variant), 1, false, false});
            r.companion.assign(8, {slower_ * f_.honest(*request.companion), 1, false, false});
            plant(r);
            answer.record = r;
        }
        if (!silent) answers_.push_back(answer);
    }
    std::optional<Answer> answer(double) override {
        if (answers_.empty()) return std::nullopt;
        const Answer first = answers_.front();
        answers_.pop_front();
        return first;
    }

private:
    const ToyProblem& f_;
    int count_;
    double slower_;
    std::deque<Answer> answers_;
};

SearchResult searched(const ToyProblem& f, toy::Evaluator& own, Others& others, int* taken = nullptr) {
    SearchInput input = f.input();
    input.look_ahead = 2 * others.count() + 1;
    AssistedEvaluator assisted(own, others);
    SearchResult result = search(input, assisted, unlimited(), nullptr);
    if (taken) *taken = assisted.taken();
    return result;
}

}  // namespace

TEST_CASE("helpers: the winner is the same, whatever the pace of their machines") {
    const ToyProblem f;
    for (const double slower : {1.0, 0.5, 3.0}) {
        toy::Evaluator own(f.space, [&](const Variant& v) { return f.honest(v); });
        Others others(f, 2, slower);
        int taken = 0;
        const SearchResult r = searched(f, own, others, &taken);
        REQUIRE(r.best);
        CHECK(*r.best == f.truly_best());
        // They did measure, and it was taken.
        CHECK(others.asked.size() > 5);
        CHECK(taken > 5);
        // A faster machine proves nothing about this one: no bound was beaten.
        CHECK(r.certificate.violations == 0);
    }
}

TEST_CASE("helpers: what one of them found slower is not measured again, whatever its machine's pace") {
    const ToyProblem f;
    toy::Evaluator own(f.space, [&](const Variant& v) { return f.honest(v); });
    Others others(f, 2, 1.5);
    others.plant = [](Record& r) {
        r.slots = r.companion;
        for (Slot& slot : r.slots) slot.seconds *= 1.03;
        for (std::size_t i = 0; i < 3; ++i) r.slots[i].seconds *= 0.85;
    };
    int taken = 0;
    static_cast<void>(searched(f, own, others, &taken));
    CHECK(taken > 5);
    const auto again = std::count_if(others.asked.begin(), others.asked.end(), [&](const Variant& v) {
        return std::count(own.order.begin(), own.order.end(), "search " + f.space.to_text(v)) > 0;
    });
    // But of those that are still under way when the best changes.
    CHECK(again < taken / 2);
}

TEST_CASE("helpers: those who are lost cost nothing but their help") {
    const ToyProblem f;
    toy::Evaluator own(f.space, [&](const Variant& v) { return f.honest(v); });
    Others others(f, 2, 1.0);
    others.lost = true;
    const SearchResult r = searched(f, own, others);
    CHECK(*r.best == f.truly_best());
}

TEST_CASE("helpers: whoever never answers holds nobody up for ever") {
    const ToyProblem f;
    toy::Evaluator own(f.space, [&](const Variant& v) { return f.honest(v); });
    Others others(f, 2, 1.0);
    others.silent = true;
    AssistedEvaluator assisted(own, others);
    EvaluationRequest request{.role = "search"};
    request.companion = f.narrow(1);
    request.next = {f.narrow(2), f.narrow(3)};
    CHECK(assisted.evaluate(f.narrow(1), request).outcome == Outcome::measured);
    CHECK(assisted.is_under_way(f.narrow(3)));
    // On a clock that only measuring moves nothing else can be waited for: looked at, and left.
    CHECK(assisted.measured_ahead().empty());
    // Asked for all the same, it is measured here.
    request.next.clear();
    CHECK(assisted.evaluate(f.narrow(3), request).outcome == Outcome::measured);
    CHECK(assisted.taken() == 0);
}

TEST_CASE("helpers: an answer is taken once, as one from elsewhere, and never of another question") {
    const ToyProblem f;
    toy::Evaluator own(f.space, [&](const Variant& v) { return f.honest(v); });
    Others others(f, 1, 2.0);
    AssistedEvaluator assisted(own, others);
    EvaluationRequest request{.role = "audit", .slots = 1};
    request.companion = f.narrow(1);
    request.next = {f.narrow(3), f.narrow(5), f.narrow(2)};
    static_cast<void>(assisted.evaluate(f.narrow(1), request));
    EvaluationRequest whole = request;
    whole.slots = 8;
    CHECK_FALSE(assisted.evaluate(f.narrow(2), whole).elsewhere);
    request.next.clear();
    CHECK(assisted.evaluate(f.narrow(2), request).elsewhere);
    CHECK(assisted.taken() == 1);
    CHECK_FALSE(assisted.evaluate(f.narrow(2), request).elsewhere);
}

TEST_CASE("helpers: what was measured beside another best is measured anew, and nothing without one") {
    const ToyProblem f;
    toy::Evaluator own(f.space, [&](const Variant& v) { return f.honest(v); });
    Others others(f, 1, 5.0);
    AssistedEvaluator assisted(own, others);
    EvaluationRequest request{.role = "audit"};
    request.companion = f.narrow(1);
    request.next = {f.narrow(3), f.narrow(5), f.narrow(2)};
    static_cast<void>(assisted.evaluate(f.narrow(1), request));
    REQUIRE(others.asked == std::vector<Variant>{f.narrow(2)});
    EvaluationRequest later{.role = "audit"};
    later.companion = f.narrow(4);
    CHECK(assisted.evaluate(f.narrow(2), later).slots.front().seconds < 2.0 * f.honest(f.narrow(2)));
    CHECK(assisted.taken() == 0);
    // A request without a companion has nothing to be a ratio to.
    request.companion.reset();
    request.next = {f.narrow(5)};
    static_cast<void>(assisted.evaluate(f.narrow(3), request));
    CHECK(others.asked.size() == 1);
}
