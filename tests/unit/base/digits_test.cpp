#include "tuner/base/digits.h"

#include "tests/support/catch.h"

namespace rooftune {

TEST_CASE("digits end where something else begins") {
    CHECK(past_digits("a12b", 1) == 3);
    CHECK(past_digits("a12", 1) == 3);
    CHECK(past_digits("a12", 0) == 0);
    CHECK(past_digits("", 0) == 0);
    CHECK(past_digits("1", 5) == 5);
}

TEST_CASE("a form says the kind of each character") {
    CHECK(has_form("2024-May-31", "0000-Aaa-00"));
    CHECK(has_form("", ""));
    for (const char* other :
         {"2024-may-31", "2024-MAY-31", "2024-May-3", "2024-May-310", "2024-May-3x", "2024.May-31"})
        CHECK_FALSE(has_form(other, "0000-Aaa-00"));
}

}  // namespace rooftune
