// Spaces of every family of the registry, on every backend: their rules look at what they state and can be
// asked in any company, so counting without enumerating is right.
#include "models/space_count.h"
#include "tests/support/catch.h"
#include "tests/support/depends_on_check.h"
#include "tests/support/descent.h"
#include "tests/support/family_targets.h"
#include "tests/support/places.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr int kRuleDescents = 2;
constexpr std::uint64_t kEnumerated = 300;
#else
constexpr int kRuleDescents = 10;
constexpr std::uint64_t kEnumerated = 3000;
#endif

/// Each family's examples, on every target that its property tests use.
void each_space(const std::function<void(const Family&, const Space&, const std::string&)>& visit) {
    const Registry registry = built_in_families();
    for (const auto& family : registry.families()) {
        for (const ProblemSpec& spec : family->examples()) {
            const auto problem = family->problem(spec);
            for (const Target& target : targets_of(*family, problem->dtype())) {
                visit(*family, family->space(*problem, target),
                      std::string(family->name()) + " " + text_of(spec) + " on " + text_of(target));
            }
        }
    }
}

/// Counts along one way down: each node's children add up to it, and a subtree small enough is enumerated.
int check_way_down(const Space& space, std::mt19937& random) {
    int enumerated = 0;
    std::vector<PartialVariant> path(1), below;
    if (!descend(space, random, path)) return 0;
    for (const PartialVariant& at : path) {
        const std::uint64_t count = space.count(at);
        if (!space.complete(at)) {
            std::uint64_t sum = 0;
            space.children(at, below);
            for (const PartialVariant& child : below) sum += space.count(child);
            CHECK(count == sum);
        }
        if (count > kEnumerated) continue;
        std::uint64_t visited = 0;
        bool in_order = true;
        space.each(at, [&](const Variant& v) {
            if (visited % 97 == 0) in_order = in_order && space.counts().nth(at, visited) == v;
            ++visited;
            return true;
        });
        CHECK(count == visited);
        CHECK(in_order);
        ++enumerated;
        break;
    }
    const std::uint64_t number = space.counts().ordinal(path.back());
    CHECK(space.counts().nth(PartialVariant{}, number) == path.back());
    return enumerated;
}

}  // namespace

TEST_CASE("every family: counts agree with enumeration") {
    int enumerated = 0, spaces = 0;
    std::mt19937 random(4);
    each_space([&](const Family&, const Space& space, const std::string& name) {
        INFO(name);
        ++spaces;
        for (int i = 0; i < 2; ++i) enumerated += check_way_down(space, random);
    });
    CHECK(enumerated >= spaces);
}

TEST_CASE("every family: conditions and constraints look at what they state") {
    std::map<std::string, int> pairs;
    each_space([&](const Family& family, const Space& space, const std::string& name) {
        INFO(name);
        DependsOnCheck check(space, 6);
        CHECK(check.undeclared(kRuleDescents) == std::vector<std::string>{});
        pairs[std::string(family.name())] += check.pairs();
    });
    for (const auto& [family, count] : pairs) {
        INFO(family);
        CHECK(count > 10 * kRuleDescents);
    }
}

TEST_CASE("every family: most rules look at less than all that is decided before them, and say so") {
    each_space([&](const Family&, const Space& space, const std::string& name) {
        INFO(name);
        int rules = 0, stated = 0;
        const auto look = [&](ParameterSet depends_on, int decided) {
            ++rules;
            stated += depends_on == ParameterSet::first(decided) ? 0 : 1;
        };
        for (int p = 1; p < space.size(); ++p) {
            const Parameter& parameter = space.parameters()[static_cast<std::size_t>(p)];
            if (parameter.exists) look(parameter.depends_on, p);
        }
        for (const Constraint& c : space.constraints()) look(c.depends_on, c.decided_by + 1);
        CHECK(3 * stated > 2 * rules);
    });
}

// What emptied a space is found by leaving rules out: none may rely on another.
TEST_CASE("every family: rules can be asked where another one does not hold") {
    each_space([&](const Family&, const Space& space, const std::string& name) {
        INFO(name);
        for (std::size_t left_out = 0; left_out < space.constraints().size(); ++left_out) {
            Space other(space.family(), space.version());
            for (const Parameter& p : space.parameters()) other.add(p);
            for (std::size_t c = 0; c < space.constraints().size(); ++c) {
                if (c != left_out) other.add(space.constraints()[c]);
            }
            CHECK(other.count(PartialVariant{}) >= space.count(PartialVariant{}));
        }
    });
}
