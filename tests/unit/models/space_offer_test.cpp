// What is on offer of a space, and what an edge is: plain lists, lists with a whole among them, several at
// once, and what could not be held back.
#include "models/space_offer.h"

#include "models/space_count.h"
#include "tests/support/catch.h"
#include "tests/support/toy.h"

using namespace rooftune;

namespace {

/// ahead {0, 8, 64, 128, 256} of which two are held back; block {whole, 16, 32, 64, 128}, whole being 200, of
/// which one is; kind {a, b}, which has no order.
Space growing() {
    Space s("grown", 1);
    s.add(Parameter("ahead", "bytes", numbers({0, 8, 64, 128, 256})).ordered("none beyond").growing(2));
    std::vector<ParameterValue> blocks{{"whole", 200}};
    for (const int n : {16, 32, 64, 128}) blocks.push_back({std::to_string(n), n});
    s.add(Parameter("block", "rows", blocks).ordered().growing(1));
    s.add(Parameter("kind", "of loop", names({"a", "b"})));
    return s;
}

Variant variant(const Space& s, const char* ahead, const char* block) {
    return toy::variant(s, {{"ahead", ahead}, {"block", block}, {"kind", "a"}});
}

}  // namespace

TEST_CASE("offer: at first the last values are held back, and indices stay") {
    const Space whole = growing();
    const SpaceOffer first = SpaceOffer::first(whole);
    CHECK_FALSE(first.everything());
    CHECK(first.offered(whole, 0) == 3);
    CHECK(first.offered(whole, 1) == 4);
    CHECK(first.offered(whole, 2) == 2);
    const Space space = first.of(whole);
    CHECK(whole.count({}) == 50);
    CHECK(space.count({}) == 24);
    CHECK(space.parameters()[0].values == whole.parameters()[0].values);
    std::uint64_t offered = 0;
    whole.each({}, [&](const Variant& v) {
        CHECK(space.valid(v) == first.offers(whole, v));
        offered += first.offers(whole, v) ? 1 : 0;
        return true;
    });
    CHECK(offered == 24);
    CHECK(space.to_text(variant(whole, "64", "whole")) == "ahead=64,block=whole,kind=a");
    std::string why;
    CHECK_FALSE(space.from_map(whole.to_map(variant(whole, "128", "16")), why));
    CHECK(why == "constraint 'ahead up to 64, more once the best has that' does not hold");
}

TEST_CASE("offer: the edge is by number, whatever the order of the list") {
    const Space whole = growing();
    SpaceOffer offer = SpaceOffer::first(whole);
    CHECK(offer.edge(whole, 0) == 2);
    CHECK(offer.edge(whole, 1) == 3);  // 64 of 128, not the whole
    CHECK(offer.edge(whole, 2) == -1);
    offer.extend(0);
    CHECK(offer.edge(whole, 0) == 3);
    CHECK(offer.of(whole).count({}) == 32);
    offer.extend(0);
    CHECK(offer.edge(whole, 0) == -1);
    CHECK_THROWS_AS(offer.extend(0), std::logic_error);
    CHECK_THROWS_AS(offer.extend(2), std::logic_error);
    offer.extend(1);
    CHECK(offer.everything());
    CHECK(offer == SpaceOffer());
    CHECK(offer.of(whole).constraints().empty());
}

TEST_CASE("offer: it opens as far as a variant needs, and no further") {
    const Space whole = growing();
    SpaceOffer offer = SpaceOffer::first(whole);
    offer.open_for(whole, variant(whole, "64", "whole"));
    CHECK(offer == SpaceOffer::first(whole));
    offer.open_for(whole, variant(whole, "128", "16"));
    CHECK(offer.offered(whole, 0) == 4);
    CHECK(offer.offered(whole, 1) == 4);
    CHECK(offer.offers(whole, variant(whole, "128", "16")));
    CHECK_FALSE(offer.offers(whole, variant(whole, "256", "16")));
}

TEST_CASE("offer: what is named is on offer whole, and so is everything where the rest would be nothing") {
    Space whole = growing();
    CHECK(SpaceOffer::first(whole, {0}).offered(whole, 0) == 5);
    CHECK(SpaceOffer::first(whole, {0}).offered(whole, 1) == 4);
    CHECK(SpaceOffer::first(whole, {0, 1}).everything());
    whole.add(Constraint{"far ahead", 0, [](const PartialVariant& v) { return v[0] >= 3; }, {0}});
    CHECK(SpaceOffer::first(whole).everything());
}

TEST_CASE("offer: neighbours by number") {
    const Space whole = growing();
    const Parameter& block = whole.parameters()[1];
    CHECK(value_below(block, 0) == 4);
    CHECK(value_above(block, 4) == 0);
    CHECK(value_above(block, 0) == -1);
    CHECK(value_below(block, 1) == -1);
}

TEST_CASE("offer: a space refuses a parameter that cannot grow") {
    Space s("refused", 1);
    CHECK_THROWS_AS(s.add(Parameter("unordered", "", numbers({1, 2, 4})).growing(1)), std::logic_error);
    CHECK_THROWS_AS(s.add(Parameter("all", "", numbers({1, 2})).ordered().growing(2)), std::logic_error);
    CHECK_THROWS_AS(s.add(Parameter("less", "", numbers({1, 2})).ordered().growing(-1)), std::logic_error);
    CHECK_THROWS_AS(s.add(Parameter("falls", "", numbers({1, 8, 4})).ordered().growing(2)), std::logic_error);
    CHECK_THROWS_AS(s.add(Parameter("below", "", numbers({4, 1, 8})).ordered().growing(2)), std::logic_error);
    CHECK(s.size() == 0);
}
