// One variant of a matrix product on anybody's matrices: what a tune measures is what a program runs.
#pragma once

#include <memory>

#include "kernels/matmul/engine.h"
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
    /// C = alpha·op(A)·op(B) + beta·C, all stored as the problem says. No alignment is needed, and nothing
    /// beyond the matrices is read. C must not overlap A or B.
    void run(const T* a, const T* b, T* c);

    /// False when a packing buffer was written beyond its ends.
    bool intact() const { return !engine_ || engine_->intact(); }
    void flush();

private:
    MatmulProblem problem_;
    int threads_;
    Team* team_;
    std::unique_ptr<Engine<T>> engine_;  ///< none for the naive loops
};

extern template class Product<float>;
extern template class Product<double>;

}  // namespace rooftune::matmul
