#include "kernels/sparse/plain_lines.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <system_error>
#include <vector>

#include "kernels/sparse/fields.h"
#include "kernels/sparse/hash.h"
#include "kernels/sparse/line_reader.h"
#include "kernels/sparse/parts.h"

namespace rooftune::sparse {
namespace {

using FileLayout = MatrixMarketHeader::Layout;
using Field = MatrixMarketHeader::Field;
using Symmetry = MatrixMarketHeader::Symmetry;

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

bool may_lie_there(const MatrixMarketHeader& header, const Entry& entry) {
    if (entry.row < 1 || entry.row > header.rows || entry.col < 1 || entry.col > header.cols) return false;
    switch (header.symmetry) {
        case Symmetry::symmetric:
            return entry.col <= entry.row;
        case Symmetry::skew_symmetric:
            return entry.col < entry.row;
        default:
            return true;
    }
}

/// Ends of about equal parts of `text`, each behind a line end.
std::vector<std::int64_t> parts_of(std::string_view text) {
    constexpr std::size_t kFewestBytesAThread = std::size_t{1} << 16;
    const auto most = static_cast<std::size_t>(usable_processors());
    const std::size_t parts = std::clamp<std::size_t>(text.size() / kFewestBytesAThread, 1, most);
    std::vector<std::int64_t> cuts{0};
    for (std::size_t part = 1; part < parts; ++part) {
        const std::size_t line =
            text.find('\n', text.size() * part / parts) + 1;  // whole lines: there is one
        cuts.push_back(std::max(cuts.back(), static_cast<std::int64_t>(line)));
    }
    cuts.push_back(static_cast<std::int64_t>(text.size()));
    return cuts;
}

/// Puts the entry of each line of `text` into `to`, from place `at` on; false, and what is there is of no
/// use, where a line is not that plain.
bool take_plain(std::string_view text, const MatrixMarketHeader& header, std::uint64_t seed, Triplets& to,
                std::size_t at) {
    const bool pattern = header.field == Field::pattern;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end + 1);
        if (line.size() > LineReader::kLongestLine) return false;
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        Entry entry;
        if (!quick_entry(line, header, entry) || !may_lie_there(header, entry)) return false;
        const auto row = static_cast<std::uint32_t>(entry.row - 1);
        const auto col = static_cast<std::uint32_t>(entry.col - 1);
        to.set(at++, row, col, pattern ? place_value(seed, row, col) : entry.value);
    }
    return true;
}

}  // namespace

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

std::optional<std::int64_t> take_plain_lines(std::string_view lines, const MatrixMarketHeader& header,
                                             std::uint64_t pattern_seed, std::int64_t count, Triplets& to) {
    const std::vector<std::int64_t> cuts = parts_of(lines);
    const auto part_of = [&](std::int64_t begin, std::int64_t end) {
        return lines.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    };
    std::vector<std::int64_t> before(cuts.size(), 0);  // lines before each cut
    for_parts(cuts, [&](std::size_t part, std::int64_t begin, std::int64_t end) {
        const std::string_view text = part_of(begin, end);
        before[part + 1] = std::count(text.begin(), text.end(), '\n');
    });
    for (std::size_t part = 1; part < before.size(); ++part) before[part] += before[part - 1];
    if (before.back() > header.entries - count) return std::nullopt;
    std::atomic<bool> plain = true;
    for_parts(cuts, [&](std::size_t part, std::int64_t begin, std::int64_t end) {
        const auto at = static_cast<std::size_t>(count + before[part]);
        if (!take_plain(part_of(begin, end), header, pattern_seed, to, at)) plain = false;
    });
    return plain ? std::optional(before.back()) : std::nullopt;
}

}  // namespace rooftune::sparse
