// The least work of every prefix: against the minimum over all completions, computed plainly.
#include "models/work_tree.h"

#include <memory>
#include "tests/support/catch.h"

using namespace rooftune;

namespace {

// b exists only where a is 1; c = 0 is refused where a is 2; d decides nothing.
Space example() {
    Space space("example", 1);
    space.add(Parameter("a", "", numbers({0, 1, 2})));
    space.add(Parameter("b", "", numbers({0, 1})).when("a is 1", [](const PartialVariant& v) {
        return v[0] == 1;
    }));
    space.add(Parameter("c", "", numbers({0, 1, 2})));
    space.add(
        Constraint{"c > 0 where a is 2", 2, [](const PartialVariant& v) { return v[0] != 2 || v[2] > 0; }});
    space.add(Parameter("d", "", numbers({0, 1})));
    return space;
}

BoundedWork of(const PartialVariant& v) {
    BoundedWork found;
    found.work.total.ops = Operations(10.0 * v[0] + 3.0 * (2 - v[2]) + 1.0);
    found.work.chain_repeats = 5.0 - v[0] - v[2];
    found.work.traffic.reads = Bytes(100.0 * (1 + v[2]));
    found.work.traffic.held = Bytes(8.0 * (1 + v[0]));
    found.traits.width_bits = 128 << v[0];
    found.traits.threads = 1 + v[2];
    return found;
}

}  // namespace

TEST_CASE("a prefix has the least work and the most permissive traits of its completions") {
    const Space space = example();
    const WorkTree tree(space, 3, of);
    std::vector<PartialVariant> all;
    space.each(PartialVariant(), [&](const Variant& v) {
        all.push_back(v);
        return true;
    });
    int prefixes = 0;
    const auto visit = [&](const auto& self, const PartialVariant& partial) -> void {
        BoundedWork least;
        bool any = false;
        space.each(partial, [&](const Variant& v) {
            if (any) {
                permit(least, of(v));
            } else {
                least = of(v);
            }
            any = true;
            return true;
        });
        REQUIRE(any);
        ++prefixes;
        const BoundedWork& found = tree.find(partial);
        CHECK(found.work.total.ops == least.work.total.ops);
        CHECK(found.work.chain_repeats == least.work.chain_repeats);
        CHECK(found.work.traffic.reads == least.work.traffic.reads);
        CHECK(found.work.traffic.held == least.work.traffic.held);
        CHECK(found.traits.width_bits == least.traits.width_bits);
        CHECK(found.traits.threads == least.traits.threads);
        std::vector<PartialVariant> below;
        space.children(partial, below);
        for (const PartialVariant& child : below) self(self, child);
    };
    visit(visit, PartialVariant());
    CHECK(prefixes > 40);
    CHECK(tree.find(PartialVariant()).work.total.ops == Operations(1.0));
}

TEST_CASE("what is fixed out of order is ignored") {
    const Space space = example();
    const WorkTree tree(space, 3, of);
    PartialVariant partial;
    partial.fix(2, 0);
    CHECK(tree.find(partial).work.total.ops == tree.find(PartialVariant()).work.total.ops);
}

TEST_CASE(
    "what is declared of caches of two variants is claimed of both together only where it is the same") {
    struct Nothing final : DeclaredTraffic {
        double reads_beyond(Bytes) const override { return 0.0; }
        double writes_beyond(Bytes) const override { return 0.0; }
    };
    BoundedWork a, b, c;
    a.work.traffic.declared = b.work.traffic.declared = std::make_shared<Nothing>();
    c.work.traffic.declared = std::make_shared<Nothing>();
    permit(a, b);
    CHECK(a.work.traffic.declared == b.work.traffic.declared);
    permit(a, c);
    CHECK(a.work.traffic.declared == nullptr);
}

TEST_CASE("each field of the work goes the permissive way") {
    BoundedWork a, b;
    a.work.heaviest.loads = Operations(4.0);
    b.work.heaviest.loads = Operations(3.0);
    a.work.traffic.passes = 2.0;
    b.work.traffic.passes = 3.0;
    a.work.traffic.results = 5.0;
    b.work.traffic.results = 7.0;
    a.traits.gathers = Operations(9.0);
    b.traits.gathers = Operations(8.0);
    permit(a, b);
    CHECK(a.work.heaviest.loads == Operations(3.0));
    CHECK(a.work.traffic.passes == 2.0);
    CHECK(a.work.traffic.results == 7.0);
    CHECK(a.traits.gathers == Operations(8.0));
}
