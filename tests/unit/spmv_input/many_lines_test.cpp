// Files that are read in blocks on all processors: the same matrix, and the same words for a fault, as line
// by line. Each is a few blocks long, so that faults lie in the middle of one, and behind several.
#include <algorithm>
#include <atomic>
#include <functional>
#include <random>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/runtime/cpu_mask.h"
#include "kernels/sparse/parts.h"
#include "planted_files.h"

namespace rooftune::spmv::test {
namespace {

constexpr int kRows = 3'000, kCols = 2'000;
constexpr int kEntries =
    240'000;  // about 4 MB of text: blocks of 0.5, 1, 2 and 4 MiB, and some parts of rows

struct Given {
    int row, col;  // from 1
    std::string value;
};

// Distinct places in no order.
std::vector<Given> entries_of(bool lower_triangle) {
    std::mt19937 random(7);
    constexpr auto kMost = static_cast<std::size_t>(std::max(kRows, kCols));
    std::vector<bool> taken(kMost * kMost);
    std::vector<Given> all;
    all.reserve(kEntries);
    while (all.size() < kEntries) {
        int row = 1 + static_cast<int>(random() % kRows), col = 1 + static_cast<int>(random() % kCols);
        if (lower_triangle && col > row) std::swap(row, col);
        const std::size_t place =
            static_cast<std::size_t>(row - 1) * kMost + static_cast<std::size_t>(col - 1);
        if (taken[place]) continue;
        taken[place] = true;
        all.push_back({row, col, std::to_string(static_cast<int>(random() % 100'000) - 50'000) + "e-3"});
    }
    return all;
}

struct Spelling {
    std::string banner = "%%MatrixMarket matrix coordinate real general";
    std::string line_end = "\n";
    bool values = true;
    /// What stands in place of line i of the entries, from 0; nothing: the entry.
    std::function<std::string(int)> instead = {};
    int promised = kEntries;
    std::string tail = "\n";  ///< behind the last entry
};

std::string text_of(const std::vector<Given>& entries, int rows, int cols, const Spelling& spelling) {
    std::string text = spelling.banner + spelling.line_end + std::to_string(rows) + " " +
                       std::to_string(cols) + " " + std::to_string(spelling.promised) + spelling.line_end;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Given& e = entries[i];
        std::string line = spelling.instead ? spelling.instead(static_cast<int>(i)) : "";
        if (line.empty())
            line =
                std::to_string(e.row) + " " + std::to_string(e.col) + (spelling.values ? " " + e.value : "");
        text += line + (i + 1 < entries.size() ? spelling.line_end : spelling.tail);
    }
    return text;
}

// Whether the matrix holds the entries, mirrored by `sign` (0: not), and nothing else.
bool holds(const Csr& matrix, const std::vector<Given>& entries, double sign) {
    std::vector<std::tuple<std::int64_t, std::uint32_t, double>> wanted;
    wanted.reserve(2 * entries.size());
    for (const Given& e : entries) {
        const double value = std::stod(e.value);
        wanted.emplace_back(e.row - 1, e.col - 1, value);
        if (sign != 0.0 && e.row != e.col) wanted.emplace_back(e.col - 1, e.row - 1, sign * value);
    }
    // Rows are well formed in ascending columns.
    std::sort(wanted.begin(), wanted.end());
    if (matrix.column.size() != wanted.size() || !is_well_formed(matrix.view())) return false;
    std::size_t at = 0;
    for (std::int64_t row = 0; row < matrix.rows; ++row) {
        for (; static_cast<std::int64_t>(at) < matrix.row_begin[static_cast<std::size_t>(row) + 1]; ++at) {
            if (wanted[at] != std::tuple(row, matrix.column[at], matrix.value[at])) return false;
        }
    }
    return true;
}

}  // namespace

TEST_CASE("a file of many blocks is the matrix that it says, however it is spelt", "[matrix market]") {
    const PlantedFiles files;
    const std::vector<Given> all = entries_of(false);
    const auto read = [&](const Spelling& spelling, bool packed) {
        const std::string text = text_of(all, kRows, kCols, spelling);
        return read_matrix_market(files.write("a.mtx", packed ? gzipped(text) : text)).matrix;
    };
    CHECK(holds(read({}, false), all, 0.0));
    CHECK(holds(read({}, true), all, 0.0));
    CHECK(holds(read({.line_end = "\r\n", .tail = "\r\n"}, false), all, 0.0));
    CHECK(holds(read({.tail = ""}, false), all, 0.0));  // no end of the last line
    CHECK(holds(read({.tail = "\n\n  \n% the end"}, false), all, 0.0));
    // Legal, but not plain, in the middle: a comment, a blank line, a plus sign.
    const auto rare = [&](int i) -> std::string {
        const Given& e = all[static_cast<std::size_t>(i)];
        const std::string plain = std::to_string(e.row) + " " + std::to_string(e.col) + " " + e.value;
        if (i == 70'000) return "% a comment\n" + plain;
        if (i == 90'001) return "\n" + plain;
        if (i == 239'000) return " +" + std::to_string(e.row) + "\t" + std::to_string(e.col) + " " + e.value;
        return "";
    };
    CHECK(holds(read({.instead = rare}, false), all, 0.0));
}

TEST_CASE("mirrored and pattern files of many blocks", "[matrix market]") {
    const PlantedFiles files;
    const std::vector<Given> lower = entries_of(true);
    const std::string symmetric =
        text_of(lower, kRows, kRows, {.banner = "%%MatrixMarket matrix coordinate real symmetric"});
    CHECK(holds(read_matrix_market(files.write("s.mtx", symmetric)).matrix, lower, 1.0));
    std::vector<Given> strictly;
    for (const Given& e : lower) {
        if (e.col < e.row) strictly.push_back(e);
    }
    const std::string skew = text_of(strictly, kRows, kRows,
                                     {.banner = "%%MatrixMarket matrix coordinate real skew-symmetric",
                                      .promised = static_cast<int>(strictly.size())});
    CHECK(holds(read_matrix_market(files.write("k.mtx", skew)).matrix, strictly, -1.0));

    // Values of a pattern are a function of the place: the same beside a comment, which is read line by line.
    const std::vector<Given> all = entries_of(false);
    const Spelling pattern{.banner = "%%MatrixMarket matrix coordinate pattern general", .values = false};
    Spelling commented = pattern;
    commented.instead = [&](int i) {
        const Given& e = all[static_cast<std::size_t>(i)];
        return i % 5'000 == 0 ? "% here\n" + std::to_string(e.row) + " " + std::to_string(e.col) : "";
    };
    const Csr plain = read_matrix_market(files.write("p.mtx", text_of(all, kRows, kCols, pattern))).matrix;
    const Csr beside = read_matrix_market(files.write("q.mtx", text_of(all, kRows, kCols, commented))).matrix;
    CHECK(plain.row_begin == beside.row_begin);
    CHECK(plain.column == beside.column);
    CHECK(plain.value == beside.value);
}

TEST_CASE("a fault behind many plain lines is told with its own line", "[matrix market]") {
    const PlantedFiles files;
    const std::vector<Given> all = entries_of(false);
    const auto said = [&](const Spelling& spelling) {
        return verdict(files, files.write("a.mtx", text_of(all, kRows, kCols, spelling)));
    };
    const auto at = [](int line, std::string text) {
        // Entries begin in line 3.
        return Spelling{.instead = [=](int i) { return i == line - 3 ? text : std::string(); }};
    };
    for (const int line : {3, 40'000, 177'777, 240'002}) {
        const std::string where = "a.mtx:" + std::to_string(line) + ": ";
        CHECK_THAT(said(at(line, "3001 1 1")),
                   Catch::StartsWith(where + "the row index 3001 is beyond the 3000 rows"));
        CHECK_THAT(said(at(line, "1 0 1")),
                   Catch::StartsWith(where + "the column index 0 is out of range; indices start at 1"));
        CHECK_THAT(said(at(line, "1 1 nan")), Catch::StartsWith(where + "the value 'nan' is not finite"));
        CHECK_THAT(said(at(line, "1 1")), Catch::StartsWith(where + "the entry has 2 fields, expected 3"));
        CHECK_THAT(said(at(line, std::string("1 1 1\0", 6))),
                   Catch::StartsWith(where + "NUL byte in column 6"));
        CHECK_THAT(said(at(line, std::string(70'000, ' '))),
                   Catch::StartsWith(where + "the line is longer than 65536 bytes"));
    }
    CHECK_THAT(said({.promised = kEntries - 1}),
               Catch::StartsWith("a.mtx:240002: more entries than the 239999 that line 2 promises"));
    CHECK_THAT(said({.promised = kEntries + 1}), Catch::Contains("the file ends after 240000 of the 240001"));
    const Given& first = all[100];
    const std::string again = std::to_string(first.row) + " " + std::to_string(first.col) + " 1";
    CHECK_THAT(said(at(210'000, again)),
               Catch::StartsWith("a.mtx:210000: the entry (" + std::to_string(first.row) + ", " +
                                 std::to_string(first.col) + ") was given in line 103 already"));
    // Of two that are given twice, that in the row before the other's.
    Spelling both;
    both.instead = [&](int i) -> std::string {
        if (i != 200'000 && i != 220'000) return "";
        const Given& e = all[i == 200'000 ? 5 : 6];
        return std::to_string(e.row) + " " + std::to_string(e.col) + " 2";
    };
    const Given& above_all = all[5].row < all[6].row ? all[5] : all[6];
    CHECK_THAT(said(both), Catch::Contains("the entry (" + std::to_string(above_all.row) + ", "));
    // The triangle that a mirrored file must not hold.
    const std::vector<Given> lower = entries_of(true);
    Spelling above{.banner = "%%MatrixMarket matrix coordinate real symmetric"};
    above.instead = [](int i) { return i == 99'997 ? std::string("1 2 1") : std::string(); };
    CHECK_THAT(verdict(files, files.write("s.mtx", text_of(lower, kRows, kRows, above))),
               Catch::StartsWith("s.mtx:100000: the entry (1, 2) lies above the diagonal"));
}

TEST_CASE("blanks within entries count as filling, too", "[matrix market]") {
    const PlantedFiles files;
    MatrixMarketOptions options;
    options.largest_filler = 4 << 20;
    // A legal line each, sixty times as long as a line may be by the format.
    std::string text = "%%MatrixMarket matrix coordinate real general\n2000 1 2000\n";
    for (int row = 1; row <= 2'000; ++row) text += std::to_string(row) + std::string(60'000, ' ') + "1 1\n";
    const std::string path = files.write("a.mtx.gz", gzipped(text));
    CHECK_THAT(verdict(files, path, options), Catch::Contains("more than 4 MiB of text that is not entries"));
    options.largest_filler = 128 << 20;
    CHECK(verdict(files, path, options) == "accepted");
}

TEST_CASE("parts run side by side, each once, and the first fault of any is told") {
    std::vector<std::int64_t> cuts;
    for (int i = 0; i <= 16; ++i) cuts.push_back(10 * i);
    std::vector<std::atomic<int>> seen(160);
    std::atomic<bool> wrong = false;
    for_parts(cuts, [&](std::size_t part, std::int64_t first, std::int64_t last) {
        if (first != 10 * static_cast<std::int64_t>(part) || last != first + 10) wrong = true;
        for (std::int64_t i = first; i < last; ++i) ++seen[static_cast<std::size_t>(i)];
    });
    CHECK_FALSE(wrong);
    CHECK(std::all_of(seen.begin(), seen.end(), [](const auto& times) { return times == 1; }));
    const auto fails_in = [&](std::size_t which) {
        for_parts(cuts, [&](std::size_t part, std::int64_t, std::int64_t) {
            if (part == which) throw InputError("in one part");
        });
    };
    CHECK_THROWS_WITH(fails_in(0), "in one part");
    CHECK_THROWS_WITH(fails_in(15), "in one part");
    // By the mask of the thread that asks, as it is then.
    const int one = CpuMask::of_thread().cpus().front();
    std::int64_t processors = 0;
    std::thread([&] {
        if (CpuMask({one}).give_to()) processors = usable_processors();
    }).join();
    CHECK(processors == 1);
}

TEST_CASE("packed data that are cut end where their sound lines end", "[matrix market]") {
    const PlantedFiles files;
    const std::string whole = gzipped(text_of(entries_of(false), kRows, kCols, {}));
    const std::string said = verdict(files, files.write("a.mtx.gz", whole.substr(0, whole.size() / 2)));
    CHECK_THAT(said, Catch::Contains("the gzip data end before their end mark"));
    // Behind some of the lines, not at the beginning of a block.
    const int line = std::stoi(said.substr(said.find(':') + 1));
    CHECK(line > 80'000);
    CHECK(line < 160'000);
}

}  // namespace rooftune::spmv::test
