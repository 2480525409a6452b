// Where few evaluations fit, the estimate chooses: a tune of half a minute times a dozen variants of a matrix
// that is larger than the caches.
#include "tests/unit/search/toy_problem.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

constexpr int kUnrolls = 120;

// Of the toy, but the traffic that is expected depends on `unroll`, and no two are alike.
class Telling final : public WorkModel {
public:
    explicit Telling(const Space& space) : space_(&space), toy_(space) {}
    Work work(const PartialVariant& v) const override { return toy_.work(v); }
    Traits traits(const PartialVariant& v) const override { return toy_.traits(v); }
    void likely_traffic(const Variant& v, std::span<const Bytes>, std::span<Bytes> bytes) const override {
        for (Bytes& b : bytes) b = Bytes(b.value * expected(v));
    }
    double expected(const Variant& v) const {
        const auto unroll = static_cast<int>(space_->number(v, 3, 0));
        return unroll == kBest ? 1.0 : 1.2 + 0.01 * ((unroll * 37) % 101);
    }
    static constexpr int kBest = 97;

private:
    const Space* space_;
    toy::Model toy_;
};

// Roles and variants in the order in which they were asked for, with times as the estimate expects them.
std::vector<std::string> asked(const SearchOptions& options, double prepare_seconds) {
    const ToyProblem toy(kUnrolls);
    const Telling model(toy.space);
    toy::Evaluator evaluator(toy.space,
                             [&](const Variant& v) { return 1.1 * toy.lower(v) * model.expected(v); });
    evaluator.prepare_seconds = prepare_seconds;
    SearchInput input = toy.input();
    input.model = &model;
    const SearchResult r = search(input, evaluator, options, nullptr);
    REQUIRE(r.best);
    return evaluator.order;
}

}  // namespace

TEST_CASE("where few evaluations fit, the best estimate of all is measured first") {
    const ToyProblem toy(kUnrolls);
    const std::string best = "search " + toy.space.to_text(toy.narrow(Telling::kBest));
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SearchOptions options = unlimited();
        options.seed = seed;
        // By number, and by the time that the first ones took: 20 s, of which a search has half, in steps of
        // a second.
        SearchOptions timed = options;
        options.evaluations = 12;
        timed.seconds = 20.0;
        for (const auto& order : {asked(options, 0.0), asked(timed, 1.0)}) {
            CAPTURE(seed, order);
            REQUIRE(order.size() > 3);
            // Two references, then a value that was never tried has every fourth turn.
            CHECK(std::find(order.begin(), order.begin() + 4, best) != order.begin() + 4);
        }
    }
}
