// The truth that everything else is judged by, on a machine whose speed changes while it is measured.
#include <cmath>
#include <cstdio>
#include <numeric>
#include <set>

#include "tests/support/catch.h"
#include "tests/unit/search/toy_problem.h"
#include "tuner/search/search.h"

using namespace rooftune;

namespace {

// Times are 1.5 times as long in every third fifth of a second, which no rotation here is in step with.
class Unsteady final : public Evaluator {
public:
    explicit Unsteady(const Space& space) : space_(&space) {}
    double truth(const Variant& v) const {
        return 1e-3 * (1.0 + 0.05 * std::abs(static_cast<double>(space_->number(v, 3, 0)) - 6.0) +
                       (v[0] == 1 ? 0.0 : 0.1) + (v[2] == 1 ? 0.0 : 0.8));
    }
    Record evaluate(const Variant& v, const EvaluationRequest& request) override {
        Record record;
        record.role = request.role;
        record.detail = request.note;
        roles.insert(request.role);
        const auto at = luck.find(v);
        const double lucky = request.role == "exhaustive" && at != luck.end() ? at->second : 1.0;
        if (request.role == "exhaustive") notes.push_back(request.note);
        for (int s = 0; s < request.slots; ++s) {
            record.slots.push_back({lucky * now_at(v), 1, false});
            if (request.incumbent_high > 0.0 && record.slots.back().seconds > 1.25 * request.incumbent_high) {
                record.outcome = Outcome::raced_out;
                return record;
            }
        }
        record.outcome = request.slots >= 8 ? Outcome::measured : Outcome::raced_out;
        ++asked[v];
        return record;
    }
    Rotation rotation(const RotationRequest& request) override {
        const std::vector<Variant>& variants = request.variants;
        const std::string& role = request.role;
        if (role == "settle") settled = variants;
        if (role == "heat") batches.push_back(variants);
        std::vector<Record> records(variants.size());
        for (int r = 0; r < request.rounds; ++r) {
            for (std::size_t i = 0; i < variants.size(); ++i)
                records[i].slots.push_back({now_at(variants[i]), 1, false});
        }
        for (Record& record : records) {
            record.role = role;
            record.outcome = Outcome::measured;
        }
        return {records, {}};
    }
    std::vector<Ceiling> reprobe(const std::vector<Ceiling>&, double) override { return {}; }
    double now() override { return clock_; }
    bool interrupted() override { return false; }

    std::map<Variant, int> asked;
    std::set<std::string> roles;
    std::vector<std::string> notes;  // of requests for the role exhaustive
    std::vector<Variant> settled;
    std::vector<std::vector<Variant>> batches;
    double spell = 1.5;
    std::map<Variant, double> luck;  // factors of what the role exhaustive sees

private:
    double now_at(const Variant& v) {
        clock_ += 0.0023;
        return truth(v) * (static_cast<int>(clock_ / 0.2) % 3 == 1 ? spell : 1.0);
    }
    const Space* space_;
    double clock_ = 0.0;
};

SearchResult measure_everything(const SearchInput& input, Evaluator& evaluator) {
    SearchOptions options;
    options.exhaustive = true;
    options.seconds = 0.0;
    options.reprobe = false;
    return search(input, evaluator, options, nullptr);
}

SearchResult measure_everything(const test::ToyProblem& toy, Evaluator& evaluator) {
    return measure_everything(toy.input(), evaluator);
}

}  // namespace

TEST_CASE("measuring everything finds the best of an unsteady machine, by the pace of the moment") {
    const test::ToyProblem toy;
    Unsteady evaluator(toy.space);
    const SearchResult r = measure_everything(toy, evaluator);
    REQUIRE(r.best);
    CHECK(toy.space.to_text(*r.best) == "format=narrow,threads=2,unroll=6");
    CHECK(r.certificate.stopped_by == "exhausted");
    CHECK(r.certificate.measured + r.certificate.raced_out == 96);
    CHECK(r.certificate.excluded == 0);
    CHECK(evaluator.roles == std::set<std::string>{"exhaustive", "pace", "reference"});
    // The rotation holds the default, so that its pace is known.
    REQUIRE_FALSE(evaluator.settled.empty());
    CHECK(evaluator.settled.front() == toy.input().fallback);
}

TEST_CASE("each record of an exhaustive run notes the pace that it was measured at") {
    const test::ToyProblem toy;
    Unsteady evaluator(toy.space);
    measure_everything(toy, evaluator);
    REQUIRE(evaluator.notes.size() == 96);
    const double unit = evaluator.truth(toy.input().fallback);
    int fast = 0, slow = 0;
    for (const std::string& note : evaluator.notes) {
        double pace = 0.0;
        REQUIRE(std::sscanf(note.c_str(), "pace %lf s", &pace) == 1);
        const bool one_of_two = std::fabs(pace / unit - 1.0) < 1e-4 || std::fabs(pace / unit - 1.5) < 1e-4 ||
                                std::fabs(pace / unit - 1.25) < 1e-4;  // of two probes the mean
        CHECK(one_of_two);
        ++(pace < 1.25 * unit ? fast : slow);
    }
    // Spells of either kind are noticed.
    CHECK(fast > 20);
    CHECK(slow > 10);
}

TEST_CASE("measuring everything: luck in single slots decides nothing, batches and a rotation do") {
    const test::ToyProblem toy(60);
    Unsteady evaluator(toy.space);
    // The best looked slower than all others, and many that are far slower looked faster than it is.
    evaluator.luck[toy.narrow(6)] = 6.0;
    for (int unroll = 20; unroll < 36; ++unroll) evaluator.luck[toy.narrow(unroll)] = 0.5;
    const SearchResult r = measure_everything(toy, evaluator);
    REQUIRE(r.best);
    CHECK(toy.space.to_text(*r.best) == "format=narrow,threads=2,unroll=6");
    const std::uint64_t all = toy.space.count(PartialVariant{});
    CHECK(r.certificate.measured + r.certificate.raced_out == all);
    // Every variant but the default ran in one batch; the default, whose pace they share, in each.
    std::set<Variant> ran;
    REQUIRE_FALSE(evaluator.batches.empty());
    for (const std::vector<Variant>& batch : evaluator.batches) {
        CHECK(batch.front() == toy.input().fallback);
        for (std::size_t i = 1; i < batch.size(); ++i) CHECK(ran.insert(batch[i]).second);
    }
    CHECK(ran.size() == all - 1);
    CHECK(evaluator.settled.size() == 193);
    CHECK(std::set<Variant>(evaluator.settled.begin(), evaluator.settled.end()).size() == 193);
}

TEST_CASE("measuring everything: what one disturbed slot hid is looked at again") {
    test::ToyProblem toy(60);
    std::vector<std::int64_t> copies(20);
    std::iota(copies.begin(), copies.end(), 0);
    toy.space.add(Parameter("copy", "no effect", numbers(copies)));
    const auto variant = [&](const char* format, int unroll, int copy) {
        return toy::variant(toy.space, {{"format", format},
                                        {"threads", "2"},
                                        {"unroll", std::to_string(unroll)},
                                        {"copy", std::to_string(copy)}});
    };
    SearchInput input;
    input.space = &toy.space;
    input.model = &toy.model;
    input.machine = toy.machine;
    input.naive = variant("wide", 0, 0);
    input.fallback = variant("narrow", 1, 0);
    Unsteady evaluator(toy.space);
    evaluator.spell = 1.0;
    // All of the best took nearly twice as long in their only slot: more than come into the long batches did
    // better.
    for (const std::int64_t copy : copies) evaluator.luck[variant("narrow", 6, static_cast<int>(copy))] = 1.9;
    const SearchResult r = measure_everything(input, evaluator);
    REQUIRE(r.best);
    CHECK(toy.space.number(*r.best, 3, 0) == 6);
    CHECK(evaluator.settled.size() == 193);
}

TEST_CASE("an interrupted exhaustive run goes on: what it noted a pace for is not measured again") {
    const test::ToyProblem toy(60);
    Unsteady first(toy.space);
    const SearchResult before = measure_everything(toy, first);
    SearchInput input = toy.input();
    int without_pace = 0, failed = 0;
    for (const Observation& o : before.observations) {
        Record record = o.record;
        record.role = "exhaustive";
        record.detail = "pace 0.001 s";
        if (o.variant == toy.narrow(3)) {
            record.role = "finals";  // of another run: at no known pace
            record.detail.clear();
            ++without_pace;
        }
        if (o.variant == toy.narrow(50)) {
            record.outcome = Outcome::crashed;
            record.slots.clear();
            ++failed;
        }
        input.known[o.variant] = record;
    }
    REQUIRE(without_pace + failed == 2);
    Unsteady second(toy.space);
    const SearchResult after = measure_everything(input, second);
    CHECK(second.notes.size() == 1);
    REQUIRE(after.best);
    CHECK(*after.best == *before.best);
    CHECK(after.certificate.failed == 1);
    for (const Variant& v : second.settled) CHECK(v != toy.narrow(50));
}
