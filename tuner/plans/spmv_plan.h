// y = A·x by the variant that was tuned for A.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/runtime/public.h"
#include "tuner/plans/choice.h"
#include "tuner/plans/executor.h"
#include "tuner/plans/sparse_matrix.h"
#include "tuner/plans/tuned.h"

namespace rooftune {

/// T is float or double. Holds the matrix in the variant's format: made once, run as often as there are
/// vectors.
template <typename T>
class ROOFTUNE_PUBLIC SpmvPlan {
public:
    /// x has cols() elements, y rows(); without any alignment. They must not overlap. x must be finite: some
    /// formats store zeros of their own, and an infinity or NaN in x spreads to rows that have no entry
    /// there.
    void run(const T* x, T* y);

    /// The same on the caller's own threads: one part of it, on the thread that calls. n threads call at
    /// once, each with its own part of 0 … n−1 and the same arrays (those of part 0 count). Returns when this
    /// part is done; y is whole when all parts have returned, and the next run may begin then. n is best the
    /// choice().threads: with more the rest returns at once, with fewer each does several shares. Throws
    /// InputError for a part or an n that does not fit those of the others, and what run() throws, on all
    /// parts that wait; where a thread never comes, the others wait for it.
    void run_part(int part, int n, const T* x, T* y);

    /// The same on threads that `executor` has (executor.h). Throws InputError where it leaves a part out,
    /// and what it throws.
    template <PlanExecutor Executor>
    void run(Executor&& executor, const T* x, T* y) {
        run_on(PlanExecution::by(executor), x, y);
    }
    void run_on(const PlanExecution& execution, const T* x, T* y);

    std::int64_t rows() const;
    std::int64_t cols() const;
    const PlanChoice& choice() const;

    struct Inside;
    explicit SpmvPlan(std::unique_ptr<Inside> inside);
    SpmvPlan(SpmvPlan&&) noexcept;
    SpmvPlan& operator=(SpmvPlan&&) noexcept;
    ~SpmvPlan();

private:
    std::unique_ptr<Inside> inside_;
};

/// Chooses and converts, which takes as long as some hundred runs; the matrix itself is not needed any more
/// afterwards. Throws InputError for values that are too large for T, EnvironmentError when the threads
/// cannot be had, std::bad_alloc.
template <typename T>
ROOFTUNE_PUBLIC SpmvPlan<T> spmv_plan(const Tuned& tuned, const SparseMatrix& matrix,
                                      const PlanOptions& options = {});

extern template class SpmvPlan<float>;
extern template class SpmvPlan<double>;
extern template SpmvPlan<float> spmv_plan(const Tuned&, const SparseMatrix&, const PlanOptions&);
extern template SpmvPlan<double> spmv_plan(const Tuned&, const SparseMatrix&, const PlanOptions&);

}  // namespace rooftune
