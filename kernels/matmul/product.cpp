#include "kernels/matmul/product.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "kernels/matmul/naive.h"

namespace rooftune::matmul {
namespace {

Plan plan_of(const MatmulProblem& problem, const Choice& choice, Isa isa) {
    Plan plan;
    plan.grid = choice.grid;
    plan.mr = choice.tile.mr;
    plan.nr = choice.nr;
    plan.mc = choice.mc;
    plan.nc = choice.nc;
    plan.kc = choice.kc;
    plan.pack_a = choice.pack_a;
    plan.pack_b = choice.pack_b;
    plan.a_outer = choice.a_outer;
    plan.ahead = choice.ahead;
    plan.prefetch_c = choice.prefetch_c;
    plan.pages = choice.huge_pages ? Pages::huge : Pages::small;

    const auto kernel = [&](int mr, RowsOfA rows) {
        const auto tiles = tiles_of(problem.dtype(), choice.width_bits);
        const auto shape = std::find_if(tiles.begin(), tiles.end(), [&](const TileShape& t) {
            return t.mr == mr && t.vectors == choice.tile.vectors;
        });
        const int most = shape == tiles.end() ? 1 : shape->most_unroll;
        const TileKey key{
            problem.dtype(), choice.lanes, mr, choice.tile.vectors, std::min(choice.unroll, most), rows};
        const TileKernel found = find_tile_kernel(isa, key);
        if (!found) throw std::logic_error("matmul: no tile kernel of " + std::to_string(mr) + " rows");
        return found;
    };
    const bool unit = choice.pack_a || problem.transpose_a();
    plan.tile = kernel(choice.tile.mr, unit ? RowsOfA::unit : RowsOfA::strided);
    plan.short_tile.resize(static_cast<std::size_t>(choice.tile.mr));
    plan.short_height.resize(static_cast<std::size_t>(choice.tile.mr));
    for (int rows = 1; rows < choice.tile.mr; ++rows) {
        const int height = height_for(tiles_of(problem.dtype(), choice.width_bits), choice.tile, rows);
        plan.short_height[static_cast<std::size_t>(rows)] = height;
        plan.short_tile[static_cast<std::size_t>(rows)] = kernel(height, RowsOfA::unit);
    }
    plan.packers = find_packers(isa, problem.dtype());
    return plan;
}

}  // namespace

template <typename T>
Product<T>::Product(const MatmulProblem& problem, const Choice& choice, Isa isa, Team& team)
    : problem_(problem), threads_(choice.threads), team_(&team) {
    team.check_has(threads_);
    if (choice.naive) return;
    engine_ = std::make_unique<Engine<T>>(problem_, plan_of(problem, choice, isa));
    team.run(threads_, [&](int thread) { engine_->touch(thread); });
    engine_->arm();
}

template <typename T>
std::size_t Product<T>::buffer_bytes(const MatmulProblem& problem, const Choice& choice, Isa isa) {
    return choice.naive ? 0 : Engine<T>::buffer_bytes(problem, plan_of(problem, choice, isa));
}

template <typename T>
void Product<T>::run(const ProductArguments<T>& product) {
    if (engine_) {
        engine_->bind(product);
        if (!Team::runs_at_once(threads_)) {
            for (std::int64_t step = 0; step < engine_->steps(); ++step)
                team_->run(threads_, [&](int thread) { engine_->run_step(thread, step); });
            return;
        }
        team_->run(
            threads_, [](void* engine, int t) { static_cast<Engine<T>*>(engine)->run(t); }, engine_.get());
        return;
    }
    team_->run(threads_, [&](int thread) {
        const Range rows = part(problem_.m(), threads_, thread);
        naive_rows(problem_, product, rows.begin, rows.end);
    });
}

template <typename T>
void Product<T>::flush() {
    if (engine_) engine_->flush();
}

template class Product<float>;
template class Product<double>;

}  // namespace rooftune::matmul
