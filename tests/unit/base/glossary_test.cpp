// The glossary: what is promised of each word, and the page that is made of it.
#include "tuner/base/glossary.h"

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "tests/support/catch.h"
#include "tests/support/golden.h"

using namespace rooftune;

TEST_CASE("each word of the glossary is found by each of its spellings, which are its own") {
    std::set<std::string> all;
    std::string before;
    for (const Word& word : glossary()) {
        INFO(word.word);
        each_spelling(word, [&](std::string_view spelling) {
            CHECK_FALSE(spelling.empty());
            CHECK(find_word(spelling) == &word);
            CHECK(all.insert(std::string(spelling)).second);
        });
        CHECK(word.meaning.ends_with("."));
        CHECK(word.meaning.find(". ") == std::string_view::npos);  // one sentence
        std::string name(word.word);
        for (char& c : name) c = static_cast<char>(std::tolower(c));
        CHECK(before < name);
        before = name;
    }
    CHECK(find_word("RACED-OUT") == find_word("raced out"));
    CHECK(find_word("t lower") == find_word("T_lower"));
    CHECK(find_word("raced") == nullptr);
    CHECK(find_word("") == nullptr);
}

TEST_CASE("what a summary or a document says is found as it is copied") {
    REQUIRE(find_word("roof now") != nullptr);
    CHECK(find_word("of the roof as probed just now") == find_word("roof now"));
    CHECK(find_word("fraction_of_roof_now") == find_word("roof now"));
    CHECK(find_word("of the problem's roof") == find_word("problem roof"));
    CHECK(find_word("of its own bound") == find_word("bound"));
}

TEST_CASE("docs/glossary.md is what the glossary makes") {
    const char* const path = "docs/glossary.md";
    if (test::regenerating_golden()) std::ofstream(path) << glossary_markdown();
    std::ifstream in(path);
    std::ostringstream text;
    text << in.rdbuf();
    CHECK(text.str() == glossary_markdown());
}
