// One variant of a matrix product on anybody's matrices: what a tune measures is what a program runs.
#pragma once

#include <cstddef>
#include <memory>

#include "kernels/matmul/engine.h"
#include "kernels/matmul/product_arguments.h"
#include "kernels/matmul/space.h"
#include "kernels/runtime/isa.h"
#include "kernels/runtime/team.h"

namespace rooftune::matmul {

template <typename T>
class Product {
public:
    /// Makes the packing buffers, placed by the threads that use them. T is the problem's element type. The
    /// team must outlive it. Throws EnvironmentError when the variant wants more threads than the team has,
    /// and std::bad_alloc.
    Product(const MatmulProblem& problem, const Choice& choice, Isa isa, Team& team);

    int threads() const { return threads_; }
    /// C = alpha·op(A)·op(B) + beta·C with these leading dimensions and factors; sizes and which of them are
    /// stored transposed are the problem's. No alignment is needed, and nothing beyond the matrices is read
    /// or written. C must not overlap A or B.
    void run(const ProductArguments<T>& product);
    /// The same with the problem's factors, of matrices without gaps.
    void run(const T* a, const T* b, T* c) { run(without_gaps(problem_, a, b, c)); }

    /// False when a packing buffer was written beyond its ends.
    bool intact() const { return !engine_ || engine_->intact(); }
    void flush();

    /// Bytes of memory that the packing buffers take, at most.
    std::size_t buffer_bytes() const { return engine_ ? engine_->buffer_bytes() : 0; }
    /// Those that such a product would take.
    static std::size_t buffer_bytes(const MatmulProblem& problem, const Choice& choice, Isa isa);

private:
    MatmulProblem problem_;
    int threads_;
    Team* team_;
    std::unique_ptr<Engine<T>> engine_;  ///< none for the naive loops
};

extern template class Product<float>;
extern template class Product<double>;

}  // namespace rooftune::matmul
