#include "models/space_count.h"

#include "tests/support/catch.h"
#include "tests/support/depends_on_check.h"
#include "tests/support/random_space.h"
#include "tests/support/toy.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

std::vector<Variant> all_of(const Space& space, const PartialVariant& prefix = {}) {
    std::vector<Variant> variants;
    space.each(prefix, [&](const Variant& v) {
        variants.push_back(v);
        return true;
    });
    return variants;
}

/// Every node of the tree.
void each_node(const Space& space, const PartialVariant& at,
               const std::function<void(const PartialVariant&)>& visit) {
    visit(at);
    std::vector<PartialVariant> below;
    space.children(at, below);
    for (const PartialVariant& child : below) each_node(space, child, visit);
}

bool agrees(const Variant& v, const PartialVariant& partial) {
    for (int p = 0; p < kMaxParameters; ++p) {
        if (!partial.free_at(p) && partial[p] != v[p]) return false;
    }
    return true;
}

/// 15 parameters of 10 values in five groups of three, each under "the first is at most the sum of the
/// others".
Space large_space() {
    Space space("large", 1);
    std::vector<std::int64_t> values;
    for (int v = 0; v < 10; ++v) values.push_back(v);
    for (int p = 0; p < 15; ++p) space.add(Parameter("p" + std::to_string(p), "", numbers(values)));
    for (int first = 0; first < 15; first += 3) {
        space.add(
            Constraint{"a <= b + c",
                       first + 2,
                       [first](const PartialVariant& v) { return v[first] <= v[first + 1] + v[first + 2]; },
                       {first, first + 1, first + 2}});
    }
    return space;
}

constexpr std::uint64_t kGroup = 1000 - 165;  // all less those with a > b + c: C(11, 3)
constexpr std::uint64_t kLarge = kGroup * kGroup * kGroup * kGroup * kGroup;

}  // namespace

TEST_CASE("counts, numbers and their inverse agree with enumeration on random spaces") {
    std::mt19937_64 random(3);
    int empty = 0;
    for (int i = 0; i < 60; ++i) {
        const Space space = random_space(random, 3 + i % 6);
        const SpaceCount count(space);
        const std::vector<Variant> variants = all_of(space);
        empty += variants.empty() ? 1 : 0;
        REQUIRE(count.count(PartialVariant{}) == variants.size());
        for (std::size_t k = 0; k < variants.size(); ++k) {
            REQUIRE(count.nth(PartialVariant{}, k) == variants[k]);
            REQUIRE(count.ordinal(variants[k]) == k);
        }
        CHECK_THROWS_AS(count.nth(PartialVariant{}, variants.size()), std::out_of_range);
        if (variants.size() > 2000) continue;
        each_node(space, {}, [&](const PartialVariant& at) {
            const std::vector<Variant> below = all_of(space, at);
            if (count.count(at) != below.size()) FAIL("below " << space.to_text(at));
            if (!below.empty() && count.nth(at, below.size() - 1) != below.back())
                FAIL("the last below " << space.to_text(at));
        });
    }
    CHECK(empty > 0);
    CHECK(empty < 30);
}

TEST_CASE("values decided ahead of the order restrict the count") {
    std::mt19937_64 random(5);
    for (int i = 0; i < 40; ++i) {
        const Space space = random_space(random, 6);
        const SpaceCount count(space);
        const std::vector<Variant> variants = all_of(space);
        for (int p = 0; p < space.size(); ++p) {
            for (int value = PartialVariant::kAbsent; value < 4; ++value) {
                if (value == PartialVariant::kFree) continue;
                PartialVariant partial;
                partial.fix(p, value);
                if (value >= static_cast<int>(space.parameters()[static_cast<std::size_t>(p)].values.size()))
                    continue;
                std::vector<Variant> some;
                for (const Variant& v : variants) {
                    if (agrees(v, partial)) some.push_back(v);
                }
                REQUIRE(count.count(PartialVariant{}, partial) == some.size());
                if (!variants.empty()) {
                    const Variant& v = variants[variants.size() / 2];
                    CHECK(count.count(v, partial) == (agrees(v, partial) ? 1 : 0));
                }
                // A decided first parameter is a prefix, and a prefix is taken to be right.
                if (p == 0) continue;
                REQUIRE(count.count(partial) == some.size());
                for (std::size_t k = 0; k < some.size(); ++k) REQUIRE(count.nth(partial, k) == some[k]);
            }
        }
    }
}

TEST_CASE("a space of 4e14 variants is counted by its structure, in a small table") {
    const Space space = large_space();
    const SpaceCount count(space);
    CHECK(count.count(PartialVariant{}) == kLarge);
    CHECK(count.kept() < 1000);
    for (const std::uint64_t k : {std::uint64_t{0}, kLarge / 3, kLarge / 2 + 12345, kLarge - 1}) {
        const Variant v = count.nth(PartialVariant{}, k);
        CHECK(space.valid(v));
        CHECK(count.ordinal(v) == k);
    }
    CHECK_THROWS_AS(count.nth(PartialVariant{}, kLarge), std::out_of_range);
    CHECK(count.kept() < 1000);
}

TEST_CASE("more variants than 64 bits can count are as many as they can") {
    Space space("huge", 1);
    std::vector<std::int64_t> values;
    for (int v = 0; v < 127; ++v) values.push_back(v);
    for (int p = 0; p < 20; ++p) space.add(Parameter("p" + std::to_string(p), "", numbers(values)));
    CHECK(space.count(PartialVariant{}) == SpaceCount::kMost);
    const Variant last = space.counts().nth(PartialVariant{}, SpaceCount::kMost - 1);
    CHECK(space.valid(last));
    CHECK(space.counts().ordinal(last) == SpaceCount::kMost - 1);
}

TEST_CASE("the table has an end, and the count none") {
    // Nothing is stated, so nothing is shared: each prefix is an entry of its own.
    Space space("opaque", 1);
    for (int p = 0; p < 12; ++p) space.add(Parameter("p" + std::to_string(p), "", numbers({0, 1, 2})));
    space.add(Constraint{"always", 11, [](const PartialVariant&) { return true; }});
    const SpaceCount count(space);
    CHECK(count.count(PartialVariant{}) == 531441);
    CHECK(count.kept() > 1000);
    CHECK(count.kept() < 531441 / 8);  // small subtrees are not kept
}

TEST_CASE("what is no variant has no number") {
    const Space space = toy::space();
    Variant v = toy::variant(space, {{"format", "wide"}, {"threads", "1"}, {"unroll", "3"}});
    CHECK(space.counts().nth(PartialVariant{}, space.counts().ordinal(v)) == v);
    v.fix(3, 9);  // wide has no unroll above 7
    CHECK_THROWS_AS(space.counts().ordinal(v), std::invalid_argument);
    v.free(3);
    CHECK_THROWS_AS(space.counts().ordinal(v), std::invalid_argument);
}

TEST_CASE("a copy counts for itself, and a rule that is added counts") {
    Space space = toy::space();
    CHECK(space.count(PartialVariant{}) == 96);
    Space copy = space;
    copy.add(Constraint{"one thread", 2, [](const PartialVariant& v) { return v[2] == 0; }, {2}});
    CHECK(copy.count(PartialVariant{}) == 48);
    CHECK(space.count(PartialVariant{}) == 96);
    space = copy;
    CHECK(space.count(PartialVariant{}) == 48);
    const Space moved = std::move(copy);
    CHECK(moved.count(PartialVariant{}) == 48);
}

TEST_CASE("a rule that looks at more than it states is found out") {
    Space space = toy::space();
    CHECK(DependsOnCheck(space, 1).undeclared(50).empty());
    space.add(
        Constraint{"stated", 3, [](const PartialVariant& v) { return v[2] == 0 || v[3] != 1; }, {2, 3}});
    DependsOnCheck right(space, 1);
    CHECK(right.undeclared(50).empty());
    CHECK(right.pairs() > 20);
    space.add(
        Constraint{"not stated", 3, [](const PartialVariant& v) { return v[0] == 0 || v[3] != 2; }, {3}});
    CHECK(DependsOnCheck(space, 1).undeclared(300) == std::vector<std::string>{"not stated"});
    space.add(Parameter("late", "", numbers({1, 2})).when("by format", {2}, [](const PartialVariant& v) {
        return v[0] == 1;
    }));
    CHECK(DependsOnCheck(space, 1).undeclared(300) == std::vector<std::string>{"late", "not stated"});
}
