#include "models/neighbours.h"

#include <algorithm>
#include <set>

#include "tests/support/catch.h"
#include "tests/support/random_space.h"
#include "tests/support/toy.h"

using namespace rooftune;

namespace {

/// Parameters in which both exist and differ.
int differences(const Space& space, const Variant& a, const Variant& b) {
    int n = 0;
    for (int p = 0; p < space.size(); ++p) n += a.fixed(p) && b.fixed(p) && a[p] != b[p] ? 1 : 0;
    return n;
}

std::vector<std::string> texts(const Space& space, const std::vector<Variant>& variants) {
    std::vector<std::string> list;
    for (const Variant& v : variants) list.push_back(space.to_text(v));
    return list;
}

}  // namespace

TEST_CASE("neighbours of a variant, in order") {
    const Space space = toy::space();
    const Variant v = toy::variant(space, {{"format", "wide"}, {"threads", "1"}, {"unroll", "7"}});
    CHECK(texts(space, neighbours(space, v)) ==
          std::vector<std::string>{
              "format=narrow,threads=1,unroll=7", "format=padded,pad=1,threads=1,unroll=7",
              "format=padded,pad=2,threads=1,unroll=7", "format=padded,pad=3,threads=1,unroll=7",
              "format=wide,threads=2,unroll=7", "format=wide,threads=1,unroll=0",
              "format=wide,threads=1,unroll=1", "format=wide,threads=1,unroll=2",
              "format=wide,threads=1,unroll=3", "format=wide,threads=1,unroll=4",
              "format=wide,threads=1,unroll=5", "format=wide,threads=1,unroll=6"});
    // A value that the others forbid is no neighbour: wide has no unroll above 7.
    const Variant narrow = toy::variant(space, {{"format", "narrow"}, {"threads", "1"}, {"unroll", "9"}});
    for (const Variant& n : neighbours(space, narrow)) CHECK((n[0] != 0 || n[3] <= 7));
    CHECK(neighbours(space, v, 2).size() == 11);  // of padded two
}

TEST_CASE("on random spaces neighbours are exactly the valid variants one change away, and mutual") {
    std::mt19937_64 random(9);
    int pairs = 0;
    for (int i = 0; i < 40; ++i) {
        const Space space = test::random_space(random, 5);
        std::vector<Variant> all;
        space.each({}, [&](const Variant& v) {
            all.push_back(v);
            return true;
        });
        if (all.size() > 150) all.resize(150);
        for (const Variant& v : all) {
            const std::vector<Variant> list = neighbours(space, v, 1000);
            const std::set<Variant> found(list.begin(), list.end());
            REQUIRE(found.size() == list.size());
            for (const Variant& n : list) {
                if (!space.valid(n) || differences(space, v, n) != 1) FAIL(space.to_text(n));
            }
            for (const Variant& other : all) {
                if (differences(space, v, other) != 1) continue;
                ++pairs;
                if (!found.contains(other)) FAIL(space.to_text(v) << " and " << space.to_text(other));
            }
        }
    }
    CHECK(pairs > 1000);
}
