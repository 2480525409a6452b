// Lists of values that may have the separator themselves.
#include "tuner/base/quoted_parts.h"

#include "tests/support/catch.h"

using namespace rooftune;

using Parts = std::vector<std::string>;

TEST_CASE("a list is cut at its separators, but for those in the quotes around a value") {
    CHECK(quoted_parts("", ',').empty());
    CHECK(quoted_parts("a", ',') == Parts{"a"});
    CHECK(quoted_parts("a,,b,", ',') == Parts{"a", "", "b", ""});
    CHECK(quoted_parts("static,\"dynamic,16\",'guided,4'", ',') ==
          Parts{"static", "\"dynamic,16\"", "'guided,4'"});
    CHECK(quoted_parts("S=\"dynamic,16\"|static,tile=8", ',') == Parts{"S=\"dynamic,16\"|static", "tile=8"});
    CHECK(quoted_parts("\"a|b\"|c", '|') == Parts{"\"a|b\"", "c"});
    // No quotes around a value.
    CHECK(quoted_parts("it's,so", ',') == Parts{"it's", "so"});
    CHECK(quoted_parts("\"a,b", ',') == Parts{"\"a", "b"});
    CHECK(quoted_parts("\"a,b\" c,d", ',') == Parts{"\"a", "b\" c", "d"});
    CHECK(unquoted("\"dynamic,16\"") == "dynamic,16");
    CHECK(unquoted("'a'") == "a");
    CHECK(unquoted("\"\"") == "");
    for (const char* as_it_is : {"a", "", "\"", "\"a'", "\"a\" \"b\"", "it's"})
        CHECK(unquoted(as_it_is) == as_it_is);
}
