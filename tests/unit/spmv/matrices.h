// Small awkward matrices, and the machine they are tried on.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "kernels/contract/family.h"
#include "kernels/runtime/cpu.h"
#include "kernels/sparse/csr.h"
#include "kernels/spmv/problem.h"
#include "kernels/spmv/sparse.h"
#include "tests/support/places.h"

namespace rooftune::spmv_test {

struct Named {
    std::string name;
    spmv::Csr matrix;
};

/// A matrix from the columns of each row, ascending; values are nonzero and irregular.
inline spmv::Csr from_rows(std::int64_t cols, const std::vector<std::vector<std::uint32_t>>& rows) {
    spmv::Csr a;
    a.rows = static_cast<std::int64_t>(rows.size());
    a.cols = cols;
    for (const auto& row : rows) {
        for (const std::uint32_t c : row) {
            a.column.push_back(c);
            a.value.push_back(0.37 + 0.61 * static_cast<double>((a.column.size() * 2654435761U + c) % 1000U) /
                                         1000.0);
            if (a.column.size() % 3 == 0) a.value.back() = -a.value.back();
        }
        a.row_begin.push_back(static_cast<std::int64_t>(a.column.size()));
    }
    return a;
}

/// Each entry present with a probability that the row decides.
inline spmv::Csr random_matrix(std::int64_t rows, std::int64_t cols, unsigned seed,
                               const std::function<double(std::int64_t)>& density) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    std::vector<std::vector<std::uint32_t>> list(static_cast<std::size_t>(rows));
    for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < cols; ++j) {
            if (uniform(random) < density(i))
                list[static_cast<std::size_t>(i)].push_back(static_cast<std::uint32_t>(j));
        }
    }
    return from_rows(cols, list);
}

inline std::vector<Named> awkward_matrices() {
    std::vector<Named> all;
    all.push_back({"1x1", from_rows(1, {{0}})});
    all.push_back({"no entries", from_rows(7, {{}, {}, {}, {}, {}})});
    all.push_back(
        {"one row", from_rows(50, {{0, 1, 2, 5, 9, 11, 17, 18, 19, 20, 21, 30, 31, 32, 33, 34, 35, 49}})});
    all.push_back({"one column", from_rows(1, {{0}, {}, {0}, {0}, {}, {0}, {0}, {0}, {0}, {0}, {0}})});
    all.push_back(
        {"532x231", random_matrix(532, 231, 7, [](std::int64_t i) { return i % 5 == 0 ? 0.0 : 0.03; })});
    {
        Named arrow{"arrow", random_matrix(90, 90, 3, [](std::int64_t i) { return i == 40 ? 1.0 : 0.02; })};
        arrow.matrix.value[5] = 0.0;  // an explicit zero of the file
        all.push_back(std::move(arrow));
    }
    {
        // 3x3 blocks on a band, as in finite elements.
        std::vector<std::vector<std::uint32_t>> rows;
        for (std::uint32_t i = 0; i < 60; ++i) {
            std::vector<std::uint32_t> row;
            const std::uint32_t node = i / 3;
            for (std::uint32_t n = node > 0 ? node - 1 : 0; n <= node + 1 && n < 20; ++n) {
                for (std::uint32_t j = 0; j < 3; ++j) row.push_back(3 * n + j);
            }
            rows.push_back(row);
        }
        all.push_back({"3x3 blocks", from_rows(60, rows)});
    }
    {
        // Rows that span far more than 65 536 columns, next to short and empty ones.
        std::vector<std::vector<std::uint32_t>> rows(11);
        for (std::uint32_t c = 0; c < 140000; c += 2003) rows[2].push_back(c);
        rows[3] = {0, 139999};
        rows[4] = {65535, 65536, 131072};
        rows[5] = {0, 65535};
        rows[6] = {0, 65536};
        for (std::uint32_t c = 100000; c < 100040; ++c) rows[7].push_back(c);
        for (std::uint32_t c = 3; c < 140000; c += 9973) rows[9].push_back(c);
        rows[10] = {139998, 139999};
        all.push_back({"far columns", from_rows(140000, rows)});
    }
    {
        // More than 65 536 columns, no row that spans them: a base for each segment, one segment each.
        std::vector<std::vector<std::uint32_t>> rows;
        for (std::uint32_t i = 0; i < 40; ++i) rows.push_back({i * 2000, i * 2000 + 1, i * 2000 + 7});
        all.push_back({"far band", from_rows(80000, rows)});
    }
    {
        // Three quarters of the entries in one row, which spans more than 16 bits: threads share it.
        std::vector<std::vector<std::uint32_t>> rows;
        for (std::uint32_t i = 0; i < 40; ++i) rows.push_back({i, i + 2000, i + 70000});
        rows[13].clear();
        rows[20].clear();
        for (std::uint32_t c = 5; c < 140000; c += 401) rows[20].push_back(c);
        all.push_back({"one long row", from_rows(140000, rows)});
    }
    return all;
}

inline Target target_of(std::vector<int> width_bits, int threads, int numa_nodes = 1) {
    return {.width_bits = std::move(width_bits), .threads = threads, .numa_nodes = numa_nodes, .device = {}};
}

using test::two_cpus;
using test::widths_up_to;

inline std::unique_ptr<spmv::SpmvProblem> problem_of(spmv::Csr matrix, DType dtype, const std::string& name) {
    return spmv::SpmvProblem::from(std::move(matrix), dtype, {{"gen", name}}, name);
}

}  // namespace rooftune::spmv_test
