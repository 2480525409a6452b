// Sizes as people write them: with an exponent where what is meant is whole.
#include "kernels/runtime/whole_number.h"

#include <string>

#include "tests/support/catch.h"

using namespace rooftune;

TEST_CASE("whole numbers are read with and without an exponent", "[whole_number]") {
    const auto read = [](const char* text) {
        std::int64_t value = -7;
        CHECK(read_whole_number(text, value) == std::errc());
        return value;
    };
    CHECK(read("1024") == 1024);
    CHECK(read("-3") == -3);
    CHECK(read("1e3") == 1000);
    CHECK(read("1E+3") == 1000);
    CHECK(read("2.5e3") == 2500);
    CHECK(read("2.50e1") == 25);
    CHECK(read(".5e1") == 5);
    CHECK(read("1000e-2") == 10);
    CHECK(read("-2e1") == -20);
    CHECK(read("0e9") == 0);
    CHECK(read("0.0e0") == 0);
    // No double has these digits.
    CHECK(read("9007199254740993e0") == 9007199254740993);
    CHECK(read("9.223372036854775807e18") == 9223372036854775807);
}

TEST_CASE("what is no whole number is told apart from what is too large", "[whole_number]") {
    std::int64_t value = 0;
    for (const char* text :
         {"", "x", "1.5", "1.0", "1e-3", "2.5e0", "1e", "e3", "1e3x", "1e1.5", "1ee3", "1e++3", "--1e3",
          "1.2.3e4", " 1e3", "nan", "inf", "0x1e3", "1e-99999999999999999999"}) {
        INFO(text);
        CHECK(read_whole_number(text, value) == std::errc::invalid_argument);
    }
    for (const char* text : {"9223372036854775808", "1e19", "1e99", "1e99999999999999999999"}) {
        INFO(text);
        CHECK(read_whole_number(text, value) == std::errc::result_out_of_range);
    }
}
