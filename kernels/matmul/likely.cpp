#include "kernels/matmul/likely.h"

#include <algorithm>

namespace rooftune::matmul {

double likely_bytes(const MatmulProblem& problem, const Choice& choice, double capacity) {
    const double m = static_cast<double>(problem.m());
    const double n = static_cast<double>(problem.n());
    const double k = static_cast<double>(problem.k());
    const double size = static_cast<double>(size_of(problem.dtype()));
    const bool reads_c = problem.beta() != 0.0;
    const double words = capacity / size;
    const double least = m * k + k * n + (reads_c ? 2.0 : 1.0) * m * n;
    if (m * k + k * n + m * n <= words) return 0.0;
    if (choice.naive) {
        // A row of C and one of B at a time: all of B for each row, unless B stays.
        const double rows_of_b = k * n + choice.threads * (n + k) <= words ? 1.0 : m;
        return size * std::max(least, rows_of_b * k * n);
    }
    const auto up = [](double a, double b) { return std::max(1.0, (a + b - 1.0) / b); };
    const double mr = choice.tile.mr;
    const double nr = static_cast<double>(choice.nr);
    const double kc = std::min(static_cast<double>(choice.kc), k);
    const double rows = static_cast<double>(ceil_div(problem.m(), choice.grid.rows));
    const double columns = static_cast<double>(ceil_div(problem.n(), choice.grid.columns));
    const double mc = std::min(static_cast<double>(choice.mc), rows);
    const double nc = std::min(static_cast<double>(choice.nc), columns);
    const double threads = choice.threads;

    // C passes once for each block of k; the first time it is only read where beta asks for it.
    const double c = (2.0 * up(k, kc) - (reads_c ? 0.0 : 1.0)) * m * n;
    // The threads over columns each read all of A, those over rows share a block of B.
    const double a_once = m * k * choice.grid.columns;
    const double b_once = k * n;
    const double packing_a = choice.pack_a ? 2.0 * a_once * up(columns, nc) : 0.0;
    const double packing_b = choice.pack_b ? 2.0 * b_once : 0.0;

    const double block_a = threads * mc * kc;
    const double block_b = choice.grid.columns * nc * kc;
    const double strip_a = threads * mr * kc;
    const double strip_b = threads * nr * kc;
    double a = 0.0;
    double b = 0.0;
    if (block_a + block_b + threads * mr * nr <= words) {
        a = a_once * up(columns, nc);
        b = b_once;
    } else if (choice.a_outer ? block_b + strip_a <= words : block_a + strip_b <= words) {
        // The block of the inner loop stays: the other passes once for it.
        a = a_once * up(columns, nc);
        b = b_once * (choice.a_outer ? 1.0 : up(rows, mc) * choice.grid.rows);
    } else if (choice.a_outer ? strip_a + strip_b <= words : strip_b + strip_a <= words) {
        // Only the strip of the outer loop stays: the inner matrix passes for each of them.
        a = choice.a_outer ? a_once * up(columns, nc) : a_once * up(columns, nr);
        b = choice.a_outer ? b_once * up(rows, mr) * choice.grid.rows
                           : b_once * up(rows, mc) * choice.grid.rows;
    } else {
        a = a_once * up(columns, nr);
        b = b_once * up(rows, mr) * choice.grid.rows;
    }
    // A packed block that stays is written and read inside the cache, but for what it displaces.
    const double packing = (block_a <= words ? 0.0 : packing_a) + (block_b <= words ? 0.0 : packing_b);
    return size * std::max(least, a + b + c + packing);
}

}  // namespace rooftune::matmul
