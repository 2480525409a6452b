// Messages on standard error: their lines, and names as long as a book.
#include "tuner/base/standard_error.h"

#include <string>

#include "tests/support/catch.h"

using namespace rooftune;

TEST_CASE("a message says of an endless word its beginning and its end, and all of the others") {
    const std::string middle(100'000, 'm');
    const std::string text = told("FIRST" + middle + "LAST: no such file; name 'another' one", 2000);
    CHECK(text.size() < 1000);
    CHECK(text.find("FIRSTm") != std::string::npos);
    CHECK(text.find("\u2026") != std::string::npos);
    CHECK(text.find("mLAST: no such file; name 'another' one") != std::string::npos);
}

TEST_CASE("an endless word is cut between characters") {
    std::string umlauts;
    for (int i = 0; i < 5000; ++i) umlauts += "\u00e4";
    for (const char* before : {"", "x"}) {
        const std::string text = told(before + umlauts + " is no file", 100);
        CHECK(text.size() < 1000);
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (static_cast<unsigned char>(text[i]) == 0xC3U)
                CHECK(static_cast<unsigned char>(text[i + 1]) == 0xA4U);
            if (static_cast<unsigned char>(text[i]) == 0xA4U)
                CHECK(static_cast<unsigned char>(text[i - 1]) == 0xC3U);
        }
    }
}

TEST_CASE("what a terminal acts on is not printed", "[standard_error]") {
    const std::string text = told("found \"\x1b[2J\a\" twice\nand\x7f", 100);
    CHECK(text == "rooftune: found \" [2J \" twice\n  and \n");
}

TEST_CASE("words of usual length and lines of their own stay as they are") {
    CHECK(told("one\ntwo  three", 100) == "rooftune: one\n  two  three\n");
    // Nothing that a file or another program says begins a line as ours do.
    CHECK(told("a\nrooftune: b", 100) == "rooftune: a\n  rooftune: b\n");
    CHECK(told("a\n    b", 100) == "rooftune: a\n    b\n");
    const std::string path(900, 'p');
    CHECK(told(path, 2000) == "rooftune: " + path + "\n");
}
