#include "tuner/base/csv_field.h"

#include <cmath>

#include "tests/support/catch.h"

using rooftune::csv_field;

TEST_CASE("a cell of CSV: quoted where it has to be") {
    CHECK(csv_field(std::string("plain")) == "plain");
    CHECK(csv_field(std::string()).empty());
    CHECK(csv_field(std::string("a,b")) == "\"a,b\"");
    CHECK(csv_field(std::string("say \"a\"")) == "\"say \"\"a\"\"\"");
    CHECK(csv_field(std::string("two\nlines")) == "\"two\nlines\"");
    CHECK(csv_field(-2.5e-9) == "-2.5e-09");
    CHECK(csv_field(std::nan("")) == "nan");
}

TEST_CASE("a cell of CSV that a spreadsheet would work out is a text there") {
    CHECK(csv_field(std::string("=1+1")) == "'=1+1");
    CHECK(csv_field(std::string("=HYPERLINK(\"http://x\",\"y\")")) ==
          "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"");
    CHECK(csv_field(std::string("@SUM(A1)")) == "'@SUM(A1)");
    CHECK(csv_field(std::string("-2+3+cmd|' /C calc'!A0")) == "'-2+3+cmd|' /C calc'!A0");
    CHECK(csv_field(std::string("+cmd(1)")) == "'+cmd(1)");
    CHECK(csv_field(std::string("\t=1")) == "'\t=1");
    // Flags and numbers are what programs read from here.
    CHECK(csv_field(std::string("-O3 -march=native")) == "-O3 -march=native");
    CHECK(csv_field(std::string("-1.5e-3")) == "-1.5e-3");
    CHECK(csv_field(std::string("a=b")) == "a=b");
}
