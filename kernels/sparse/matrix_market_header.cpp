#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "kernels/runtime/nearest.h"
#include "kernels/sparse/fields.h"
#include "kernels/sparse/limits.h"
#include "kernels/sparse/matrix_market.h"

namespace rooftune::sparse {
namespace {

using FileLayout = MatrixMarketHeader::Layout;
using Field = MatrixMarketHeader::Field;
using Symmetry = MatrixMarketHeader::Symmetry;

constexpr std::string_view kBanner = "%%MatrixMarket";
constexpr std::string_view kExample = "'%%MatrixMarket matrix coordinate real general'";

std::string lowered(std::string_view text) {
    std::string lower(text);
    for (char& c : lower) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return lower;
}

std::string joined(std::span<const std::string> words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
        text += words[i];
    }
    return text;
}

/// Encodings and containers that make a text file unreadable, each by its name.
void refuse_other_encodings(const LineReader& reader, std::string_view line) {
    if (line.starts_with("\xEF\xBB\xBF")) {
        reader.fail("the file starts with a UTF-8 byte order mark; save it as plain text without one");
    }
    if (line.starts_with("\xFF\xFE") || line.starts_with("\xFE\xFF")) {
        reader.fail("the file is UTF-16; convert it to plain text (iconv -f UTF-16 -t ASCII)");
    }
    if (line.find('\r') != std::string_view::npos) {
        reader.fail(
            "carriage returns inside the line: perhaps old Macintosh line ends; convert them (tr '\\r' "
            "'\\n')");
    }
    constexpr std::size_t kTarMagic = 257;
    if (line.size() > kTarMagic && line.substr(kTarMagic).starts_with("ustar")) {
        reader.fail("the file is a tar archive; extract the .mtx file from it");
    }
    if (line.find('\0') != std::string_view::npos) {
        reader.fail(
            "the line holds NUL bytes: the file is binary, UTF-16 without a byte order mark, or damaged; "
            "a Matrix Market file is plain text");
    }
}

void check_banner_word(const LineReader& reader, const std::vector<std::string_view>& words,
                       std::string_view line) {
    const std::string word = words.empty() ? std::string() : lowered(words[0]);
    if (word == lowered(kBanner) && line[0] == '%') return;
    const std::string expected = "; the first line must be the banner, as in " + std::string(kExample);
    if (word.empty()) reader.fail("the first line is blank" + expected);
    if (word == lowered(kBanner))
        reader.fail("the banner does not start at the beginning of the line" + expected);
    if (word == "%matrixmarket") reader.fail("the banner starts with one %, it needs two" + expected);
    if (word == "matrixmarket") reader.fail("the banner lacks its two %" + expected);
    if (word == "%%") reader.fail("a blank stands between %% and MatrixMarket" + expected);
    const std::array<std::string, 1> known{std::string(kBanner)};
    const std::string near = nearest(word, known);
    const std::string hint = near.empty() ? std::string() : " (did you mean " + near + "?)";
    reader.fail("the file starts with " + quoted(words[0]) + ", not with the banner" + hint + expected);
}

/// The place of the banner's word `index` among `known`.
std::size_t banner_choice(const LineReader& reader, const std::vector<std::string_view>& words,
                          std::size_t index, const std::string& what, std::span<const std::string> known) {
    if (words.size() <= index) {
        reader.fail("the banner ends after " + quoted(words[index - 1]) + ", its " + what + " is missing (" +
                    joined(known) + "); write for example " + std::string(kExample));
    }
    const std::string word = lowered(words[index]);
    for (std::size_t i = 0; i < known.size(); ++i) {
        if (word == known[i]) return i;
    }
    std::string near = nearest(word, known);
    if (word == "double") near = "real";
    if (word == "unsigned-integer") near = "integer";
    const std::string hint = near.empty() ? std::string("known: ") : "did you mean '" + near + "'? Known: ";
    reader.fail("unknown " + what + " " + quoted(words[index]) + " in the banner; " + hint + joined(known));
}

void read_banner(LineReader& reader, MatrixMarketHeader& header) {
    std::string_view line;
    if (!reader.next(line))
        reader.fail(1,
                    "the file is empty; the first line must be the banner, as in " + std::string(kExample));
    refuse_other_encodings(reader, line);
    const std::vector<std::string_view> words = fields_of(line);
    check_banner_word(reader, words, line);

    static const std::array<std::string, 3> kObjects{"matrix", "vector", "directedgraph"};
    static const std::array<std::string, 2> kLayouts{"coordinate", "array"};
    static const std::array<std::string, 4> kFields{"real", "integer", "pattern", "complex"};
    static const std::array<std::string, 4> kSymmetries{"general", "symmetric", "skew-symmetric",
                                                        "hermitian"};
    const std::size_t object = banner_choice(reader, words, 1, "object", kObjects);
    if (object != 0) reader.fail("the object is a " + kObjects[object] + "; give a file with a matrix");
    const std::size_t layout = banner_choice(reader, words, 2, "format", kLayouts);
    const std::size_t field = banner_choice(reader, words, 3, "field", kFields);
    const std::size_t symmetry = banner_choice(reader, words, 4, "symmetry", kSymmetries);
    if (words.size() > 5) {
        reader.fail("extra text " + quoted(words[5]) + " after the banner's five words; remove it");
    }
    if (field == 3) {
        reader.fail(
            "the field is complex, and only real matrices are supported; write the real part or the modulus "
            "to a file with field real");
    }
    if (symmetry == 3) {
        reader.fail("hermitian goes with complex values only and the field is " + kFields[field] +
                    "; write 'symmetric' instead");
    }
    header.layout = static_cast<FileLayout>(layout);
    header.field = static_cast<Field>(field);
    header.symmetry = static_cast<Symmetry>(symmetry);
    if (header.field == Field::pattern && header.layout == FileLayout::array) {
        reader.fail(
            "an array stores every value, so it cannot be a pattern; write 'coordinate', or the field real");
    }
    if (header.field == Field::pattern && header.symmetry == Symmetry::skew_symmetric) {
        reader.fail(
            "a pattern has no values and so no signs: it cannot be skew-symmetric; write 'symmetric' or "
            "'general', or give values");
    }
}

std::int64_t read_size(const LineReader& reader, std::string_view field, const std::string& name) {
    std::int64_t size = 0;
    switch (parse_integer(field, size)) {
        case NumberFault::none:
            break;
        case NumberFault::out_of_range:
            reader.fail("the number of " + name + " " + quoted(field) +
                        " does not fit 64 bits; correct the size line");
        default:
            reader.fail("the number of " + name + " " + quoted(field) +
                        " is not an integer; correct the size line, or add it if it is missing");
    }
    if (size < 0) {
        reader.fail("the number of " + name + " " + quoted(field) + " is negative; correct the size line");
    }
    return size;
}

void read_size_line(LineReader& reader, MatrixMarketHeader& header) {
    const bool coordinate = header.layout == FileLayout::coordinate;
    const std::string expected =
        coordinate ? "3 numbers (rows, columns, entries)" : "2 numbers (rows, columns)";
    std::string_view line;
    do {
        if (!reader.next(line)) {
            reader.fail("the file ends before the size line; it needs a line with " + expected);
        }
        if (line.find('\0') != std::string_view::npos) {
            reader.fail(
                "the line holds a NUL byte: the file is binary or damaged; a Matrix Market file is plain "
                "text");
        }
    } while (is_skippable(line));
    const std::vector<std::string_view> fields = fields_of(line);
    const std::size_t wanted = coordinate ? 3 : 2;
    if (fields.size() != wanted) {
        reader.fail("the size line has " + std::to_string(fields.size()) +
                    (fields.size() == 1 ? " field" : " fields") + ", expected " + expected +
                    "; correct it, or add it if it is missing");
    }
    header.size_line = reader.number();
    header.rows = read_size(reader, fields[0], "rows");
    header.cols = read_size(reader, fields[1], "columns");
    if (coordinate) header.entries = read_size(reader, fields[2], "entries");
}

/// Stored entries of the full matrix, at least: a symmetric file mirrors all but its diagonal.
double stored_in_full(const MatrixMarketHeader& header, double lines) {
    switch (header.symmetry) {
        case Symmetry::symmetric:
            return std::max(lines, 2.0 * lines - static_cast<double>(header.rows));
        case Symmetry::skew_symmetric:
            return 2.0 * lines;
        default:
            return lines;
    }
}

/// Entry lines that a matrix of these sizes has room for, as a double (they may overflow 64 bits).
double places(const MatrixMarketHeader& header) {
    const auto rows = static_cast<double>(header.rows);
    switch (header.symmetry) {
        case Symmetry::symmetric:
            return rows / 2.0 * (rows + 1.0);
        case Symmetry::skew_symmetric:
            return rows / 2.0 * (rows - 1.0);
        default:
            return rows * static_cast<double>(header.cols);
    }
}

void check_sizes(const LineReader& reader, MatrixMarketHeader& header, double available_bytes) {
    if (header.rows == 0 || header.cols == 0) {
        reader.fail(std::string("the matrix has 0 ") + (header.rows == 0 ? "rows" : "columns") +
                    ", so there is nothing to multiply; sizes start at 1");
    }
    const bool general = header.symmetry == Symmetry::general;
    if (!general && header.rows != header.cols) {
        reader.fail(std::string("the banner says ") +
                    (header.symmetry == Symmetry::symmetric ? "symmetric" : "skew-symmetric") +
                    ", but the matrix is " + std::to_string(header.rows) + " x " +
                    std::to_string(header.cols) + ", not square; correct the sizes, or write 'general'");
    }
    const double room = places(header);
    const bool array = header.layout == FileLayout::array;
    // Beyond 2^53 a double no longer counts exactly, and such a matrix is refused for its size anyway.
    if (!array && static_cast<double>(header.entries) > room && room < 0x1p53) {
        reader.fail("the size line promises " + std::to_string(header.entries) + " entries and a matrix of " +
                    std::to_string(header.rows) + " x " + std::to_string(header.cols) +
                    (general ? "" : " (one triangle)") + " has room for " +
                    std::to_string(static_cast<std::int64_t>(room)) + "; correct the size line");
    }
    const double lines = array ? room : static_cast<double>(header.entries);
    constexpr double kBytesWhileReading = 16.0;
    const std::string fault =
        size_fault(static_cast<double>(header.rows), static_cast<double>(header.cols),
                   stored_in_full(header, lines), kBytesWhileReading * lines, available_bytes);
    if (!fault.empty()) reader.fail(fault);
    if (array) header.entries = static_cast<std::int64_t>(std::llround(room));
}

}  // namespace

MatrixMarketHeader read_matrix_market_header(LineReader& reader, double available_bytes) {
    MatrixMarketHeader header;
    read_banner(reader, header);
    read_size_line(reader, header);
    check_sizes(reader, header, available_bytes);
    return header;
}

}  // namespace rooftune::sparse
