// The loops around the tile kernel: blocks of columns (nc), of k (kc) and of rows (mc), packing, and the
// threads. After Goto and van de Geijn, Anatomy of High-Performance Matrix Multiplication (2008).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/matmul/geometry.h"
#include "kernels/matmul/kernel.h"
#include "kernels/matmul/problem.h"
#include "kernels/matmul/product_arguments.h"
#include "kernels/runtime/memory.h"

namespace rooftune::matmul {

/// A variant in numbers that the loops use.
struct Plan {
    Grid grid;
    std::int64_t mr = 1, nr = 1;
    std::int64_t mc = 1;  ///< rows a block: a multiple of mr
    std::int64_t nc = 1;  ///< columns a block: a multiple of nr
    std::int64_t kc = 1;
    bool pack_a = true, pack_b = true;
    bool a_outer = false;  ///< walk strips of A outside, strips of B inside
    std::int64_t ahead = 0;
    bool prefetch_c = false;
    Pages pages = Pages::huge;

    TileKernel tile = nullptr;  ///< mr rows, with A as `pack_a` and the problem say
    /// Kernel for r left-over rows, packed, and its height; index r, 1 … mr − 1.
    std::vector<TileKernel> short_tile;
    std::vector<std::int64_t> short_height;
    Packers packers;
};

/// Runs one plan on one problem with `threads()` threads.
template <typename T>
class Engine {
public:
    Engine(const MatmulProblem& problem, Plan plan);
    int threads() const { return plan_.grid.rows * plan_.grid.columns; }
    /// The matrices and factors of the repetitions from now on.
    void bind(const ProductArguments<T>& product) {
        product_ = product;
        // A child of fork() may have been made while threads of its parent had arrived.
        for (int column = 0; column < plan_.grid.columns; ++column)
            gates_[static_cast<std::size_t>(column)].arrived.store(0, std::memory_order_relaxed);
    }
    /// What each of the threads does in one repetition: all of them at once, since they wait for each other
    /// where several pack a block of B together.
    void run(int thread);
    /// The same in steps, for threads that may not run at once: all threads do one, in any order, before any
    /// does the next. One step where no thread waits for another.
    std::int64_t steps() const;
    void run_step(int thread, std::int64_t step);
    /// Places the thread's packing buffers by touching them.
    void touch(int thread);
    /// Arms the canaries of the packing buffers.
    void arm();
    bool intact() const;
    void flush();

    /// Bytes of memory that the packing buffers take, at most.
    std::size_t buffer_bytes() const { return buffer_bytes(problem_, plan_); }
    /// Those that the packing buffers of such a plan would take.
    static std::size_t buffer_bytes(const MatmulProblem& problem, const Plan& plan);

private:
    /// Threads that share a packed block of B; they wait for each other in it by spinning.
    struct alignas(64) Gate {
        std::atomic<int> arrived{0};
        std::atomic<unsigned> generation{0};
    };
    struct Block;
    /// Elements of the packing buffers.
    struct Sizes {
        std::int64_t a = 0;     ///< of one thread's packed A
        std::int64_t b = 0;     ///< of one packed block of B; 0 where B is not packed
        std::int64_t edge = 0;  ///< of one thread's last strip of an unpacked B; else 0
        int parities = 1;       ///< blocks of B that are in use at once
    };
    static Sizes sizes_of(const MatmulProblem& problem, const Plan& plan);
    static Plan fitted(const MatmulProblem& problem, Plan plan);

    /// Blocks of columns and depth that the threads of a column of the grid go through.
    std::int64_t blocks_of(int column) const;
    Block block_of(int column, std::int64_t index) const;
    void pack_share(int thread, std::int64_t index);
    void multiply_share(int thread, std::int64_t index);
    void pass(Gate& gate, int members);
    T* buffer_a(int thread) const;
    T* buffer_b(int column, std::int64_t parity) const;
    T* edge_b(int thread) const;
    void pack_b(int thread, Range columns, Range depth, T* to);
    void pack_a(Range rows, Range depth, T* to);
    void multiply(const Block& block);
    void tile(const Block& block, std::int64_t strip_of_rows, std::int64_t strip_of_columns);

    MatmulProblem problem_;
    Plan plan_;
    ProductArguments<T> product_;
    Sizes sizes_;
    Buffer packed_a_, packed_b_, edges_;
    std::unique_ptr<Gate[]> gates_;
};

extern template class Engine<float>;
extern template class Engine<double>;

}  // namespace rooftune::matmul
