#include "tuner/search/candidates.h"

#include "tests/support/catch.h"

using namespace rooftune;

namespace {

// Five parameters of three values each.
Space five() {
    Space space("five", 1);
    for (const char* name : {"a", "b", "c", "d", "e"})
        space.add(Parameter(name, "made up", numbers({0, 1, 2})));
    return space;
}

Variant variant(const Space& space, const std::string& digits) {
    std::map<std::string, std::string> values;
    for (std::size_t i = 0; i < digits.size(); ++i)
        values[space.parameters()[i].name] = std::string(1, digits[i]);
    std::string why;
    const auto v = space.from_map(values, why);
    if (!v) throw std::logic_error(why);
    return *v;
}

Record timed(double seconds, Outcome outcome = Outcome::measured) {
    Record record;
    record.outcome = outcome;
    for (int i = 0; i < 8; ++i) record.slots.push_back({seconds, 1, false});
    return record;
}

}  // namespace

TEST_CASE("parameters that differ are counted up to what is asked") {
    const Space space = five();
    CHECK(differences(space, variant(space, "00000"), variant(space, "00000"), 5) == 0);
    CHECK(differences(space, variant(space, "00000"), variant(space, "01020"), 5) == 2);
    CHECK(differences(space, variant(space, "00000"), variant(space, "11111"), 5) == 5);
    CHECK(differences(space, variant(space, "00000"), variant(space, "11111"), 3) == 3);
}

TEST_CASE("the rival is the best measured variant that has little in common with the winner") {
    const Space space = five();
    Ledger ledger;
    CHECK_FALSE(rival(space, ledger));
    ledger.add(variant(space, "00000"), timed(1.0));
    CHECK_FALSE(rival(space, ledger));
    ledger.add(variant(space, "11100"), timed(1.1));  // three apart
    CHECK_FALSE(rival(space, ledger));
    ledger.add(variant(space, "22222"), timed(1.5));
    ledger.add(variant(space, "11110"), timed(1.3));  // four apart, and faster
    ledger.add(variant(space, "12121"), timed(1.2, Outcome::raced_out));
    REQUIRE(rival(space, ledger));
    CHECK(*rival(space, ledger) == variant(space, "11110"));
    // The winner changes, and with it what is far from it.
    ledger.add(variant(space, "11112"), timed(0.5));
    CHECK(*rival(space, ledger) == variant(space, "00000"));
}
