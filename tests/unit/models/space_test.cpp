#include <set>

#include "tests/support/catch.h"
#include "tests/support/toy.h"

using namespace rooftune;

TEST_CASE("a space counts, enumerates and validates the same variants") {
    const Space s = toy::space();
    std::set<Variant> seen;
    s.each(PartialVariant{}, [&](const Variant& v) {
        CHECK(s.valid(v));
        CHECK(seen.insert(v).second);
        std::string why;
        const auto back = s.from_map(s.to_map(v), why);
        REQUIRE(back);
        CHECK(*back == v);
        return true;
    });
    // wide 2·8, narrow 2·10, padded 3·2·10
    CHECK(seen.size() == 96);
    CHECK(s.count(PartialVariant{}) == 96);
}

TEST_CASE("children of a node split its completions without loss") {
    const Space s = toy::space();
    std::vector<PartialVariant> below;
    s.children(PartialVariant{}, below);
    std::uint64_t sum = 0;
    for (const PartialVariant& child : below) sum += s.count(child);
    CHECK(sum == s.count(PartialVariant{}));
}

TEST_CASE("a variant from text: each mistake is named") {
    const Space s = toy::space();
    std::string why;
    CHECK_FALSE(s.from_map({{"format", "wide"}, {"threads", "1"}, {"unroll", "8"}}, why));
    CHECK(why.find("wide needs unroll <= 7") != std::string::npos);
    CHECK_FALSE(s.from_map({{"format", "wide"}, {"threads", "1"}}, why));
    CHECK(why.find("'unroll' has no value") != std::string::npos);
    CHECK_FALSE(s.from_map({{"format", "wide"}, {"pad", "1"}, {"threads", "1"}, {"unroll", "1"}}, why));
    CHECK(why.find("exists only when format=padded") != std::string::npos);
    CHECK_FALSE(s.from_map({{"format", "width"}, {"threads", "1"}, {"unroll", "1"}}, why));
    CHECK(why.find("one of wide narrow padded") != std::string::npos);
    CHECK_FALSE(s.from_map({{"format", "wide"}, {"threads", "1"}, {"unroll", "1"}, {"colour", "red"}}, why));
    CHECK(why.find("no parameter 'colour'") != std::string::npos);
}

TEST_CASE("an invalid variant is told apart") {
    const Space s = toy::space();
    Variant v = toy::variant(s, {{"format", "wide"}, {"threads", "1"}, {"unroll", "3"}});
    CHECK(s.valid(v));
    v.fix(3, 9);
    CHECK_FALSE(s.valid(v));  // the constraint
    v.fix(3, 3);
    v.fix(1, 0);
    CHECK_FALSE(s.valid(v));  // pad does not exist for wide
}
