#include "kernels/matmul/engine.h"

#include <immintrin.h>

#include <algorithm>
#include <thread>
#include <utility>

namespace rooftune::matmul {
namespace {

constexpr std::int64_t kMostTile = 28 * 64;  ///< elements of the largest tile, with room

/// Whole pages, so that the buffers of two threads share none.
std::int64_t page_rounded(std::int64_t elements, std::size_t size) {
    const auto page = static_cast<std::int64_t>(4096 / size);
    return ceil_div(elements, page) * page;
}

std::size_t bytes_of(std::int64_t elements, std::size_t size) {
    return static_cast<std::size_t>(elements) * size;
}

/// Columns of C that a thread has at most, in whole strips.
std::int64_t most_columns_of(const MatmulProblem& problem, const Plan& plan) {
    return ceil_div(ceil_div(problem.n(), plan.nr), plan.grid.columns) * plan.nr;
}

}  // namespace

/// What one thread multiplies between two packings.
template <typename T>
struct Engine<T>::Block {
    Range rows, columns, depth;
    const T* packed_a = nullptr;  ///< strips of mr rows; the last may be shorter
    const T* packed_b = nullptr;  ///< strips of nr columns; nullptr: B as it is stored
    const T* edge_b = nullptr;    ///< without packed B: the last strip, padded, where it is not whole
    T beta{};
};

/// The blocks that are larger than the problem, cut to it.
template <typename T>
Plan Engine<T>::fitted(const MatmulProblem& problem, Plan plan) {
    plan.kc = std::min(plan.kc, problem.k());
    plan.nc = std::min(plan.nc, most_columns_of(problem, plan));
    return plan;
}

template <typename T>
typename Engine<T>::Sizes Engine<T>::sizes_of(const MatmulProblem& problem, const Plan& plan) {
    const std::int64_t most_rows = ceil_div(problem.m(), plan.grid.rows);
    const std::int64_t packed_rows =
        plan.pack_a ? std::min(plan.mc, ceil_div(most_rows, plan.mr) * plan.mr) : plan.mr;
    Sizes sizes;
    // One strip more than fits: a short strip's kernel may be taller than the rows that are left.
    sizes.a = page_rounded((packed_rows + plan.mr) * plan.kc, sizeof(T));
    if (plan.pack_b) {
        sizes.b = page_rounded(plan.nc * plan.kc, sizeof(T));
    } else {
        sizes.edge = page_rounded(plan.nr * plan.kc, sizeof(T));
    }
    const bool one_block = plan.kc == problem.k() && plan.nc == most_columns_of(problem, plan);
    sizes.parities = one_block ? 1 : 2;
    return sizes;
}

template <typename T>
std::size_t Engine<T>::buffer_bytes(const MatmulProblem& problem, const Plan& wanted) {
    const Plan plan = fitted(problem, wanted);
    const Sizes sizes = sizes_of(problem, plan);
    const int threads = plan.grid.rows * plan.grid.columns;
    const auto array = [&](std::int64_t elements) {
        const std::size_t bytes = bytes_of(elements, sizeof(T));
        return Buffer::mapped_bytes(bytes, pages_for(bytes, plan.pages));
    };
    return array(sizes.a * threads) +
           (plan.pack_b ? array(sizes.b * sizes.parities * plan.grid.columns) : array(sizes.edge * threads)) +
           static_cast<std::size_t>(plan.grid.columns) * sizeof(Gate);
}

template <typename T>
Engine<T>::Engine(const MatmulProblem& problem, Plan plan)
    : problem_(problem), plan_(fitted(problem, std::move(plan))), sizes_(sizes_of(problem, plan_)) {
    const auto array = [&](std::int64_t elements) {
        const std::size_t bytes = bytes_of(elements, sizeof(T));
        return Buffer(bytes, pages_for(bytes, plan_.pages));
    };
    packed_a_ = array(sizes_.a * threads());
    if (plan_.pack_b) {
        packed_b_ = array(sizes_.b * sizes_.parities * plan_.grid.columns);
    } else {
        edges_ = array(sizes_.edge * threads());
    }
    gates_ = std::make_unique<Gate[]>(static_cast<std::size_t>(plan_.grid.columns));
}

template <typename T>
void Engine<T>::touch(int thread) {
    std::fill_n(buffer_a(thread), sizes_.a, T{0});
    if (!plan_.pack_b) {
        std::fill_n(edge_b(thread), sizes_.edge, T{0});
        return;
    }
    const Range mine = part(sizes_.b * sizes_.parities, plan_.grid.rows, thread % plan_.grid.rows);
    std::fill_n(buffer_b(thread / plan_.grid.rows, 0) + mine.begin, mine.size(), T{0});
}

template <typename T>
void Engine<T>::arm() {
    packed_a_.arm();
    if (plan_.pack_b) packed_b_.arm();
    if (!plan_.pack_b) edges_.arm();
}

template <typename T>
bool Engine<T>::intact() const {
    return packed_a_.intact() && (plan_.pack_b ? packed_b_.intact() : edges_.intact());
}

template <typename T>
void Engine<T>::flush() {
    flush_lines(packed_a_.data(), packed_a_.bytes());
    if (plan_.pack_b) flush_lines(packed_b_.data(), packed_b_.bytes());
    if (!plan_.pack_b) flush_lines(edges_.data(), edges_.bytes());
}

template <typename T>
T* Engine<T>::buffer_a(int thread) const {
    return packed_a_.as<T>() + sizes_.a * thread;
}
template <typename T>
T* Engine<T>::buffer_b(int column, std::int64_t parity) const {
    return packed_b_.as<T>() + sizes_.b * (std::int64_t{column} * sizes_.parities + parity);
}
template <typename T>
T* Engine<T>::edge_b(int thread) const {
    return edges_.as<T>() + sizes_.edge * thread;
}

template <typename T>
void Engine<T>::pass(Gate& gate, int members) {
    if (members == 1) return;
    const unsigned generation = gate.generation.load(std::memory_order_acquire);
    if (gate.arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == members) {
        gate.arrived.store(0, std::memory_order_relaxed);
        gate.generation.store(generation + 1, std::memory_order_release);
        return;
    }
    // Pausing costs nothing while the others run; giving way matters where one of them has no core.
    for (int spins = 0; gate.generation.load(std::memory_order_acquire) == generation; ++spins) {
        if (spins < 20000) {
            _mm_pause();
        } else {
            std::this_thread::yield();
        }
    }
}

template <typename T>
void Engine<T>::pack_b(int thread, Range columns, Range depth, T* to) {
    const Range strips = part(ceil_div(columns.size(), plan_.nr), plan_.grid.rows, thread % plan_.grid.rows);
    const std::int64_t ld = product_.ldb;
    // A few rows of B at a time, over all strips: long runs of reading, and few pages at once.
    const std::int64_t slice = problem_.transpose_b() ? depth.size() : 8;
    for (std::int64_t p = depth.begin; p < depth.end; p += slice) {
        const std::int64_t steps = std::min(slice, depth.end - p);
        for (std::int64_t s = strips.begin; s < strips.end; ++s) {
            const std::int64_t j = columns.begin + s * plan_.nr;
            const std::int64_t count = std::min(plan_.nr, columns.end - j);
            T* const strip = to + (s * depth.size() + p - depth.begin) * plan_.nr;
            if (problem_.transpose_b()) {
                plan_.packers.columns(product_.b + j * ld + p, ld, count, steps, plan_.nr, strip);
            } else {
                plan_.packers.rows(product_.b + p * ld + j, ld, count, steps, plan_.nr, strip);
            }
        }
    }
}

template <typename T>
void Engine<T>::pack_a(Range rows, Range depth, T* to) {
    const std::int64_t ld = product_.lda;
    for (std::int64_t i = rows.begin; i < rows.end; i += plan_.mr) {
        const std::int64_t count = std::min(plan_.mr, rows.end - i);
        const bool whole = count == plan_.mr;
        if (whole && !plan_.pack_a) continue;
        const std::int64_t width = whole ? plan_.mr : plan_.short_height[static_cast<std::size_t>(count)];
        T* const strip = plan_.pack_a ? to + (i - rows.begin) * depth.size() : to;
        if (problem_.transpose_a()) {
            plan_.packers.rows(product_.a + depth.begin * ld + i, ld, count, depth.size(), width, strip);
        } else {
            plan_.packers.columns(product_.a + i * ld + depth.begin, ld, count, depth.size(), width, strip);
        }
    }
}

template <typename T>
void Engine<T>::tile(const Block& block, std::int64_t strip_of_rows, std::int64_t strip_of_columns) {
    const std::int64_t i = block.rows.begin + strip_of_rows * plan_.mr;
    const std::int64_t j = block.columns.begin + strip_of_columns * plan_.nr;
    const std::int64_t rows = std::min(plan_.mr, block.rows.end - i);
    const std::int64_t columns = std::min(plan_.nr, block.columns.end - j);
    const bool tall = rows == plan_.mr;
    const bool wide = columns == plan_.nr;

    TileArguments tile;
    std::int64_t height = plan_.mr;
    TileKernel kernel = plan_.tile;
    if (!tall) {
        kernel = plan_.short_tile[static_cast<std::size_t>(rows)];
        height = plan_.short_height[static_cast<std::size_t>(rows)];
    }
    if (plan_.pack_a || !tall) {
        tile.a = block.packed_a + (plan_.pack_a ? strip_of_rows * plan_.mr * block.depth.size() : 0);
        tile.a_step = height;
    } else if (problem_.transpose_a()) {
        tile.a = product_.a + block.depth.begin * product_.lda + i;
        tile.a_step = product_.lda;
    } else {
        tile.a = product_.a + i * product_.lda + block.depth.begin;
        tile.a_row = product_.lda;
    }
    if (block.packed_b) {
        tile.b = block.packed_b + strip_of_columns * plan_.nr * block.depth.size();
        tile.b_step = plan_.nr;
    } else if (wide) {
        tile.b = product_.b + block.depth.begin * product_.ldb + j;
        tile.b_step = product_.ldb;
    } else {
        tile.b = block.edge_b;
        tile.b_step = plan_.nr;
    }
    tile.steps = block.depth.size();
    tile.ahead = plan_.ahead;
    const T alpha = product_.alpha;
    T* const c = product_.c + i * product_.ldc + j;
    if (wide && height == rows) {
        tile.c = c;
        tile.c_row = product_.ldc;
        tile.alpha = static_cast<double>(alpha);
        tile.beta = static_cast<double>(block.beta);
        tile.prefetch_c = plan_.prefetch_c;
        kernel(tile);
        return;
    }
    // The tile reaches beyond C: computed in full aside, and only what is inside is stored.
    alignas(64) T aside[kMostTile];
    tile.c = aside;
    tile.c_row = plan_.nr;
    kernel(tile);
    for (std::int64_t r = 0; r < rows; ++r) {
        T* const to = c + r * product_.ldc;
        const T* const from = aside + r * plan_.nr;
        if (block.beta == T{0}) {
            for (std::int64_t q = 0; q < columns; ++q) to[q] = alpha * from[q];
        } else {
            for (std::int64_t q = 0; q < columns; ++q) to[q] = alpha * from[q] + block.beta * to[q];
        }
    }
}

template <typename T>
void Engine<T>::multiply(const Block& block) {
    const std::int64_t down = ceil_div(block.rows.size(), plan_.mr);
    const std::int64_t across = ceil_div(block.columns.size(), plan_.nr);
    if (plan_.a_outer) {
        for (std::int64_t s = 0; s < down; ++s) {
            for (std::int64_t q = 0; q < across; ++q) tile(block, s, q);
        }
    } else {
        for (std::int64_t q = 0; q < across; ++q) {
            for (std::int64_t s = 0; s < down; ++s) tile(block, s, q);
        }
    }
}

template <typename T>
std::int64_t Engine<T>::blocks_of(int column) const {
    const Range columns = columns_of(problem_.n(), plan_.nr, plan_.grid, column);
    return ceil_div(columns.size(), plan_.nc) * ceil_div(problem_.k(), plan_.kc);
}

template <typename T>
typename Engine<T>::Block Engine<T>::block_of(int column, std::int64_t index) const {
    const Range columns = columns_of(problem_.n(), plan_.nr, plan_.grid, column);
    const std::int64_t deep = ceil_div(problem_.k(), plan_.kc);
    const std::int64_t j = columns.begin + index / deep * plan_.nc, p = index % deep * plan_.kc;
    Block block;
    block.columns = {j, std::min(j + plan_.nc, columns.end)};
    block.depth = {p, std::min(p + plan_.kc, problem_.k())};
    block.beta = p == 0 ? product_.beta : T{1};
    return block;
}

// Two buffers in turn: who is ahead packs the next block while others still read this one.
template <typename T>
void Engine<T>::pack_share(int thread, std::int64_t index) {
    const int column = thread / plan_.grid.rows;
    const Block block = block_of(column, index);
    pack_b(thread, block.columns, block.depth, buffer_b(column, index % sizes_.parities));
}

template <typename T>
void Engine<T>::multiply_share(int thread, std::int64_t index) {
    const int member = thread % plan_.grid.rows;
    const int column = thread / plan_.grid.rows;
    const Range rows = rows_of(problem_.m(), plan_.grid, member);
    Block block = block_of(column, index);
    if (plan_.pack_b) {
        block.packed_b = buffer_b(column, index % sizes_.parities);
    } else if (const std::int64_t left = block.columns.size() % plan_.nr; left > 0) {
        const std::int64_t at = block.columns.end - left, p = block.depth.begin;
        T* const to = edge_b(thread);
        plan_.packers.rows(product_.b + p * product_.ldb + at, product_.ldb, left, block.depth.size(),
                           plan_.nr, to);
        block.edge_b = to;
    }
    for (std::int64_t i = rows.begin; i < rows.end; i += plan_.mc) {
        block.rows = {i, std::min(i + plan_.mc, rows.end)};
        T* const to = buffer_a(thread);
        pack_a(block.rows, block.depth, to);
        block.packed_a = to;
        multiply(block);
    }
}

template <typename T>
void Engine<T>::run(int thread) {
    const int column = thread / plan_.grid.rows;
    const std::int64_t blocks = blocks_of(column);
    for (std::int64_t index = 0; index < blocks; ++index) {
        if (plan_.pack_b) {
            pack_share(thread, index);
            pass(gates_[static_cast<std::size_t>(column)], plan_.grid.rows);
        }
        multiply_share(thread, index);
    }
}

template <typename T>
std::int64_t Engine<T>::steps() const {
    if (!plan_.pack_b || plan_.grid.rows == 1) return 1;
    std::int64_t most = 0;
    for (int column = 0; column < plan_.grid.columns; ++column) most = std::max(most, blocks_of(column));
    return 2 * most;
}

template <typename T>
void Engine<T>::run_step(int thread, std::int64_t step) {
    if (!plan_.pack_b || plan_.grid.rows == 1) {
        run(thread);
        return;
    }
    const std::int64_t index = step / 2;
    if (index >= blocks_of(thread / plan_.grid.rows)) return;
    if (step % 2 == 0) {
        pack_share(thread, index);
    } else {
        multiply_share(thread, index);
    }
}

template class Engine<float>;
template class Engine<double>;

}  // namespace rooftune::matmul
