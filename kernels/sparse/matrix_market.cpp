#include "kernels/sparse/matrix_market.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "kernels/sparse/fields.h"
#include "kernels/sparse/hash.h"
#include "kernels/sparse/limits.h"
#include "kernels/sparse/triplets.h"

namespace rooftune::sparse {
namespace {

using FileLayout = MatrixMarketHeader::Layout;
using Field = MatrixMarketHeader::Field;
using Symmetry = MatrixMarketHeader::Symmetry;

struct Entry {
    std::int64_t row = 0;  ///< as in the file, from 1
    std::int64_t col = 0;
    double value = 0.0;
};

std::string place_text(const Entry& entry) {
    std::string text = "(";
    text += std::to_string(entry.row) + ", " + std::to_string(entry.col) + ")";
    return text;
}

// The quick parser takes what nearly every line looks like and gives up on anything else without a
// word; the careful one below then either finds a rarer legal spelling or the fault.

bool quick_index(const char*& at, const char* end, std::int64_t& index) {
    while (at != end && is_blank(*at)) ++at;
    const char* begin = at;
    std::uint64_t number = 0;
    for (; at != end && *at >= '0' && *at <= '9'; ++at)
        number = 10 * number + static_cast<std::uint64_t>(*at - '0');
    index = static_cast<std::int64_t>(number);
    constexpr std::ptrdiff_t kDigitsThatFit = 18;
    return at != begin && at - begin <= kDigitsThatFit && (at == end || is_blank(*at));
}

bool quick_value(const char*& at, const char* end, Field field, double& value) {
    while (at != end && is_blank(*at)) ++at;
    std::errc error{};
    if (field == Field::integer) {
        std::int64_t integer = 0;
        const auto result = std::from_chars(at, end, integer);
        value = static_cast<double>(integer);
        error = result.ec;
        at = result.ptr;
    } else {
        const auto result = std::from_chars(at, end, value);
        error = result.ec;
        at = result.ptr;
    }
    return error == std::errc() && std::isfinite(value) && (at == end || is_blank(*at));
}

bool quick_entry(std::string_view line, const MatrixMarketHeader& header, Entry& entry) {
    const char* at = line.data();
    const char* end = at + line.size();
    if (header.layout == FileLayout::coordinate) {
        if (!quick_index(at, end, entry.row) || !quick_index(at, end, entry.col)) return false;
    }
    if (header.field != Field::pattern && !quick_value(at, end, header.field, entry.value)) return false;
    while (at != end && is_blank(*at)) ++at;
    return at == end;
}

std::int64_t careful_index(const LineReader& reader, std::string_view field, const char* name) {
    std::int64_t index = 0;
    switch (parse_integer(field, index)) {
        case NumberFault::none:
            return index;
        case NumberFault::out_of_range:
            reader.fail(std::string("the ") + name + " index " + quoted(field) +
                        " does not fit 64 bits; correct it");
        default:
            reader.fail(std::string("the ") + name + " index " + quoted(field) +
                        " is not an integer; correct it");
    }
}

double careful_value(const LineReader& reader, std::string_view field, Field kind) {
    NumberFault fault = NumberFault::none;
    double value = 0.0;
    if (kind == Field::integer) {
        std::int64_t integer = 0;
        fault = parse_integer(field, integer);
        value = static_cast<double>(integer);
    } else {
        fault = parse_real(field, value);
    }
    const std::string text = "the value " + quoted(field);
    switch (fault) {
        case NumberFault::none:
            return value;
        case NumberFault::not_finite:
            reader.fail(text + " is not finite; NaN and infinity are not entries of a matrix, give a number");
        case NumberFault::out_of_range:
            reader.fail(text + (kind == Field::integer
                                    ? " does not fit 64 bits; correct it, or write 'real' in the banner"
                                    : " is too large for a double (1.8e308); correct it"));
        default:
            reader.fail(text + (kind == Field::integer
                                    ? " is not an integer; correct it, or write 'real' in the banner"
                                    : " is not a decimal number (like -1.5e-3); correct it"));
    }
}

void refuse_nul(const LineReader& reader, std::string_view line) {
    const std::size_t nul = line.find('\0');
    if (nul == std::string_view::npos) return;
    reader.fail("NUL byte in column " + std::to_string(nul + 1) +
                ": the file is damaged or binary; copy or download it again");
}

Entry careful_entry(const LineReader& reader, std::string_view line, const MatrixMarketHeader& header) {
    const bool coordinate = header.layout == FileLayout::coordinate;
    const bool pattern = header.field == Field::pattern;
    const std::size_t wanted = (coordinate ? 2 : 0) + (pattern ? 0 : 1);
    const std::vector<std::string_view> fields = fields_of(line);
    if (fields.size() != wanted) {
        const char* names = !coordinate ? " (a value)" : pattern ? " (row, column)" : " (row, column, value)";
        const bool cut = fields.size() < wanted && reader.unterminated();
        reader.fail("the entry has " + std::to_string(fields.size()) +
                    (fields.size() == 1 ? " field" : " fields") + ", expected " + std::to_string(wanted) +
                    names +
                    (cut ? "; the file ends within this line, it is cut: copy or download it again"
                         : "; correct the line"));
    }
    Entry entry;
    if (coordinate) {
        entry.row = careful_index(reader, fields[0], "row");
        entry.col = careful_index(reader, fields[1], "column");
    }
    if (!pattern) entry.value = careful_value(reader, fields.back(), header.field);
    return entry;
}

[[noreturn]] void fail_index(const LineReader& reader, const char* name, std::int64_t index,
                             std::int64_t size) {
    const std::string text = std::string("the ") + name + " index " + std::to_string(index);
    if (index == 0) reader.fail(text + " is out of range; indices start at 1: add 1 to all of them");
    if (index < 0) reader.fail(text + " is negative; indices start at 1");
    reader.fail(text + " is beyond the " + std::to_string(size) + " " + name +
                "s that the size line promises; correct it");
}

void check_place(const LineReader& reader, const MatrixMarketHeader& header, const Entry& entry) {
    if (entry.row < 1 || entry.row > header.rows) fail_index(reader, "row", entry.row, header.rows);
    if (entry.col < 1 || entry.col > header.cols) fail_index(reader, "column", entry.col, header.cols);
    if (header.symmetry == Symmetry::general) return;
    if (entry.col > entry.row) {
        reader.fail(
            "the entry " + place_text(entry) +
            " lies above the diagonal, and a symmetric or skew-symmetric file holds the lower triangle only; "
            "leave it out if its mirror image is there, else swap its indices, or write 'general'");
    }
    if (header.symmetry == Symmetry::skew_symmetric && entry.col == entry.row) {
        reader.fail(
            "the entry " + place_text(entry) +
            " lies on the diagonal, which is zero in a skew-symmetric matrix and not stored; leave it out");
    }
}

/// Places of an array file in its order: by columns, the triangle that is stored.
class ArrayOrder {
public:
    explicit ArrayOrder(const MatrixMarketHeader& header) : header_(header) { start_column(); }
    void give(Entry& entry) {
        entry.row = row_++;
        entry.col = col_;
        if (row_ > header_.rows) {
            ++col_;
            start_column();
        }
    }

private:
    void start_column() {
        switch (header_.symmetry) {
            case Symmetry::general:
                row_ = 1;
                break;
            case Symmetry::symmetric:
                row_ = col_;
                break;
            case Symmetry::skew_symmetric:
                row_ = col_ + 1;
                break;
        }
    }
    const MatrixMarketHeader& header_;
    std::int64_t row_ = 1;
    std::int64_t col_ = 1;
};

/// Reads all entries of a file and calls take(entry) for each, checked.
template <typename Take>
void for_each_entry(LineReader& reader, const MatrixMarketHeader& header, Take take) {
    ArrayOrder array_order(header);
    std::int64_t count = 0;
    std::string_view line;
    while (reader.next(line)) {
        Entry entry;
        if (!quick_entry(line, header, entry)) {
            refuse_nul(reader, line);
            if (is_skippable(line)) continue;
            if (count < header.entries) entry = careful_entry(reader, line, header);
        }
        if (count == header.entries) {
            reader.fail("more entries than the " + std::to_string(header.entries) + " that line " +
                        std::to_string(header.size_line) +
                        " promises; correct the size line or remove the rest");
        }
        if (header.layout == FileLayout::array) {
            array_order.give(entry);
        } else {
            check_place(reader, header, entry);
        }
        take(entry);
        reader.entries_read(++count);
    }
    if (count < header.entries) {
        reader.fail("the file ends after " + std::to_string(count) + " of the " +
                    std::to_string(header.entries) + " entries that line " +
                    std::to_string(header.size_line) + " promises; it is cut, or the size line is wrong");
    }
}

/// Reads the file once more to say where a duplicate stands: lines are not kept while reading, they
/// would cost 8 bytes an entry for a case that never happens in a sound file.
[[noreturn]] void fail_duplicate(const LineReader& first_pass, const MatrixMarketHeader& header,
                                 const Duplicate& duplicate, const MatrixMarketOptions& options) {
    const std::int64_t row = std::int64_t{duplicate.row} + 1;
    const std::int64_t col = std::int64_t{duplicate.col} + 1;
    LineReader reader(first_pass.file(), options.largest_filler);
    read_matrix_market_header(reader, options.available_bytes);
    std::int64_t first_line = 0;
    for_each_entry(reader, header, [&](const Entry& entry) {
        const bool here = entry.row == row && entry.col == col;
        const bool mirrored = header.symmetry != Symmetry::general && entry.row == col && entry.col == row;
        if (!here && !mirrored) return;
        if (first_line != 0) {
            reader.fail("the entry " + place_text(entry) + " was given in line " +
                        std::to_string(first_line) +
                        " already; leave one of them out, or write their sum once");
        }
        first_line = reader.number();
    });
    first_pass.fail("the file changed while it was read; read it again when it is complete");
}

Mirror mirror_of(Symmetry symmetry) {
    switch (symmetry) {
        case Symmetry::symmetric:
            return Mirror::same;
        case Symmetry::skew_symmetric:
            return Mirror::negated;
        default:
            return Mirror::none;
    }
}

}  // namespace

MatrixMarketFile read_matrix_market(const std::string& path, const MatrixMarketOptions& options) {
    LineReader reader(path, options.largest_filler);
    MatrixMarketFile file;
    file.header = read_matrix_market_header(reader, options.available_bytes);
    const MatrixMarketHeader& header = file.header;

    Triplets entries;
    entries.reserve(static_cast<std::size_t>(header.entries));
    const bool pattern = header.field == Field::pattern;
    for_each_entry(reader, header, [&](const Entry& entry) {
        const auto row = static_cast<std::uint32_t>(entry.row - 1);
        const auto col = static_cast<std::uint32_t>(entry.col - 1);
        entries.add(row, col, pattern ? place_value(options.pattern_seed, row, col) : entry.value);
    });

    const Mirror mirror = mirror_of(header.symmetry);
    const std::string fault =
        size_fault(static_cast<double>(header.rows), static_cast<double>(header.cols),
                   static_cast<double>(stored_in_full(entries, mirror)), 0.0, options.available_bytes);
    if (!fault.empty()) reader.fail(header.size_line, fault);
    std::optional<Duplicate> duplicate;
    file.matrix = assemble(entries, header.rows, header.cols, mirror, duplicate);
    if (duplicate) fail_duplicate(reader, header, *duplicate, options);
    return file;
}

}  // namespace rooftune::sparse
