// Work within a core that is counted too high, of each kind of instruction that has a rate of its own: the
// audit finds it, the alarm demotes its term, and the best variant is found all the same.
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "tests/unit/search/planted_model.h"
#include "tests/unit/search/toy_problem.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

/// The toy's model, with something added to the work of padded variants.
class Overcounted final : public WorkModel {
public:
    Overcounted(const toy::Model& model, std::function<void(Work&, Traits&)> plant)
        : model_(&model), plant_(std::move(plant)) {}
    Work work(const PartialVariant& v) const override {
        Work w = model_->work(v);
        Traits t;
        if (is_padded(v)) plant_(w, t);
        return w;
    }
    Traits traits(const PartialVariant& v) const override {
        Traits t = model_->traits(v);
        Work w;
        if (is_padded(v)) plant_(w, t);
        return t;
    }

private:
    const toy::Model* model_;
    std::function<void(Work&, Traits&)> plant_;
};

Ceiling rate(Resource resource, Mix mix, int width_bits, double max, int threads = 1) {
    Conditions when;
    when.mix = mix;
    when.width_bits = width_bits;
    when.threads = threads;
    if (resource == Resource::compute && mix == Mix::mul) when.chains = 1;
    return toy::ceiling(resource, when, max);
}

struct Fault {
    TermKind kind;
    std::function<void(Work&, Traits&)> plant;
};

// Each makes padded variants 20 ms long at least; they take less than 1 ms.
std::vector<Fault> faults() {
    return {
        {TermKind::compute, [](Work& w, Traits&) { w.total.added = Operations(2e-2 * 8e9); }},
        {TermKind::compute_thread, [](Work& w, Traits&) { w.heaviest.added = Operations(2e-2 * 4e9); }},
        {TermKind::loads,
         [](Work& w, Traits& t) {
             w.heaviest.loads = w.heaviest.wide_loads = Operations(2e-2 * 2e9);
             t.load_bits = 512;
         }},
        {TermKind::loads,
         [](Work& w, Traits& t) {
             w.heaviest.split_loads = Operations(2e-2 * 1e9);
             t.load_bits = 512;
         }},
        {TermKind::loads, [](Work& w, Traits&) { w.heaviest.gathered = Operations(2e-2 * 1e9); }},
        {TermKind::chain,
         [](Work& w, Traits&) {
             w.chain_steps = Operations(1e4);
             w.chain_repeats = 2e3;
             w.chain_instructions = Operations(4e4);
         }},
    };
}

}  // namespace

TEST_CASE("planted: a kind of instruction that is counted too high is found out, and its term demoted") {
    ToyProblem f;
    f.machine.ceilings.push_back(rate(Resource::compute, Mix::add, 512, 4e9, 1));
    f.machine.ceilings.push_back(rate(Resource::compute, Mix::add, 512, 8e9, 2));
    f.machine.ceilings.push_back(rate(Resource::issue, Mix::loads, 0, 4e9));
    f.machine.ceilings.push_back(rate(Resource::issue, Mix::loads, 512, 2e9));
    f.machine.ceilings.push_back(rate(Resource::issue, Mix::split_loads, 512, 1e9));
    f.machine.ceilings.push_back(rate(Resource::issue, Mix::gathers, 0, 1e9));
    f.machine.ceilings.push_back(rate(Resource::compute, Mix::mul, 512, 8e9));
    f.machine.ceilings.push_back(rate(Resource::window, Mix::none, 0, 500.0));
    const auto truth = [&](const Variant& v) {
        if (!is_padded(v)) return f.honest(v);
        const double unroll = static_cast<double>(f.space.number(v, 3, 0));
        return f.honest(f.truly_best()) * (0.96 + 0.01 * std::abs(unroll - 6.0));
    };
    for (const Fault& fault : faults()) {
        const Overcounted lie(f.model, fault.plant);
        const Roofs roofs(f.machine);
        const Variant padded =
            toy::variant(f.space, {{"format", "padded"}, {"pad", "1"}, {"threads", "2"}, {"unroll", "6"}});
        INFO(to_text(fault.kind));
        REQUIRE(BoundModel(roofs).binding(lie.work(padded), lie.traits(padded)) == fault.kind);
        REQUIRE(BoundModel(roofs).seconds(lie.work(padded), lie.traits(padded)).value > 1e-2);
        toy::Evaluator evaluator(f.space, truth);
        SearchInput input = f.input();
        input.model = &lie;
        const SearchResult r = search(input, evaluator, unlimited(), nullptr);
        CHECK(r.certificate.violations > 0);
        CHECK(r.demoted.contains(fault.kind));
        REQUIRE(r.best);
        CHECK(is_padded(*r.best));
        // Counted as it is, nothing is beaten.
        toy::Evaluator honest = f.evaluator();
        const SearchResult sound = search(f.input(), honest, unlimited(), nullptr);
        CHECK(sound.certificate.violations == 0);
        CHECK(sound.demoted.empty());
    }
}

TEST_CASE("planted: a window that was probed too small is probed again, and no term is demoted for it") {
    ToyProblem f;
    f.machine.ceilings.push_back(rate(Resource::compute, Mix::mul, 512, 8e9));
    f.machine.ceilings.push_back(rate(Resource::window, Mix::none, 0, 500.0));
    const Overcounted work(f.model, [](Work& w, Traits&) {
        w.chain_steps = Operations(1e4);
        w.chain_repeats = 2e3;
        w.chain_instructions = Operations(4e4);
    });
    struct Evaluator : toy::Evaluator {
        using toy::Evaluator::Evaluator;
        std::vector<Ceiling> reprobe(const std::vector<Ceiling>& ceilings, double seconds) override {
            std::vector<Ceiling> fresh = toy::Evaluator::reprobe(ceilings, seconds);
            for (Ceiling& c : fresh) {
                if (c.resource == Resource::window) c.max = c.p95 = c.median = 4e4;
            }
            return fresh;
        }
    };
    Evaluator evaluator(f.space, [&](const Variant& v) { return f.honest(v); });
    SearchInput input = f.input();
    input.model = &work;
    const SearchResult r = search(input, evaluator, unlimited(), nullptr);
    CHECK(r.certificate.violations > 0);
    CHECK(r.demoted.empty());
    REQUIRE(r.best);
    CHECK(*r.best == f.truly_best());
    CHECK(std::any_of(r.trace.begin(), r.trace.end(), [](const std::string& line) {
        return line.find("the ceiling 'window, 1 thread' rose") != std::string::npos;
    }));
}
