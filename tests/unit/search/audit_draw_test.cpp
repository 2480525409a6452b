// Whom the audit draws, and what may be said of a class by those.
#include <algorithm>
#include <numeric>
#include <set>

#include "tests/support/catch.h"
#include "tests/unit/search/toy_problem.h"
#include "tuner/measure/statistics.h"
#include "tuner/search/audit_sample.h"

using namespace rooftune;

namespace {

struct Classes {
    Space space{"audit", 1};
    RuledOutClass excluded, aside;
};

/// Two classes of one space, of 10 000 variants or fewer; a variant's number tells how far from the threshold
/// it is.
Classes classes_of(std::int64_t excluded, std::int64_t aside) {
    Classes c;
    std::vector<std::int64_t> hundred(100);
    std::iota(hundred.begin(), hundred.end(), 0);
    c.space.add(Parameter("high", "", numbers(hundred)));
    c.space.add(Parameter("low", "", numbers(hundred)));
    for (std::int64_t i = 0; i < excluded + aside; ++i) {
        Variant v;
        v.fix(0, static_cast<std::int8_t>(i / 100));
        v.fix(1, static_cast<std::int8_t>(i % 100));
        RuledOutClass& its = i < excluded ? c.excluded : c.aside;
        its.listed.push_back({v, 1e-3 * (1.0 + static_cast<double>(its.listed.size()))});
    }
    return c;
}

bool nobody(const Variant&) {
    return false;
}

std::vector<AuditDraw> drawn(const Classes& c, std::size_t count, std::uint64_t seed = 1) {
    std::mt19937_64 random(seed);
    return draw_audit(c.space, c.excluded, c.aside, count, nobody, random);
}

struct Counts {
    std::size_t excluded = 0, aside = 0, uniform = 0;
};

Counts counts(const std::vector<AuditDraw>& draws) {
    Counts n;
    std::set<Variant> different;
    for (const AuditDraw& draw : draws) {
        ++(draw.aside ? n.aside : n.excluded);
        n.uniform += draw.uniform ? 1 : 0;
        CHECK(different.insert(draw.variant).second);
    }
    return n;
}

}  // namespace

TEST_CASE(
    "audit: half of the draws are excluded ones and half were set aside, half of each drawn uniformly") {
    const Counts n = counts(drawn(classes_of(4000, 1000), 60));
    CHECK(n.excluded == 30);
    CHECK(n.aside == 30);
    CHECK(n.uniform == 30);
}

TEST_CASE("audit: what one class is short of the other gets, and a small class is drawn whole") {
    const Counts few = counts(drawn(classes_of(7, 1000), 60));
    CHECK(few.excluded == 7);
    CHECK(few.aside == 53);
    CHECK(few.uniform == 7 + 27);
    const Counts none = counts(drawn(classes_of(500, 0), 60));
    CHECK(none.excluded == 60);
    CHECK(none.uniform == 30);
    CHECK(counts(drawn(classes_of(3, 4), 60)).uniform == 7);
    CHECK(drawn(classes_of(0, 0), 60).empty());
    CHECK(drawn(classes_of(50, 50), 0).empty());
    CHECK(drawn(classes_of(50, 50), 1).size() == 1);
}

TEST_CASE("audit: the nearest are drawn beside those of chance, and among equally near ones chance decides") {
    Classes c = classes_of(2000, 1000);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const std::vector<AuditDraw> draws = drawn(c, 60, seed);
        for (const RuledOutClass* its : {&c.excluded, &c.aside}) {
            for (std::size_t i = 0; i < 15; ++i) {
                CHECK(std::any_of(draws.begin(), draws.end(),
                                  [&](const AuditDraw& d) { return d.variant == its->listed[i].variant; }));
            }
        }
    }
    for (RuledOut& one : c.excluded.listed) one.by = 1.0;
    std::set<Variant> ever;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        for (const AuditDraw& draw : drawn(c, 60, seed)) {
            if (!draw.aside && !draw.uniform) ever.insert(draw.variant);
        }
    }
    CHECK(ever.size() > 200);
}

TEST_CASE("audit: what lies beyond the list is drawn as likely, and nothing that was evaluated") {
    Classes c = classes_of(100, 0);
    PartialVariant rest;  // values 1 to 99 of the first parameter: 9 900 variants
    for (std::int8_t high = 1; high < 100; ++high) {
        PartialVariant below;
        below.fix(0, high);
        c.excluded.beyond.push_back(below);
        c.excluded.variants_beyond += 100;
    }
    std::mt19937_64 random(3);
    int listed = 0, all = 0;
    for (int i = 0; i < 40; ++i) {
        for (const AuditDraw& draw : draw_audit(
                 c.space, c.excluded, c.aside, 60, [](const Variant& v) { return v[0] == 5; }, random)) {
            CHECK(draw.variant[0] != 5);
            if (!draw.uniform) continue;
            ++all;
            listed += draw.variant[0] == 0 ? 1 : 0;
        }
    }
    CHECK(all > 1150);
    CHECK(listed < 30);  // one in a hundred of 1 200
}

namespace {

/// How often the limits were at least the truth, in a thousand audits of 60.
struct Coverage {
    int excluded = 0, aside = 0, both = 0, pooled = 0;
};

Coverage coverage() {
    // The nearest to the threshold are all right, of the others one in a hundred excluded ones and one in
    // seven set aside are wrong.
    const Classes c = classes_of(4000, 1000);
    constexpr double kExcluded = 0.01, kAside = 0.15;
    const auto is_wrong = [&](const AuditDraw& draw) {
        const int at = 100 * draw.variant[0] + draw.variant[1];
        return draw.aside ? (at - 4000) % 20 >= 17 && at - 4000 >= 15 : at % 100 == 99;
    };
    int wrong = 0;
    for (const RuledOut& one : c.aside.listed) wrong += is_wrong({one.variant, true, false}) ? 1 : 0;
    REQUIRE(wrong == 1000 * kAside);
    Coverage n;
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        AuditReport report;
        int near_and_uniform = 0, near_and_uniform_wrong = 0;
        for (const AuditDraw& draw : drawn(c, 60, seed)) {
            AuditedClass& its = draw.aside ? report.set_aside : report.excluded;
            its.drawn += draw.uniform ? 1 : 0;
            its.drawn_wrong += draw.uniform && is_wrong(draw) ? 1 : 0;
            near_and_uniform += draw.aside ? 1 : 0;
            near_and_uniform_wrong += draw.aside && is_wrong(draw) ? 1 : 0;
        }
        set_limits(report, 4000, 1000);
        n.excluded += report.excluded.upper_limit >= kExcluded ? 1 : 0;
        n.aside += report.set_aside.upper_limit >= kAside ? 1 : 0;
        n.both += report.upper_limit >= 0.8 * kExcluded + 0.2 * kAside ? 1 : 0;
        n.pooled += upper_limit(near_and_uniform_wrong, near_and_uniform) >= kAside ? 1 : 0;
    }
    return n;
}

}  // namespace

TEST_CASE("audit: limits hold as often as they say, and would not if the nearest counted as draws") {
    const Coverage n = coverage();
    CHECK(n.excluded >= 950);
    CHECK(n.aside >= 950);
    CHECK(n.both >= 950);
    CHECK(n.pooled < 900);
}

TEST_CASE(
    "audit: the limit of a class that was drawn whole is its share, and there is none of an empty one") {
    AuditReport report;
    report.excluded.drawn = 7;
    report.excluded.drawn_wrong = 1;
    set_limits(report, 7, 0);
    CHECK(report.excluded.upper_limit == Approx(1.0 / 7.0));
    CHECK(report.set_aside.upper_limit == 0.0);
    CHECK(report.upper_limit == Approx(1.0 / 7.0));
    // Beside it the other has the whole risk.
    report.set_aside.drawn = 30;
    set_limits(report, 7, 93);
    CHECK(report.set_aside.upper_limit == Approx(upper_limit(0, 30)));
    CHECK(report.upper_limit == Approx(0.07 / 7.0 + 0.93 * upper_limit(0, 30)));
    set_limits(report, 1000, 1000);
    CHECK(report.upper_limit == Approx(0.5 * upper_limit(1, 7, 0.975) + 0.5 * upper_limit(0, 30, 0.975)));
    AuditReport nothing;
    set_limits(nothing, 10, 10);
    CHECK(nothing.upper_limit == 1.0);
    set_limits(nothing, 0, 0);
    CHECK(nothing.upper_limit == 0.0);
}
