// C = alpha·op(A)·op(B) + beta·C by the variant that was tuned for it.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/runtime/public.h"
#include "tuner/plans/choice.h"
#include "tuner/plans/executor.h"
#include "tuner/plans/tuned.h"

namespace rooftune {

/// C is m × n, op(A) m × k, op(B) k × n, all row-major without gaps: A is stored m × k, transposed k × m; B
/// is stored k × n, transposed n × k.
struct MatmulShape {
    std::int64_t m = 1, n = 1, k = 1;
    double alpha = 1.0, beta = 0.0;  ///< with beta 0, C is not read
    bool transpose_a = false, transpose_b = false;
};

/// T is float or double. Made once for a shape, run for as many matrices as there are.
template <typename T>
class ROOFTUNE_PUBLIC MatmulPlan {
public:
    /// No alignment is needed. C must not overlap A or B. Every run() uses all of the plan's threads.
    void run(const T* a, const T* b, T* c);

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

/// Chooses, and makes the packing buffers. Throws InputError for a shape that is none, EnvironmentError when
/// the threads cannot be had, std::bad_alloc.
template <typename T>
ROOFTUNE_PUBLIC MatmulPlan<T> matmul_plan(const Tuned& tuned, const MatmulShape& shape,
                                          const PlanOptions& options = {});

extern template class MatmulPlan<float>;
extern template class MatmulPlan<double>;
extern template MatmulPlan<float> matmul_plan(const Tuned&, const MatmulShape&, const PlanOptions&);
extern template MatmulPlan<double> matmul_plan(const Tuned&, const MatmulShape&, const PlanOptions&);

}  // namespace rooftune
