// Sparse plans of every format, on one thread and on two, with a plain loop to hold them against.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "kernels/spmv/family.h"
#include "kernels/spmv/problem.h"
#include "tests/support/catch.h"
#include "tests/unit/plans/tuned_folder.h"
#include "tests/unit/plans/whole_numbers.h"
#include "tuner/plans/rooftune.h"
#include "tuner/plans/sparse_matrix_inside.h"

namespace rooftune::test {

/// Arrays as a program has them. The values are small whole numbers, so that every sum is exact in both
/// types.
template <typename T>
struct Arrays {
    std::int64_t rows = 0, cols = 0;
    std::vector<std::int64_t> begin{0};
    std::vector<std::int32_t> column;
    std::vector<T> value;

    SparseMatrix matrix() const { return {rows, cols, begin.data(), column.data(), value.data()}; }
    std::int64_t given() const { return static_cast<std::int64_t>(column.size()); }

    /// alpha·op(A)·x + beta·y; with beta 0 y is not read.
    std::vector<T> expected(bool transposed, T alpha, const std::vector<T>& x, T beta,
                            const std::vector<T>& y) const {
        std::vector<T> sums(static_cast<std::size_t>(transposed ? cols : rows), T{0});
        for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
            for (auto k = static_cast<std::size_t>(begin[i]); k < static_cast<std::size_t>(begin[i + 1]);
                 ++k) {
                const auto j = static_cast<std::size_t>(column[k]);
                (transposed ? sums[j] : sums[i]) += value[k] * (transposed ? x[i] : x[j]);
            }
        }
        for (std::size_t i = 0; i < sums.size(); ++i)
            sums[i] = beta == T{0} ? alpha * sums[i] : alpha * sums[i] + beta * y[i];
        return sums;
    }
};

enum class Order { ascending, any };  ///< of a row's entries; any: some of one place, too

/// Rows of 0 to `longest` entries, every seventh one empty.
template <typename T>
Arrays<T> random_arrays(std::int64_t rows, std::int64_t cols, int longest, Order order, unsigned seed) {
    std::mt19937 random(seed);
    Arrays<T> a;
    a.rows = rows;
    a.cols = cols;
    for (std::int64_t i = 0; i < rows; ++i) {
        std::vector<std::int32_t> row;
        const int length =
            i % 7 == 3 || cols == 0 ? 0 : static_cast<int>(random() % static_cast<unsigned>(longest + 1));
        for (int k = 0; k < length; ++k)
            row.push_back(static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(cols)));
        if (order == Order::ascending) {
            std::sort(row.begin(), row.end());
            row.erase(std::unique(row.begin(), row.end()), row.end());
        }
        a.column.insert(a.column.end(), row.begin(), row.end());
        a.begin.push_back(a.given());
    }
    a.value = whole_numbers<T>(a.column.size(), seed + 1);
    return a;
}

/// Configs that were tuned on this machine, one each.
inline Tuned tuned_by(const std::vector<TunedConfig>& configs) {
    auto inside = std::make_shared<Tuned::Inside>();
    inside->folder = "tuned";
    for (std::size_t i = 0; i < configs.size(); ++i)
        inside->configs.push_back({"tuned/" + std::to_string(i) + ".json", configs[i], true});
    return Tuned(std::move(inside));
}

/// For each format and length of index a config whose winner has it, on so many threads.
template <typename T>
std::vector<TunedConfig> configs_of_all_formats(const SparseMatrix& matrix, int threads) {
    const auto family = make_spmv_family();
    const auto problem = spmv::SpmvProblem::from(matrix.inside().csr,
                                                 sizeof(T) == 8 ? DType::f64 : DType::f32, {}, "a matrix");
    const Target target = target_on(this_machine().topology, usable_widths(), threads);
    const Space space = family->space(*problem, target);
    std::set<std::string> seen;
    std::vector<TunedConfig> configs;
    for (const Variant& v : some_variants(space, 0, 96, 7)) {
        const auto values = space.to_map(v);
        if (!seen.insert(values.at("format") + values.at("index")).second) continue;
        configs.push_back(config_of(*family, *problem, v, space));
        configs.back().result.threads = threads;
    }
    return configs;
}

/// Calls body(plan) for a plan of each format on one thread and on two (where there are two), and for one of
/// the default variant.
template <typename T, typename Body>
void with_plans_of_all_formats(const SparseMatrix& matrix, Body&& body) {
    const int most = static_cast<int>(at_most_two_cpus().size());
    for (int threads = 1; threads <= most; ++threads) {
        const PlanOptions options{.workers = Workers::shared(threads)};
        SpmvPlan<T> usual = spmv_plan<T>(Tuned(), matrix, options);
        body(usual);
        std::set<std::string> formats;
        if (matrix.stored() == 0) continue;
        for (const TunedConfig& config : configs_of_all_formats<T>(matrix, threads)) {
            SpmvPlan<T> plan = spmv_plan<T>(tuned_by({config}), matrix, options);
            INFO(plan.choice().variant << ": " << plan.choice().why);
            REQUIRE(plan.choice().from == PlanChoice::From::tuned);
            formats.insert(config.result.best.at("format") + config.result.best.at("index"));
            body(plan);
        }
        CHECK(formats.size() == 6);
    }
}

}  // namespace rooftune::test
