// C = alpha·op(A)·op(B) + beta·C by the variant that was tuned for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "kernels/runtime/public.h"
#include "tuner/plans/choice.h"
#include "tuner/plans/executor.h"
#include "tuner/plans/tuned.h"

namespace rooftune {

/// C is m × n, op(A) m × k, op(B) k × n: A is stored m × k, transposed k × m; B is stored k × n, transposed
/// n × k. Sizes may be 0, as in BLAS: with m or n there is nothing to do, with k alone C = beta·C.
struct MatmulShape {
    std::int64_t m = 1, n = 1, k = 1;
    double alpha = 1.0, beta = 0.0;  ///< of run(a, b, c), and of the problem that a config is looked for
    bool transpose_a = false, transpose_b = false;
    /// Columns lie as rows do else, as in BLAS and Fortran. A config is then looked for that was tuned for
    /// the same product of row-major matrices, Cᵀ = op(B)ᵀ·op(A)ᵀ: m and n, transa and transb change places.
    bool column_major = false;
    /// Leading dimensions: elements from the beginning of a stored row (column-major: column) to that of the
    /// next, at least as many as one has; 0: no gaps. What lies in gaps is neither used nor changed.
    std::int64_t lda = 0, ldb = 0, ldc = 0;
};

/// T is float or double. Made once for a shape, run for as many matrices as there are.
template <typename T>
class ROOFTUNE_PUBLIC MatmulPlan {
public:
    /// With the shape's alpha and beta. No alignment is needed. Every run uses all of the plan's threads.
    /// Throws InputError where C shares an element with A or B (A may be B; all three may be blocks of one
    /// matrix), and for a null pointer to a matrix that is used.
    void run(const T* a, const T* b, T* c);
    /// With others, which must be finite. With alpha 0, A and B are not looked at; with beta 0, C is not
    /// read.
    void run(T alpha, const T* a, const T* b, T beta, T* c);

    /// `count` products, one after the other, each on all of the plan's threads: matrix i begins at
    /// a + i·stride_a, and so on. A stride of 0 uses one A (or B) for all. No C may share an element with
    /// another C or with any A or B of the batch. Throws InputError, before anything is computed, where two C
    /// do or where C does with A or B of the same product (with those of others it is not looked for), for a
    /// negative count, and for what run() throws.
    void run_batch(std::int64_t count, T alpha, const T* a, std::int64_t stride_a, const T* b,
                   std::int64_t stride_b, T beta, T* c, std::int64_t stride_c);
    /// The same with matrix i at a[i], b[i], c[i]. Of two C that share an element, those are seen that no
    /// third one begins between.
    void run_batch(std::int64_t count, T alpha, const T* const* a, const T* const* b, T beta, T* const* c);

    /// Of the arrays that the plan holds, with what rounding to pages and huge pages adds: it takes at most
    /// so much beside a few KB.
    std::size_t memory_bytes() const;

    /// One part of the same on a thread of the caller's; what SpmvPlan::run_part() says holds. With n below
    /// the choice().threads each packed block costs two meetings of the parts more.
    void run_part(int part, int n, const T* a, const T* b, T* c);

    /// The same on threads that `executor` has (executor.h). Throws InputError where it leaves a part out,
    /// and what it throws.
    template <PlanExecutor Executor>
    void run(Executor&& executor, const T* a, const T* b, T* c) {
        run_on(PlanExecution::by(executor), a, b, c);
    }
    void run_on(const PlanExecution& execution, const T* a, const T* b, T* c);

    const PlanChoice& choice() const;
    const MatmulShape& shape() const;

    struct Inside;
    explicit MatmulPlan(std::unique_ptr<Inside> inside);
    MatmulPlan(MatmulPlan&&) noexcept;
    MatmulPlan& operator=(MatmulPlan&&) noexcept;
    ~MatmulPlan();

private:
    std::unique_ptr<Inside> inside_;
};

/// Chooses, and makes the packing buffers. A config for other factors than alpha and beta serves where there
/// is none for these. Throws InputError for a shape that is none, EnvironmentError when the threads cannot be
/// had, std::bad_alloc.
template <typename T>
ROOFTUNE_PUBLIC MatmulPlan<T> matmul_plan(const Tuned& tuned, const MatmulShape& shape,
                                          const PlanOptions& options = {});

/// memory_bytes() of such a plan before it is made. Chooses as matmul_plan() does, starts the threads where
/// no plan has them, and makes no arrays. Throws what matmul_plan() throws.
template <typename T>
ROOFTUNE_PUBLIC std::size_t matmul_memory_bytes(const Tuned& tuned, const MatmulShape& shape,
                                                const PlanOptions& options = {});

extern template class MatmulPlan<float>;
extern template class MatmulPlan<double>;
extern template MatmulPlan<float> matmul_plan(const Tuned&, const MatmulShape&, const PlanOptions&);
extern template MatmulPlan<double> matmul_plan(const Tuned&, const MatmulShape&, const PlanOptions&);
extern template std::size_t matmul_memory_bytes<float>(const Tuned&, const MatmulShape&, const PlanOptions&);
extern template std::size_t matmul_memory_bytes<double>(const Tuned&, const MatmulShape&, const PlanOptions&);

}  // namespace rooftune
