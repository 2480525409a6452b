// What a matrix is like, as far as it decides the format: how much there is (against the caches), how long
// and how even its rows are, how far they reach, and whether entries lie side by side, as in blocks.
#include <algorithm>
#include <cmath>
#include <map>

#include "kernels/spmv/problem.h"

namespace rooftune::spmv {

double mean_run(const CsrView& matrix) {
    std::int64_t runs = 0;
    for (std::int64_t row = 0; row < matrix.rows; ++row) {
        const auto begin = static_cast<std::size_t>(matrix.row_begin[static_cast<std::size_t>(row)]);
        const auto end = static_cast<std::size_t>(matrix.row_begin[static_cast<std::size_t>(row) + 1]);
        for (std::size_t i = begin; i < end; ++i)
            runs += i == begin || matrix.column[i] != matrix.column[i - 1] + 1;
    }
    return runs > 0 ? static_cast<double>(matrix.stored()) / static_cast<double>(runs) : 1.0;
}

std::vector<std::pair<std::string, double>> SpmvProblem::features() const {
    std::map<std::string, double> fact;
    for (const auto& [name, value] : facts()) fact[name] = value;
    const double rows = std::max(1.0, fact["rows"]);
    const double cols = std::max(1.0, fact["cols"]);
    // An empty matrix has rows of nothing: half an entry is less than any other's mean.
    const double mean = std::max(0.5 / rows, fact["mean_row"]);
    return {{"log2(1+stored)", std::log2(1.0 + fact["stored"])},
            {"log2(cols/rows)", std::log2(cols / rows)},
            {"log2(1+mean_row)", std::log2(1.0 + fact["mean_row"])},
            {"log2(1+row_deviation/mean_row)", std::log2(1.0 + fact["row_deviation"] / mean)},
            {"log2(1+longest_row/mean_row)", std::log2(1.0 + fact["longest_row"] / mean)},
            {"log2((1+bandwidth)/cols)", std::log2((1.0 + fact["bandwidth"]) / cols)},
            {"2*log2(mean_run)", 2.0 * std::log2(mean_run(matrix()))}};
}

}  // namespace rooftune::spmv
