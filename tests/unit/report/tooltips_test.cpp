// Words of the glossary on the page.
#include "tuner/report/tooltips.h"

#include "tests/support/catch.h"
#include "tuner/base/glossary.h"

using namespace rooftune;
using Catch::Contains;

namespace {

std::string abbr(const char* word, const std::string& text) {
    const Word* found = find_word(word);
    REQUIRE(found != nullptr);
    return "<abbr title=\"" + std::string(found->meaning) + "\">" + text + "</abbr>";
}

}  // namespace

TEST_CASE("tooltips: the first of each word on the page, as it stands there, and the longest") {
    page::Tooltips t;
    CHECK(t.added("3 raced out, 2 raced out") == "3 " + abbr("raced out", "raced out") + ", 2 raced out");
    CHECK(t.added("Raced out means dropped") == "Raced out means dropped");
    CHECK(t.added("Excluded by proof") == abbr("excluded", "Excluded by proof"));
    CHECK(t.added("the problem roof is a roof") ==
          "the " + abbr("problem roof", "problem roof") + " is a " + abbr("roof", "roof"));
}

TEST_CASE("tooltips: neither within words, nor in code, nor in tags and entities") {
    page::Tooltips t;
    for (const char* untouched :
         {"marginal gaping roofline", "un-excluded set-aside", "<code>gap --epsilon</code>", "<code>margin",
          "<a title=\"the margin\">", "&amp;", "&gap;", "übergap", ""})
        CHECK(t.added(untouched) == untouched);
    CHECK(t.added("(gap)") == "(" + abbr("gap", "gap") + ")");
    CHECK(t.added("<b>margin</b>") == "<b>" + abbr("margin", "margin") + "</b>");
}

TEST_CASE("tooltips: another page explains again") {
    page::Tooltips one, other;
    CHECK(one.added("gap") == other.added("gap"));
}
