// One variant of y = A·x on anybody's vectors: what a tune measures is what a program runs.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/runtime/team.h"
#include "kernels/spmv/kernel.h"
#include "kernels/spmv/placed_matrix.h"
#include "kernels/spmv/space.h"

namespace rooftune::spmv {

/// The kernel of a variant: the textbook loop for scalar CSR of 32-bit indices without unrolling, streams or
/// prefetching, the naive variant among them. Throws std::logic_error when the space
/// offers one that does not exist.
Kernel kernel_of(const Space& space, const Variant& variant, const Target& target, DType dtype);

class Product {
public:
    /// The team must outlive it. Throws EnvironmentError when the variant wants more threads than the team
    /// has.
    Product(std::shared_ptr<const PlacedMatrix> matrix, const Choice& choice, Kernel kernel, Team& team);

    /// x and y of the matrix's element type, without any alignment; they must not overlap. overhang()
    /// elements are read beyond the end of x: finite ones, whose values do not matter.
    void run(const void* x, void* y);

    int threads() const { return static_cast<int>(walks_.size()); }
    const PlacedMatrix& matrix() const { return *matrix_; }
    /// Elements that a block column at the right edge reaches beyond the matrix's columns.
    static std::int64_t overhang(const FormatKey& format, std::int64_t cols) {
        const std::int64_t width = format.format == Format::bcsr ? format.block.cols : 1;
        return (cols + width - 1) / width * width - cols;
    }

private:
    /// One thread's walks, on cache lines of its own.
    struct alignas(64) ThreadWalks {
        Walk walks[kMaxStreams];
        int count = 0;
    };
    static void body(void* context, int thread);

    std::shared_ptr<const PlacedMatrix> matrix_;
    std::vector<ThreadWalks> walks_;
    Kernel kernel_;
    KernelArguments arguments_;
    Team* team_;
};

}  // namespace rooftune::spmv
