// Help within the page, from a wide one to a narrow terminal.
#include "tuner/base/fit_lines.h"

#include <sstream>

#include "tests/support/catch.h"
#include "tuner/base/standard_error.h"
#include "tuner/base/text_width.h"

using namespace rooftune;

namespace {

const std::string kHelp =
    "Does something to a kernel, and then something else that takes a while to say\n"
    "Usage: program do [OPTIONS] [family] [problem...]\n"
    "\n"
    "Options:\n"
    "  -h,--help                   Print this help message and exit\n"
    "  --backend TEXT:{cpu,opencl,another,and,one,more} Where variants run, by default where the job says "
    "so\n"
    "  --audit INT=60              Variants to measure all the same: half of them excluded or set aside\n"
    "                              an explanation that the parser has put on a line of its own, far right\n";

int widest(const std::string& text) {
    std::istringstream lines(text);
    int columns = 0;
    for (std::string line; std::getline(lines, line);) columns = std::max(columns, display_width(line));
    return columns;
}

std::string without_blanks(std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
    return text;
}

}  // namespace

TEST_CASE("help that fits stays as it is, and no word is lost where it does not") {
    CHECK(fit_lines(kHelp, 200) == kHelp);
    CHECK(fit_lines("", 80).empty());
    CHECK(fit_lines("no newline", 80) == "no newline\n");
    for (int columns = 40; columns <= 130; ++columns) {
        INFO(columns);
        const std::string text = fit_lines(kHelp, columns);
        CHECK(widest(text) <= columns);
        CHECK(without_blanks(text) == without_blanks(kHelp));
    }
}

TEST_CASE("breaks within a sentence are none, whoever broke it") {
    CHECK(without_soft_breaks(
              "Rounds until the interval of the\nratio decides.\nExit status: 0 done;\n1 no.") ==
          "Rounds until the interval of the ratio decides.\nExit status: 0 done; 1 no.");
    const std::string examples = "Examples:\n  program a\n  program b\nThen text.";
    CHECK(without_soft_breaks(examples) == examples);
    CHECK(without_soft_breaks("csv   every record is\n      one line\nt4    another.") ==
          "csv   every record is one line\nt4    another.");
    CHECK(without_soft_breaks("") == "");
}

TEST_CASE("an answer fits the page, and what is to be copied stays whole") {
    CHECK(fit_page("", 40).empty());
    CHECK(fit_page("fits\n", 40) == "fits\n");
    CHECK(fit_page("no newline", 40) == "no newline");
    CHECK(fit_page("a sentence of several words\n\n  and one with an indent\n", 16) ==
          "a sentence of\nseveral words\n\n  and one with\n  an indent\n");
    // Where a line has a mark it goes on behind it, where it has a label below what is said of it.
    CHECK(fit_page("- an item of several words\n", 14) == "- an item of\n  several\n  words\n");
    CHECK(fit_page("12. an item of several words\n", 16) == "12. an item of\n    several\n    words\n");
    CHECK(fit_page("   → do this and then do that", 16) == "   → do this and\n     then do\n     that");
    CHECK(fit_page("VALID  a matrix of some name: 1.2 ms, which is fine\n", 40) ==
          "VALID  a matrix of some name: 1.2 ms,\n       which is fine\n");
    // A path, a command, a row of a table, whatever its width.
    CHECK(fit_page("written to /a/long/path/to/some/where.json now\n", 20) ==
          "written to\n/a/long/path/to/some/where.json\nnow\n");
    CHECK(fit_page("    rooftune tune spmv gen=poisson27,nx=120 --budget 90s\n", 20) ==
          "    rooftune tune spmv gen=poisson27,nx=120 --budget 90s\n");
    CHECK(fit_page("then `rooftune tune --job FILE` does it\n", 20) ==
          "then\n`rooftune tune --job FILE`\ndoes it\n");
    CHECK(fit_page("| a | row that is wide |\n", 10) == "| a | row that is wide |\n");
    CHECK(fit_page("label    \n", 6) == "label\n      \n");
}

TEST_CASE("what is told on standard error fits the page and loses no word") {
    CHECK(told("short", 40) == "rooftune: short\n");
    CHECK(told("", 40) == "rooftune: \n");
    CHECK(told("file.json: cannot be opened: No such file; check the path", 40) ==
          "rooftune: file.json: cannot be opened:\n  No such file; check the path\n");
    CHECK(told("the compiler says:\nline 1\nline 2", 40) ==
          "rooftune: the compiler says:\n  line 1\n  line 2\n");
    CHECK(told("ask `rooftune list machines` for those there are", 30) ==
          "rooftune: ask\n  `rooftune list machines` for\n  those there are\n");
}

TEST_CASE("explanations go on below themselves, and below what they explain where there is little room") {
    const std::string line = "  --audit INT=60              Variants to measure all the same: half of them\n";
    CHECK(fit_lines(line, 65) ==
          "  --audit INT=60              Variants to measure all the same:\n"
          "                              half of them\n");
    CHECK(fit_lines(line, 45) ==
          "  --audit INT=60\n"
          "        Variants to measure all the same:\n"
          "        half of them\n");
}
