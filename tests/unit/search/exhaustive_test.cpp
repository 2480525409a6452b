// The truth that everything else is judged by, on a machine whose speed changes while it is measured.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <set>

#include "tests/unit/search/toy_problem.h"
#include "tuner/search/search.h"

using namespace rooftune;

namespace {

// Times are 1.5 times as long in every other fifth of a second.
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
        if (request.role == "exhaustive") notes.push_back(request.note);
        for (int s = 0; s < request.slots; ++s) {
            record.slots.push_back({now_at(v), 1, false});
            if (request.incumbent_high > 0.0 && record.slots.back().seconds > 1.25 * request.incumbent_high) {
                record.outcome = Outcome::raced_out;
                return record;
            }
        }
        record.outcome = request.slots >= 8 ? Outcome::measured : Outcome::raced_out;
        ++asked[v];
        return record;
    }
    std::vector<Record> rotate(const std::vector<Variant>& variants, int rounds, double,
                               const std::string& role) override {
        if (role == "settle") settled = variants;
        std::vector<Record> records(variants.size());
        for (int r = 0; r < rounds; ++r) {
            for (std::size_t i = 0; i < variants.size(); ++i)
                records[i].slots.push_back({now_at(variants[i]), 1, false});
        }
        for (Record& record : records) {
            record.role = role;
            record.outcome = Outcome::measured;
        }
        return records;
    }
    std::vector<Ceiling> reprobe(const std::vector<Ceiling>&, double) override { return {}; }
    double now() override { return clock_; }
    bool interrupted() override { return false; }

    std::map<Variant, int> asked;
    std::set<std::string> roles;
    std::vector<std::string> notes;  // of requests for the role exhaustive
    std::vector<Variant> settled;

private:
    double now_at(const Variant& v) {
        clock_ += 0.0021;
        return truth(v) * (static_cast<int>(clock_ / 0.2) % 2 == 1 ? 1.5 : 1.0);
    }
    const Space* space_;
    double clock_ = 0.0;
};

SearchResult measure_everything(const test::ToyProblem& toy, Evaluator& evaluator) {
    SearchOptions options;
    options.exhaustive = true;
    options.seconds = 0.0;
    options.reprobe = false;
    return search(toy.input(), evaluator, options, nullptr);
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
    CHECK(slow > 20);
}
