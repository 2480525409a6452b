#include "tuner/cluster/class_roofs.h"

#include "tests/support/toy.h"

#include "tests/support/catch.h"

using namespace rooftune;

namespace {

Machine scaled(double factor) {
    Machine m = toy::machine();
    for (Ceiling& c : m.ceilings) c.max *= factor;
    return m;
}

}  // namespace

TEST_CASE("roofs of a class: the highest of each, whoever comes first, and nothing twice") {
    Machine a = toy::machine(), b = toy::machine();
    a.ceilings[0].max *= 2.0;
    b.ceilings[1].max *= 3.0;
    b.ceilings.pop_back();
    Machine ab = a, ba = b;
    CHECK(take_higher(ab, b));
    CHECK(take_higher(ba, a));
    for (const Ceiling& c : ab.ceilings) {
        const auto same = std::find_if(ba.ceilings.begin(), ba.ceilings.end(), [&](const Ceiling& o) {
            return o.resource == c.resource && o.when == c.when;
        });
        REQUIRE(same != ba.ceilings.end());
        CHECK(same->max == c.max);
    }
    CHECK(ab.ceilings[0].max == a.ceilings[0].max);
    CHECK(ab.ceilings[1].max == b.ceilings[1].max);
    const Machine before = ab;
    CHECK_FALSE(take_higher(ab, b));
    CHECK(ab == before);
}

TEST_CASE("what rose is what the other lacks, and makes it the same") {
    Machine before = toy::machine(), after = toy::machine();
    after.ceilings[2].max *= 1.5;
    before.ceilings.pop_back();
    const Machine rose = risen(before, after);
    CHECK(rose.ceilings.size() == 2);
    CHECK(take_higher(before, rose));
    CHECK(risen(before, after).ceilings.empty());
}

TEST_CASE("a node stays behind where it is further below than it may be") {
    const Machine best = toy::machine();
    CHECK(shortcomings(scaled(0.81), best, 0.2).empty());
    CHECK_FALSE(shortcomings(scaled(0.79), best, 0.2).empty());
    CHECK(shortcomings(scaled(0.79), best, 0.3).empty());
    Machine odd = best;
    odd.ceilings[3].max *= 0.5;
    odd.ceilings[1].max *= 0.7;
    const std::vector<Shortcoming> found = shortcomings(odd, best, 0.2);
    REQUIRE(found.size() == 2);
    CHECK(found[0].share() == Approx(0.5));
    CHECK(shortcoming_text(found[0]).find("50 %") != std::string::npos);
}

TEST_CASE("what others took of a node's probes is a share of the windows that were counted") {
    CHECK(taken_away({}) == 0.0);
    Ceiling all, none, not_counted;
    all.windows = none.windows = not_counted.windows = 30;
    all.undisturbed = 30;
    none.undisturbed = 0;
    CHECK(taken_away({not_counted}) == 0.0);
    CHECK(taken_away({all, not_counted}) == 0.0);
    CHECK(taken_away({all, none, not_counted}) == 0.5);
    none.windows = 90;
    CHECK(taken_away({all, none}) == 0.75);
    // What could not be probed again says nothing, whatever it said before.
    Ceiling left = all;
    left.windows = 0;
    left.undisturbed = 20;
    CHECK(taken_away({none, left}) == 1.0);
    CHECK(taken_away({left}) == 0.0);
    // One thread sees nothing of who has the others' processors.
    none.when.threads = 2;
    CHECK(taken_away({all, none}) == 1.0);
}

TEST_CASE("a node is compared by arithmetic and by its largest walks alone") {
    Machine small = toy::machine();
    for (Ceiling& c : small.ceilings) {
        if (c.resource == Resource::bandwidth && c.when.footprint.value < 1e8) c.max *= 0.1;
    }
    CHECK(shortcomings(small, toy::machine(), 0.2).empty());
}
