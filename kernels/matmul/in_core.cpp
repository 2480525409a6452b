#include "kernels/matmul/in_core.h"

#include <algorithm>

#include "kernels/runtime/isa.h"

namespace rooftune::matmul {
namespace {

Operations count(double n) {
    return Operations(n);
}

/// Rows are cut into `whole` strips of full height and at most one of `rest` rows (0: none).
struct Strips {
    std::int64_t whole = 0;
    int rest = 0;
};

Strips strips_of(const MatmulProblem& problem, const Choice& choice, std::int64_t rows) {
    Strips strips{rows / choice.tile.mr, 0};
    const std::int64_t left = rows % choice.tile.mr;
    if (left > 0) strips.rest = height_for(tiles_of(problem.dtype(), choice.width_bits), choice.tile, left);
    return strips;
}

double as_double(std::int64_t n) {
    return static_cast<double>(n);
}

}  // namespace

ThreadWork tiled_work(const MatmulProblem& problem, const Choice& choice, std::int64_t rows,
                      std::int64_t columns) {
    const Strips strips = strips_of(problem, choice, rows);
    const std::int64_t mr = choice.tile.mr;
    const std::int64_t vectors = choice.tile.vectors;
    const std::int64_t across = ceil_div(columns, choice.nr);
    const std::int64_t padded_rows = strips.whole * mr + strips.rest;
    const std::int64_t all_strips = strips.whole + (strips.rest > 0 ? 1 : 0);
    const std::int64_t operands =
        strips.whole * std::min(mr, vectors) + std::min<std::int64_t>(strips.rest, vectors);
    // Once for each step of k and each strip of columns.
    const double times = as_double(problem.k()) * as_double(across);
    const double fmas = times * as_double(padded_rows * vectors);
    ThreadWork work;
    work.in_core.fmas = count(fmas);
    work.in_core.ops = work.in_core.fused = count(2.0 * fmas * choice.lanes);
    work.in_core.loads = count(times * as_double(padded_rows + all_strips * vectors));
    if (choice.lanes > 1) work.in_core.wide_loads = count(times * as_double(all_strips * vectors));
    work.in_core.instructions = count(fmas + times * as_double(operands));
    const std::int64_t chains = strips.whole > 0 ? strips.whole : 1;
    work.chain_repeats = as_double(chains * across * ceil_div(problem.k(), choice.kc));
    return work;
}

ThreadWork naive_work(const MatmulProblem& problem, std::int64_t rows) {
    const double products = as_double(rows) * as_double(problem.n()) * as_double(problem.k());
    const double vectors = products / lanes_of(problem.dtype(), 128);
    ThreadWork work;
    work.in_core.ops = count(2.0 * products);
    work.in_core.fmas = count(vectors);
    work.in_core.instructions = count(vectors);
    return work;
}

Chain chain_of(const MatmulProblem& problem, const Choice& choice, std::int64_t rows) {
    const Strips strips = strips_of(problem, choice, rows);
    const int height = strips.whole > 0 ? choice.tile.mr : strips.rest;
    const int vectors = choice.tile.vectors;
    Chain chain;
    chain.steps = as_double(problem.k()) / as_double(ceil_div(problem.k(), choice.kc));
    chain.instructions = chain.steps * height * vectors;
    return chain;
}

}  // namespace rooftune::matmul
