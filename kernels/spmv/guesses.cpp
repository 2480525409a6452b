#include "kernels/spmv/guesses.h"

#include <algorithm>

namespace rooftune::spmv {

std::vector<std::map<std::string, std::string>> first_guesses(const CsrView& matrix, DType dtype,
                                                              const Target& target) {
    constexpr double kLarge = 16.0 * 1024.0 * 1024.0;
    const auto stored = static_cast<double>(matrix.stored());
    if (stored * (static_cast<double>(size_of(dtype)) + 4.0) < kLarge) return {};
    // What won: of the 27-point matrix SELL-32 with a prefetch distance of 2048 and two vectors a turn on a
    // Zen 3 (110^3 rows, f32), SELL-16 and SELL-32 with four vectors a turn and distances from 256 to 8192 on
    // a Zen 5 (120^3); of a mesh with three unknowns a node rows with 16 bits an index on the Zen 3 (4096).
    // On all of them one stream. Chunks of rows that differ in length are sorted within a few pages of y.
    std::int64_t longest = 0;
    for (std::int64_t row = 0; row < matrix.rows; ++row) longest = std::max(longest, matrix.row_length(row));
    constexpr double kAlike = 1.25;
    const bool alike = static_cast<double>(longest) * static_cast<double>(matrix.rows) <= kAlike * stored;
    const std::string widest =
        target.width_bits.empty() ? "scalar" : std::to_string(target.width_bits.back());
    const std::map<std::string, std::string> common{
        {"index", "16"},       {"threads", std::to_string(target.threads)},
        {"partition", "nnz"},  {"simd", widest},
        {"unroll", "2"},       {"streams", "1"},
        {"placement", "owner"}};
    std::map<std::string, std::string> chunks = common, rows = common;
    chunks.insert(
        {{"format", "sell"}, {"chunk", "32"}, {"sigma", alike ? "1" : "4096"}, {"prefetch", "2048"}});
    rows.insert({{"format", "csr"}, {"prefetch", "4096"}});
    return {chunks, rows};
}

}  // namespace rooftune::spmv
