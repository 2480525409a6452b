// The toy problem with honest times, and an independent count of what a certificate may claim about it.
#pragma once

#include <algorithm>
#include <limits>
#include <set>

#include "tests/support/catch.h"
#include "tests/support/toy.h"
#include "tuner/search/search.h"

namespace rooftune::test {

struct ToyProblem {
    explicit ToyProblem(int unrolls = 10) : space(toy::space(unrolls)) {}
    ToyProblem(const ToyProblem&) = delete;  // the model points to the space
    ToyProblem& operator=(const ToyProblem&) = delete;

    Space space;
    toy::Model model{space};
    Machine machine = toy::machine();

    /// T_lower, seconds.
    double lower(const Variant& v) const {
        const Roofs roofs(machine);
        return BoundModel(roofs).seconds(model.work(v), model.traits(v)).value;
    }
    /// Times above the bound: narrow on two threads with unroll 4 is best.
    double honest(const Variant& v) const {
        const double unroll = static_cast<double>(space.number(v, 3, 0));
        return lower(v) * (1.1 + 0.05 * std::abs(unroll - 4.0));
    }
    SearchInput input() const {
        SearchInput input;
        input.space = &space;
        input.model = &model;
        input.machine = machine;
        input.naive = toy::variant(space, {{"format", "wide"}, {"threads", "2"}, {"unroll", "0"}});
        input.fallback = toy::variant(space, {{"format", "narrow"}, {"threads", "2"}, {"unroll", "1"}});
        return input;
    }
    Variant truly_best() const { return narrow(4); }
    Variant narrow(int unroll) const {
        return toy::variant(space,
                            {{"format", "narrow"}, {"threads", "2"}, {"unroll", std::to_string(unroll)}});
    }
    toy::Evaluator evaluator() const {
        return toy::Evaluator(space, [this](const Variant& v) { return honest(v); });
    }
};

/// No limit but the space; an audit of 20.
inline SearchOptions unlimited() {
    SearchOptions options;
    options.seconds = 0.0;
    options.patience = 1000;
    options.audit = 20;
    return options;
}

inline std::uint64_t sum(const CertificateReport& c) {
    return c.excluded + c.set_aside + c.measured + c.raced_out + c.failed + c.unmeasured;
}

/// The record that the certificate counts for a variant; nullptr when it was not evaluated.
inline const Record* record_of(const SearchResult& r, const Variant& variant) {
    for (const Observation& o : r.observations) {
        if (o.variant == variant) return &o.record;
    }
    return nullptr;
}

/// Counts every variant again from the observations and the bounds of the toy, and works the gap out from
/// them. Only for runs in which no ceiling rose and no term was demoted.
inline void check_certificate(const ToyProblem& toy, const SearchResult& r) {
    const CertificateReport& c = r.certificate;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    REQUIRE(r.demoted.empty());
    CHECK(c.space == toy.space.count(PartialVariant{}));
    CHECK(sum(c) == c.space);
    const double high = r.best ? r.seconds.high : kInfinity;
    std::uint64_t excluded = 0, open = 0, measured = 0, raced = 0, failed = 0, environment = 0;
    double lowest = kInfinity;
    toy.space.each(PartialVariant{}, [&](const Variant& v) {
        const double least = (1.0 - c.margin) * toy.lower(v);
        const Record* record = record_of(r, v);
        if (!record) {
            ++(least >= high ? excluded : open);
            if (least < high) lowest = std::min(lowest, least);
            return true;
        }
        environment += record->outcome == Outcome::environment ? 1 : 0;
        if (record->outcome == Outcome::environment || record->outcome == Outcome::raced_out)
            lowest = std::min(lowest, least);
        measured += record->outcome == Outcome::measured ? 1 : 0;
        raced += record->outcome == Outcome::raced_out ? 1 : 0;
        failed += is_failure(record->outcome) ? 1 : 0;
        for (const Slot& slot : record->slots) {
            CHECK(std::isfinite(slot.seconds));
            CHECK(slot.seconds > 0.0);
        }
        return true;
    });
    CHECK(c.excluded == excluded);
    CHECK(c.set_aside + c.unmeasured == open);
    CHECK(c.measured == measured);
    CHECK(c.raced_out == raced);
    CHECK(c.failed == failed);
    CHECK(c.failed_environment == environment);
    if (lowest == kInfinity) {
        CHECK(c.gap == 0.0);
    } else if (!r.best) {
        CHECK(c.gap == kInfinity);
    } else {
        CHECK(c.gap == Approx(std::max(0.0, r.seconds.median / lowest - 1.0)).margin(1e-12));
        CHECK(c.gap_low == Approx(std::max(0.0, r.seconds.low / lowest - 1.0)).margin(1e-12));
        CHECK(c.gap_high == Approx(std::max(0.0, high / lowest - 1.0)).margin(1e-12));
    }
    if (!r.best) return;
    const Record* winner = record_of(r, *r.best);
    REQUIRE(winner);
    CHECK(winner->outcome == Outcome::measured);
    CHECK(r.seconds.low > 0.0);
    CHECK(r.seconds.low <= r.seconds.median);
    CHECK(r.seconds.median <= r.seconds.high);
    CHECK(std::isfinite(r.seconds.high));
}

}  // namespace rooftune::test
