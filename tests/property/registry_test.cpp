// Bounds of every family of the registry, on every backend: nothing falls on the way from the root of a space
// to a variant. Random descents; one violation is a wrong certificate.
#include <algorithm>
#include <cmath>

#include "tests/support/catch.h"
#include "tests/support/descent.h"
#include "tests/support/family_targets.h"
#include "tests/support/full_machine.h"
#include "tests/support/places.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

// Of one example on one target. Sanitizers look at the code, which fewer descents go through as well.
#if defined(__SANITIZE_ADDRESS__)
constexpr int kDescents = 40;
#else
constexpr int kDescents = 300;
#endif
constexpr int kShown = 5;  // violations described for each of them

struct Field {
    std::string name;
    double value;
};

/// Fields that may only grow as parameters get fixed.
std::vector<Field> growing(const Work& w) {
    std::vector<Field> list;
    const auto in_core = [&](const std::string& of, const InCore& c) {
        list.push_back({of + ".ops", c.ops.value});
        list.push_back({of + ".fused", c.fused.value});
        list.push_back({of + ".added", c.added.value});
        list.push_back({of + ".instructions", c.instructions.value});
        list.push_back({of + ".loads", c.loads.value});
        list.push_back({of + ".fmas", c.fmas.value});
        list.push_back({of + ".wide_loads", c.wide_loads.value});
        list.push_back({of + ".split_loads", c.split_loads.value});
        list.push_back({of + ".gathered", c.gathered.value});
    };
    const auto traffic = [&](const std::string& of, const TrafficProfile& t) {
        list.push_back({of + ".reads", t.reads.value});
        list.push_back({of + ".writes", t.writes.value});
        list.push_back({of + ".passes", t.passes});
        list.push_back({of + ".products", t.products});
        for (const double w_bytes : {0.0, 4096.0, 65536.0, 1e6, 1e8}) {
            const std::string at = " beyond " + std::to_string(static_cast<long>(w_bytes)) + " bytes";
            list.push_back({of + " reads" + at, t.reads_beyond(Bytes(w_bytes)).value});
            list.push_back({of + " writes" + at, t.writes_beyond(Bytes(w_bytes)).value});
            list.push_back({of + " sum" + at, t.sum_beyond(Bytes(w_bytes)).value});
        }
    };
    in_core("total", w.total);
    in_core("heaviest", w.heaviest);
    traffic("traffic", w.traffic);
    traffic("heaviest_traffic", w.heaviest_traffic);
    list.push_back({"chain_steps", w.chain_steps.value});
    list.push_back({"chain_steps * chain_repeats", w.chain_steps.value * std::max(1.0, w.chain_repeats)});
    return list;
}

/// What is wrong with a child's work against its parent's; empty when nothing is.
std::string falls(const Work& parent, const Work& child) {
    const std::vector<Field> a = growing(parent);
    const std::vector<Field> b = growing(child);
    for (std::size_t i = 0; i < a.size(); ++i) {
        // Sums in another order may differ in the last digits.
        if (!(a[i].value <= b[i].value * (1.0 + 1e-12)))
            return a[i].name + " falls from " + std::to_string(a[i].value) + " to " +
                   std::to_string(b[i].value);
    }
    if (parent.chain_fused && !child.chain_fused) return "a chain is fused no more";
    if (parent.flops_nominal != child.flops_nominal) return "flops_nominal changes";
    if (parent.traffic.state != child.traffic.state ||
        parent.heaviest_traffic.state != child.heaviest_traffic.state)
        return "the state changes";
    return "";
}

std::string narrows(const Traits& parent, const Traits& child) {
    if (parent.dtype != child.dtype) return "dtype changes";
    if (parent.width_bits < child.width_bits) return "width_bits grows";
    if (parent.narrowest_bits > child.narrowest_bits) return "narrowest_bits falls";
    if (child.width_bits != kAnyWidth && child.narrowest_bits <= 0)
        return "the narrowest vectors are not said";
    if (child.narrowest_bits > child.width_bits) return "the narrowest are wider than the widest";
    if (parent.threads < child.threads) return "threads grows";
    if (parent.load_bits > child.load_bits) return "load_bits falls";
    return "";
}

/// What is wrong with the work itself; empty when nothing is.
std::string absurd(const Work& w, const Traits& t) {
    for (const Field& f : growing(w)) {
        if (!std::isfinite(f.value) || f.value < 0.0) return f.name + " is " + std::to_string(f.value);
    }
    if (w.traffic.passes < 1.0 || w.heaviest_traffic.passes < 1.0) return "less than one pass";
    const auto more = [](double part, double whole) { return part > whole * (1.0 + 1e-12); };
    if (more(w.heaviest.ops.value, w.total.ops.value)) return "one thread has more ops than all";
    for (const InCore* c : {&w.total, &w.heaviest}) {
        if (more((c->fused + c->added).value, c->ops.value))
            return "more operations are fused or additions than there are";
    }
    if (more(w.heaviest.instructions.value, w.total.instructions.value))
        return "one thread has more instructions than all";
    if (more(w.total.wide_loads.value, w.total.loads.value) ||
        more(w.heaviest.wide_loads.value, w.heaviest.loads.value))
        return "more loads are wide than there are";
    if (more(w.total.split_loads.value, w.total.wide_loads.value) ||
        more(w.heaviest.split_loads.value, w.heaviest.wide_loads.value))
        return "more wide loads are split than there are";
    if (t.threads < 1) return "no threads";
    return "";
}

/// Made-up machines with their bounds; their roofs take longer to build than a problem takes to descend.
class Bounds {
public:
    Bounds() {
        for (const Scarce& scarce : scarce_machines()) {
            machines_.push_back(std::make_unique<Machine>(full_machine(scarce, {1, 2, 3, 8, 132})));
            roofs_.push_back(std::make_unique<Roofs>(*machines_.back()));
            models.emplace_back(*roofs_.back());
        }
    }
    const std::string& name(std::size_t i) const { return machines_[i]->name; }

private:
    std::vector<std::unique_ptr<Machine>> machines_;
    std::vector<std::unique_ptr<Roofs>> roofs_;

public:
    std::vector<BoundModel> models{};
};

/// One example on one target, with a bound on each made-up machine.
class Place {
public:
    Place(const Family& family, const Problem& problem, const Target& target, State state,
          const Bounds& bounds)
        : space_(family.space(problem, target)),
          model_(family.work_model(problem, space_, target, state)),
          text_(std::string(family.name()) + " " + text_of(problem.spec()) + " on " + text_of(target) + ", " +
                std::string(to_text(state))),
          bounds_(bounds) {}

    /// Descends `times`; returns the steps taken.
    int descend_often(int times, unsigned seed) {
        std::mt19937 random(seed);
        int steps = 0;
        for (int i = 0; i < times; ++i) {
            std::vector<PartialVariant> path(1);
            REQUIRE(descend(space_, random, path));
            for (std::size_t level = 0; level < path.size(); ++level) {
                step(level > 0 ? &path[level - 1] : nullptr, path[level]);
                ++steps;
            }
            likely(path.back());
        }
        return steps;
    }
    int violations() const { return violations_; }

private:
    void wrong(const PartialVariant& at, const std::string& what) {
        if (what.empty()) return;
        if (++violations_ <= kShown) {
            FAIL_CHECK(
                text_ << ": at '" << space_.to_text(at) << "' (next "
                      << (space_.first_free(at) < 0
                              ? std::string("nothing")
                              : space_.parameters()[static_cast<std::size_t>(space_.first_free(at))].name)
                      << "): " << what);
        }
    }

    void step(const PartialVariant* parent, const PartialVariant& child) {
        const Work work = model_->work(child);
        const Traits traits = model_->traits(child);
        wrong(child, absurd(work, traits));
        std::vector<double> lower, replacement;
        for (const BoundModel& bound : bounds_.models) {
            const Bound b = bound.explain(work, traits);
            lower.push_back(bound.seconds(work, traits).value);
            replacement.push_back(bound.with_replacement(work, traits, space_.complete(child)).value);
            if (replacement.back() < lower.back()) wrong(child, "what replacement allows is below T_lower");
            if (b.seconds_lower.value != lower.back()) wrong(child, "explain() and seconds() differ");
            if (b.seconds_serial < b.seconds_lower || b.seconds_serial.value > 2.0 * lower.back())
                wrong(child, "T_serial is not between T_lower and twice that");
            const RankParts rank = bound.rank(work, traits);
            if (std::max(rank.in_core, rank.traffic) < b.seconds_lower)
                wrong(child, "the rank is below T_lower");
        }
        if (parent) {
            wrong(child, falls(last_work_, work));
            wrong(child, narrows(last_traits_, traits));
            for (std::size_t i = 0; i < lower.size(); ++i) {
                if (!(last_lower_[i] <= lower[i] * (1.0 + 1e-12)))
                    wrong(child, "T_lower falls on a machine with " + bounds_.name(i));
                if (!(last_replacement_[i] <= replacement[i] * (1.0 + 1e-12)))
                    wrong(child, "what replacement allows falls on a machine with " + bounds_.name(i));
            }
        }
        last_work_ = work;
        last_traits_ = traits;
        last_lower_ = std::move(lower);
        last_replacement_ = std::move(replacement);
    }

    /// An estimate below the least traffic would rank a variant below its bound.
    void likely(const Variant& variant) {
        const Work work = model_->work(variant);
        std::vector<Bytes> capacities, bytes;
        for (double w = 4096.0; w < 4e9; w *= 4.0) {
            capacities.emplace_back(w);
            bytes.push_back(work.traffic.sum_beyond(Bytes(w)));
        }
        const std::vector<Bytes> least = bytes;
        model_->likely_traffic(variant, capacities, bytes);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            if (!std::isfinite(bytes[i].value) || bytes[i].value < least[i].value * (1.0 - 1e-12))
                wrong(variant, "likely traffic beyond " + std::to_string(capacities[i].value) + " bytes is " +
                                   std::to_string(bytes[i].value) + ", less than the least, " +
                                   std::to_string(least[i].value));
        }
    }

    Space space_;
    std::unique_ptr<WorkModel> model_;
    std::string text_;
    const Bounds& bounds_;
    Work last_work_;
    Traits last_traits_;
    std::vector<double> last_lower_, last_replacement_;
    int violations_ = 0;
};

}  // namespace

TEST_CASE("every family: work, traits and bounds never fall from a partial variant to its completions") {
    const Registry registry = built_in_families();
    const Bounds bounds;
    int all = 0;
    for (const auto& family : registry.families()) {
        int steps = 0;
        for (const ProblemSpec& spec : family->examples()) {
            const auto problem = family->problem(spec);
            for (const Target& target : targets_of(*family, problem->dtype())) {
                for (const State state : {State::warm, State::cold}) {
                    Place place(*family, *problem, target, state, bounds);
                    steps += place.descend_often(kDescents, 11);
                    CHECK(place.violations() == 0);
                }
            }
        }
        INFO(family->name() << ": " << steps << " steps");
        CHECK(steps > 4 * kDescents);
        all += steps;
    }
    CHECK(all > 70 * kDescents);
}

TEST_CASE("a model that falls, narrows or is absurd would be seen") {
    Work parent;
    Work child;
    CHECK(falls(parent, child).empty());
    child.heaviest.loads = Operations(5);
    CHECK(falls(parent, child).empty());
    CHECK_FALSE(falls(child, parent).empty());
    child = parent;
    child.chain_repeats = 3.0;
    child.chain_steps = Operations(2);
    CHECK_FALSE(falls(child, parent).empty());

    // The product's term falls with more results and with more that is held, so both count the other way.
    child = parent;
    child.traffic.products = parent.traffic.products = 1e9;
    child.traffic.held = Bytes(1e4);
    parent.traffic.held = Bytes(1e3);
    CHECK_FALSE(falls(parent, child).empty());
    CHECK(falls(child, parent).empty());

    Traits wide{.width_bits = 512, .narrowest_bits = 64, .threads = 2};
    Traits narrow{.width_bits = 256, .narrowest_bits = 256, .threads = 2};
    CHECK(narrows(wide, narrow).empty());
    narrow.narrowest_bits = 0;
    CHECK_FALSE(narrows(wide, narrow).empty());
    narrow.narrowest_bits = 32;
    CHECK_FALSE(narrows(wide, narrow).empty());
    narrow.narrowest_bits = 256;
    CHECK_FALSE(narrows(narrow, wide).empty());
    narrow = wide;
    narrow.threads = 1;
    CHECK_FALSE(narrows(narrow, wide).empty());

    Work absurdity;
    absurdity.heaviest.ops = Operations(2);
    absurdity.total.ops = Operations(1);
    CHECK_FALSE(absurd(absurdity, wide).empty());
    absurdity = {};
    absurdity.traffic.reads = Bytes(std::nan(""));
    CHECK_FALSE(absurd(absurdity, wide).empty());
}
