// One variant of y = A·x on anybody's vectors: what a tune measures is what a program runs.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/runtime/team.h"
#include "kernels/spmv/kernel.h"
#include "kernels/spmv/partition.h"
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

    /// After PlacedMatrix::view_values(): reads those, and leaves out what is unseen.
    void follow_values();

    /// The matrix, and what threads have of rows that they share, out of all caches.
    void flush() const;

    int threads() const { return static_cast<int>(walks_.size()); }
    const PlacedMatrix& matrix() const { return *matrix_; }
    /// Elements that a block column at the right edge reaches beyond the matrix's columns.
    static std::int64_t overhang(const FormatKey& format, std::int64_t cols) {
        const std::int64_t width = format.format == Format::bcsr ? format.block.cols : 1;
        return (cols + width - 1) / width * width - cols;
    }

private:
    /// The part of a row that one thread computes, as a kernel sees it: a group of its own, with what the
    /// matrix has of its segments.
    struct Part {
        std::vector<std::uint32_t> pointer, base, group;
        Walk walk;
        std::int64_t row = 0;
        bool exists() const { return !pointer.empty(); }
    };
    /// One thread's walks and sums, on cache lines of its own.
    struct alignas(64) ThreadWalks {
        Walk walks[kMaxStreams];
        int count = 0;
        Part head, tail;
        /// Of the row whose beginning other threads compute; added to theirs when all are done.
        alignas(64) unsigned char head_sum[sizeof(double)];
    };
    static void body(void* context, int thread);
    static Part part_of(const Layout& layout, std::int64_t group, Steps steps);
    void run_part(const Part& part, void* y) const;
    template <typename T>
    void add_head_sums(T* y) const;

    std::shared_ptr<const PlacedMatrix> matrix_;
    std::vector<ThreadWalks> walks_;
    bool cuts_rows_ = false;
    Kernel kernel_;
    KernelArguments arguments_;
    Team* team_;
};

}  // namespace rooftune::spmv
