// Figures, widths and tables.
#include <cmath>
#include <limits>
#include <stdexcept>
#include <tuple>

#include "tests/support/catch.h"
#include "tuner/base/page_width.h"
#include "tuner/base/ranges_text.h"
#include "tuner/base/si.h"
#include "tuner/base/table.h"
#include "tuner/base/text_width.h"

using namespace rooftune;

namespace {
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
}  // namespace

TEST_CASE("SI prefixes and three digits") {
    CHECK(format_si(4.1e9, "flop/s") == "4.10 Gflop/s");
    CHECK(format_seconds(1.403e-3) == "1.40 ms");
    CHECK(format_seconds(1e-12) == "1.00 ps");
    CHECK(format_seconds(3.2e-6) == "3.20 µs");
    CHECK(format_si(56.15e6, "B") == "56.1 MB");
    CHECK(format_si(999.6, "B") == "1.00 kB");
    CHECK(format_si(999.4, "B") == "999 B");
    CHECK(format_si(9.996, "s") == "10.0 s");
    CHECK(format_si(99.96, "s") == "100 s");
    CHECK(format_si(1e18, "flop") == "1.00 Eflop");
    CHECK(format_si(1e21, "flop") == "1.00e+21 flop");
    CHECK(format_si(1e-21, "s") == "1.00e-21 s");
    CHECK(format_si(0.0, "s") == "0 s");
    CHECK(format_si(-0.0, "s") == "0 s");
    CHECK(format_si(-1500.0, "B") == "-1.50 kB");
    CHECK(format_si(kNaN, "s") == "n/a");
    CHECK(format_si(kInf, "s") == "∞");
}

TEST_CASE("intervals share the prefix of their value") {
    CHECK(format_seconds_interval(1.0e-3, 0.98e-3, 1.2e-3) == "1.00 ms [0.98, 1.20]");
    CHECK(format_seconds_interval(1.0e-3, 0.0, 0.0) == "1.00 ms");
    CHECK(format_seconds_interval(1.0e-3, kNaN, 1.0) == "1.00 ms");
    CHECK(format_ratio_interval(1.9, 1.85, 1.94) == "1.90× [1.85, 1.94]");
    CHECK(format_ratio_interval(1.9, 0.0, 0.0) == "1.90×");
    // An end ten times as far says nothing.
    CHECK(format_seconds_interval(56.4e-6, 51.7e-6, 16e-3) == "56.4 µs [at least 51.7]");
    CHECK(format_ratio_interval(0.98, 3.39e-3, 1.18) == "0.98× [at most 1.18]");
    CHECK(format_ratio_interval(0.98, 3.39e-3, 118.0) == "0.98×");
    CHECK(format_ratio_interval(1.0, 0.101, 9.9) == "1.00× [0.10, 9.90]");
    CHECK(format_ratio(0.0) == "0.00×");
    // Limits are never rounded down, and what needs no rounding stays.
    CHECK(format_ratio_up(3.7118) == "3.72×");
    CHECK(format_ratio_up(2.7041) == "2.71×");
    CHECK(format_ratio_up(1.07) == "1.07×");
    CHECK(format_ratio_up(9.996) == "10.0×");
    CHECK(format_ratio_up(63.61) == "63.7×");
    CHECK(format_ratio_up(2190.2) == "2 191×");
    CHECK(format_ratio_up(0.5) == "0.50×");
    CHECK(format_ratio(12345.0) == "12 345×");
    CHECK(format_ratio(1e9) == "1.00e+09×");
    CHECK(format_ratio(1e-6) == "1.00e-06×");
}

TEST_CASE("percentages never round to a claim") {
    CHECK(format_percent(0.88) == "88 %");
    CHECK(format_percent(0.093) == "9.3 %");
    CHECK(format_percent(0.0052) == "0.52 %");
    CHECK(format_percent(0.0) == "0 %");
    CHECK(format_percent(1e-9) == "< 0.01 %");
    CHECK(format_percent(0.9996) == "> 99.9 %");
    CHECK(format_percent(0.996) == "99.6 %");
    CHECK(format_percent(1.0) == "100 %");
    CHECK(format_percent(1.034) == "103 %");
    CHECK(format_percent(0.0996) == "10 %");
    CHECK(format_percent_up(0.121) == "13 %");
    CHECK(format_percent_up(0.12) == "12 %");
    CHECK(format_percent_up(0.0341) == "3.5 %");
    CHECK(format_percent_up(0.03) == "3.0 %");
    CHECK(format_percent_up(0.9951) == "100 %");
}

TEST_CASE("capacities, counts, durations") {
    CHECK(format_capacity(4194304.0) == "4 MiB");
    CHECK(format_capacity(1536.0) == "1.50 KiB");
    CHECK(format_capacity(0.0) == "0 B");
    CHECK(format_count(0) == "0");
    CHECK(format_count(999) == "999");
    CHECK(format_count(93261) == "93 261");
    CHECK(format_count(std::numeric_limits<std::uint64_t>::max()) == "18 446 744 073 709 551 615");
    CHECK(format_plural(1, "variant") == "1 variant");
    CHECK(format_plural(0, "variant") == "0 variants");
    CHECK(format_duration(57.3) == "57 s");
    CHECK(format_duration(125.0) == "2 min 5 s");
    CHECK(format_duration(12000.0) == "3 h 20 min");
    CHECK(format_duration(0.25) == "250 ms");
    CHECK(format_duration(59.7) == "1 min 0 s");
}

TEST_CASE("widths are columns, not bytes") {
    CHECK(display_width("1.90×") == 5);
    CHECK(display_width("e\xCC\x81") == 1);  // combining acute accent
    CHECK(display_width("行列") == 4);
    CHECK(display_width("\xFF\xFE") == 2);  // not UTF-8
    CHECK(display_width("\xC3") == 1);      // cut in the middle
    CHECK(cut_to_width("1.90×1.90×", 6) == "1.90×…");
    CHECK(cut_to_width("abc", 3) == "abc");
    CHECK(cut_to_width("abc", 1) == "…");
    CHECK(cut_to_width("abc", 0).empty());
    CHECK(cut_to_width("行列行列", 4) == "行…");
    CHECK(printable("a\nb\x1b[2J\x7f") == "a b [2J ");
    CHECK(printable("\xC2\x9Bx") == " x");  // C1 control, an escape to some terminals
    CHECK(printable("a\xFFz") == "a\xEF\xBF\xBDz");
}

TEST_CASE("wrapping keeps a number with its unit") {
    CHECK(wrap("aaa bbb ccc", 7) == "aaa bbb\nccc");
    CHECK(wrap("reach 88 % of it", 9) == "reach\n88 % of\nit");
    CHECK(wrap("on 2 threads", 8) == "on\n2 threads");
    CHECK(wrap("unbreakablyverylong x", 5) == "unbreakablyverylong\nx");
    CHECK(wrap("", 5).empty());
    CHECK(wrap("1 2 3", 2) == "1 2 3");
    CHECK(wrap("of 1000 (/a/file)", 8) == "of 1000\n(/a/file)");
    // A command in backquotes is copied whole; a backquote alone is none.
    CHECK(wrap("say `do this now` to it", 8) == "say\n`do this now`\nto it");
    CHECK(wrap("say (`do this`, `or that`) x", 8) == "say\n(`do this`,\n`or that`)\nx");
    CHECK(wrap("a ` alone in it", 8) == "a `\nalone in\nit");
}

TEST_CASE("tables are aligned Markdown") {
    Table table({{"name", Align::left}, {"×", Align::right}});
    table.add({"a|b", "1.90×"});
    table.add({"行"});
    CHECK(table.to_text() ==
          "| name |     × |\n"
          "|------|------:|\n"
          "| a\\|b | 1.90× |\n"
          "| 行   |       |\n");
    CHECK_THROWS_AS(table.add({"1", "2", "3"}), std::invalid_argument);
    // Cells are kept as they were said, with the number to sort by where there is one.
    table.add({"c\td", {"2.00×", 2.0}});
    CHECK(table.rows()[0][0].text == "a|b");
    CHECK(std::isnan(table.rows()[0][1].key));
    CHECK(table.rows()[2][0].text == "c d");
    CHECK(table.rows()[2][1].key == 2.0);
}

TEST_CASE("ranges of numbers") {
    CHECK(ranges_text({}) == "");
    CHECK(ranges_text({5}) == "5");
    CHECK(ranges_text({3, 1, 2, 8, 10, 11}) == "1-3, 8, 10-11");
}

TEST_CASE("the page: COLUMNS, else the terminal, else that of a pipe") {
    CHECK(page_width_of(nullptr, 0) == kPipedPage);
    CHECK(page_width_of(nullptr, 132) == 132);
    CHECK(page_width_of("60", 132) == 60);
    CHECK(page_width_of("60", 0) == 60);
    CHECK(page_width_of("7", 0) == kNarrowestPage);
    CHECK(page_width_of("99999999", 0) == kWidestPage);
    for (const char* no_number : {"", "0", "-80", "wide", "80x", "99999999999999999999"})
        CHECK(page_width_of(no_number, 120) == 120);
}

TEST_CASE("a variant as a command line takes it is one word, which goes on behind a comma where it has to") {
    CHECK(wrap("The winner: kc=512,loop=m,threads=2. Verified.", 20) ==
          "The winner:\nkc=512,loop=m,\nthreads=2. Verified.");
    CHECK(wrap("kc=512,loop=m of it", 40) == "kc=512,loop=m of it");
    // A path and a command are copied whole.
    CHECK(wrap("at /a=b,c/dddddddddddddddddd", 10) == "at\n/a=b,c/dddddddddddddddddd");
    CHECK(wrap("`x a=1,b=2,c=3,d=4`", 10) == "`x a=1,b=2,c=3,d=4`");
}

TEST_CASE("folded lines are never wider than asked, and nothing but blanks is lost") {
    CHECK(fold("aaa bbb ccc", 7) == std::vector<std::string>{"aaa bbb", "ccc"});
    CHECK(fold("", 7) == std::vector<std::string>{""});
    CHECK(fold("format=csr,index=32,simd=512", 12) ==
          std::vector<std::string>{"format=csr,", "index=32,", "simd=512"});
    // A whole part before half a one.
    CHECK(fold("simd=512,tile=14x16", 14) == std::vector<std::string>{"simd=512,", "tile=14x16"});
    CHECK(fold("prefetch_c=no", 11) == std::vector<std::string>{"prefetch_c=", "no"});
    CHECK(fold("unbreakable", 4) == std::vector<std::string>{"unbr", "eaka", "ble"});
    // A number stays with its word only where that breaks no word.
    CHECK(fold("1234 variants", 9) == std::vector<std::string>{"1234", "variants"});
    CHECK(fold("810 GB/s", 7) == std::vector<std::string>{"810", "GB/s"});
    CHECK(fold("reach 88 % of it", 9) == std::vector<std::string>{"reach", "88 % of", "it"});
    CHECK(fold("行列行列", 5) == std::vector<std::string>{"行列", "行列"});
    CHECK(fold("行", 1) == std::vector<std::string>{"行"});
    CHECK(fold("abc", 0) == std::vector<std::string>{"a", "b", "c"});
    for (int columns = 2; columns < 60; ++columns) {
        const std::string text =
            "512-bit, 1x2 register block, prefetch 8192 B ahead, 88 % of /a/very/long/path/name";
        std::string together;
        for (const std::string& line : fold(text, columns)) {
            CHECK(display_width(line) <= columns);
            together += line;
        }
        std::string whole = text;
        std::erase(together, ' ');
        std::erase(whole, ' ');
        CHECK(together == whole);
    }
}

TEST_CASE("tables: a word is not broken while another column has spaces to break at") {
    Table table({{"what", Align::left}, {"file", Align::left}});
    table.add({"a sentence that is longer than the column has room for", "a_name_of_twenty-eight_chars"});
    table.add({"another", "short"});
    const std::string text = table.to_text(54);
    INFO(text);
    CHECK(text.find("| a_name_of_twenty-eight_chars |") != std::string::npos);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        CHECK(display_width(std::string_view(text).substr(at, end - at)) <= 54);
        at = end + 1;
    }
}

TEST_CASE("tables: what is too wide goes on in further rows, and becomes a list where that is not enough") {
    Table table({{"variant", Align::left}, {"time over the winner's", Align::right}});
    table.add({"512-bit, 2x2 register block, non-temporal stores", "1.07× [1.04, 1.11]"});
    table.add({"the plain loop", "1.61×"});
    CHECK(table.to_text(52) ==
          "| variant                 | time over the winner's |\n"
          "|-------------------------|-----------------------:|\n"
          "| 512-bit, 2x2 register   |     1.07× [1.04, 1.11] |\n"
          "| block, non-temporal     |                        |\n"
          "| stores                  |                        |\n"
          "| the plain loop          |                  1.61× |\n");
    CHECK(table.to_text(24) ==
          "- variant: 512-bit,\n"
          "    2x2 register block,\n"
          "    non-temporal stores\n"
          "  time over the\n"
          "    winner's: 1.07×\n"
          "    [1.04, 1.11]\n"
          "- variant: the plain\n"
          "    loop\n"
          "  time over the\n"
          "    winner's: 1.61×\n");
    for (int columns = 24; columns < 100; ++columns) {
        INFO(columns);
        std::istringstream lines(table.to_text(columns));
        for (std::string line; std::getline(lines, line);) CHECK(display_width(line) <= columns);
    }
}

TEST_CASE("an interval of ratios lies on a side of 1 as it is written") {
    for (const auto& [low, high, side] : {std::tuple{1.01, 1.03, RatioSide::above},
                                          {1.003, 1.03, RatioSide::neither},  // [1.00, 1.03]
                                          {1.0, 1.03, RatioSide::neither},
                                          {2.0, kInf, RatioSide::above},
                                          {0.9, 1.1, RatioSide::neither},
                                          {0.9, 0.998, RatioSide::neither},  // [0.90, 1.00]
                                          {0.9, 0.99, RatioSide::below},
                                          {0.0, 0.9, RatioSide::neither},  // no interval
                                          {2.0, 1.5, RatioSide::neither},
                                          {kNaN, 0.9, RatioSide::neither},
                                          {2.0, kNaN, RatioSide::neither}}) {
        INFO(low << " to " << high);
        CHECK(side_of_one(low, high) == side);
    }
}
