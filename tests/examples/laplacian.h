// The matrix of several examples, and what its product with ones is.
#pragma once

#include <rooftune/rooftune.h>

#include <cstddef>
#include <vector>

/// The 5-point Laplacian of a grid of side × side points, which is symmetric and positive definite.
inline rooftune::SparseMatrix laplacian(int side) {
    std::vector<int> begin{0}, column;
    std::vector<double> value;
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            const auto add = [&](int to_x, int to_y, double v) {
                if (to_x < 0 || to_x >= side || to_y < 0 || to_y >= side) return;
                column.push_back(to_y * side + to_x);
                value.push_back(v);
            };
            add(x, y, 4.0);
            add(x - 1, y, -1.0);
            add(x + 1, y, -1.0);
            add(x, y - 1, -1.0);
            add(x, y + 1, -1.0);
            begin.push_back(static_cast<int>(column.size()));
        }
    }
    return {side * side, side * side, begin.data(), column.data(), value.data()};
}

/// Runs a plan of laplacian(side) on ones: whether each point gets as many as it lacks neighbours.
inline bool answers(rooftune::SpmvPlan<double>& plan, int side) {
    const auto points = static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
    const std::vector<double> ones(points, 1.0);
    std::vector<double> product(points, -1.0);
    plan.run(ones.data(), product.data());
    const auto at_the_end = [&](int i) { return (i == 0 ? 1 : 0) + (i == side - 1 ? 1 : 0); };
    std::size_t point = 0;
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            if (product[point++] != static_cast<double>(at_the_end(x) + at_the_end(y))) return false;
        }
    }
    return true;
}
