#include "kernels/sparse/matrix_market.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "kernels/sparse/fields.h"
#include "kernels/sparse/hash.h"
#include "kernels/sparse/limits.h"
#include "kernels/sparse/plain_lines.h"
#include "kernels/sparse/triplets.h"

namespace rooftune::sparse {
namespace {

using FileLayout = MatrixMarketHeader::Layout;
using Field = MatrixMarketHeader::Field;
using Symmetry = MatrixMarketHeader::Symmetry;

std::string place_text(const Entry& entry) {
    std::string text = "(";
    text += std::to_string(entry.row) + ", " + std::to_string(entry.col) + ")";
    return text;
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

/// The entries of a file, checked, line by line.
class EntryReader {
public:
    EntryReader(LineReader& reader, const MatrixMarketHeader& header)
        : reader_(reader), header_(header), array_order_(header) {}

    /// Entries read so far.
    std::int64_t count() const { return count_; }

    /// Reads up to `lines` lines and calls take(entry) for each entry among them; false at the end of the
    /// file, which must hold all that were promised.
    template <typename Take>
    bool read(std::int64_t lines, Take take) {
        std::string_view line;
        for (; lines > 0; --lines) {
            if (!reader_.next(line)) return finish();
            Entry entry;
            if (!quick_entry(line, header_, entry)) {
                refuse_nul(reader_, line);
                if (is_skippable(line)) continue;
                if (count_ < header_.entries) entry = careful_entry(reader_, line, header_);
            }
            if (count_ == header_.entries) {
                reader_.fail("more entries than the " + std::to_string(header_.entries) + " that line " +
                             std::to_string(header_.size_line) +
                             " promises; correct the size line or remove the rest");
            }
            if (header_.layout == FileLayout::array) {
                array_order_.give(entry);
            } else {
                check_place(reader_, header_, entry);
            }
            take(entry);
            reader_.entries_read(++count_);
        }
        return true;
    }

    /// So many entries were taken from the reader by somebody else.
    void passed(std::int64_t entries) { reader_.entries_read(count_ += entries); }

private:
    bool finish() const {
        if (count_ < header_.entries) {
            reader_.fail("the file ends after " + std::to_string(count_) + " of the " +
                         std::to_string(header_.entries) + " entries that line " +
                         std::to_string(header_.size_line) +
                         " promises; it is cut, or the size line is wrong");
        }
        return false;
    }

    LineReader& reader_;
    const MatrixMarketHeader& header_;
    ArrayOrder array_order_;
    std::int64_t count_ = 0;
};

/// All entries of a file.
Triplets read_entries(LineReader& reader, const MatrixMarketHeader& header, std::uint64_t seed) {
    Triplets entries(static_cast<std::size_t>(header.entries));
    EntryReader one_by_one(reader, header);
    const bool pattern = header.field == Field::pattern;
    const auto take = [&](const Entry& entry) {
        const auto row = static_cast<std::uint32_t>(entry.row - 1);
        const auto col = static_cast<std::uint32_t>(entry.col - 1);
        entries.set(static_cast<std::size_t>(one_by_one.count()), row, col,
                    pattern ? place_value(seed, row, col) : entry.value);
    };
    bool more = true;
    while (more) {
        const std::string_view ahead =
            header.layout == FileLayout::coordinate ? reader.ahead() : std::string_view();
        if (const auto lines = take_plain_lines(ahead, header, seed, one_by_one.count(), entries);
            lines.value_or(0) > 0 && reader.has_room_for(ahead.size(), *lines)) {
            reader.pass(ahead, *lines);
            one_by_one.passed(*lines);
        } else {
            const auto all = ahead.empty() ? INT64_MAX : std::count(ahead.begin(), ahead.end(), '\n');
            more = one_by_one.read(all, take);
        }
    }
    entries.resize(static_cast<std::size_t>(one_by_one.count()));
    return entries;
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
    EntryReader(reader, header).read(INT64_MAX, [&](const Entry& entry) {
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

    const Triplets entries = read_entries(reader, header, options.pattern_seed);

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
