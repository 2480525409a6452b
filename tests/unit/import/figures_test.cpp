#include "tuner/import/figures.h"

#include "tests/support/catch.h"

using namespace rooftune::imports;

TEST_CASE("a figure tells which separator stands before its fraction, or nothing") {
    CHECK(style_of("1,234,567") == Decimal::point);
    CHECK(style_of("1,234.5") == Decimal::point);
    CHECK(style_of("65.77") == Decimal::point);
    CHECK(style_of("0.125") == Decimal::point);
    CHECK(style_of("1234.567") == Decimal::point);
    CHECK(style_of("27.595.520") == Decimal::comma);
    CHECK(style_of("1.250,5") == Decimal::comma);
    CHECK(style_of("65,77") == Decimal::comma);
    CHECK_FALSE(style_of("1,234"));
    CHECK_FALSE(style_of("117.344"));
    CHECK_FALSE(style_of("42"));
    CHECK_FALSE(style_of(""));
}

TEST_CASE("figures with thousands in groups of three, in either style") {
    CHECK(figure_from("1,234,567", Decimal::point) == 1234567.0);
    CHECK(figure_from("1,234.5", Decimal::point) == 1234.5);
    CHECK(figure_from("1.250,5", Decimal::comma) == 1250.5);
    CHECK(figure_from("117.344", Decimal::comma) == 117344.0);
    CHECK(figure_from("117.344", Decimal::point) == 117.344);
    CHECK(figure_from("  12 ", Decimal::point) == 12.0);
    CHECK(figure_from("1e9", Decimal::point) == 1e9);
    CHECK(figure_from("-3.5", Decimal::point) == -3.5);
}

TEST_CASE("what is no figure is refused, a group that is too short or too long among it") {
    for (const char* text : {"", "abc", "12abc", "1,23", "1,2345", "1234,567", "12,345,67", "1..2", "1,234,",
                             ",123", "0x10", "1.2.3", "--1", "inf"}) {
        INFO(text);
        CHECK_FALSE(figure_from(text, Decimal::point));
    }
}

TEST_CASE("units of a profiler in base units") {
    CHECK(unit_factor("usecond") == 1e-6);
    CHECK(unit_factor("us") == 1e-6);
    CHECK(unit_factor("msecond") == 1e-3);
    CHECK(unit_factor("Mbyte") == 1e6);
    CHECK(unit_factor("Gbyte") == 1e9);
    CHECK(unit_factor("Kinst") == 1e3);
    CHECK(unit_factor("sector") == 1.0);
    CHECK_FALSE(unit_factor("Gbyte/s/s"));
    CHECK_FALSE(unit_factor(std::string(1 << 20, '/')));  // each was a call within a call
    CHECK(unit_factor("") == 1.0);
    CHECK(*unit_factor("cycle/nsecond") == Approx(1e9));
    CHECK(*unit_factor("Gbyte/second") == Approx(1e9));
    CHECK(unit_factor("Ghz") == 1e9);
    CHECK_FALSE(unit_factor("furlong"));
    CHECK_FALSE(unit_factor("Mfurlong"));
    CHECK_FALSE(unit_factor("byte/fortnight"));
}

TEST_CASE("what stands for a figure that there is none of") {
    for (const char* text : {"", " ", "n/a", "(!) n/a", "nan", "-"}) CHECK(is_absent(text));
    for (const char* text : {"0", "1,234", "x"}) CHECK_FALSE(is_absent(text));
}
