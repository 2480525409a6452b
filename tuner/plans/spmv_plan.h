// y = A·x and what programs need around it (new values, alpha and beta, the transposed, several vectors), by
// the variant that was tuned for A.
#pragma once

#include <cstddef>
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
///
/// Of all that run: vectors without any alignment; what is read and what is written must not overlap; every
/// run uses all of the variant's threads. x must be finite: some formats store zeros of their own, and an
/// infinity or NaN in x spreads to rows that have no entry there. Throw InputError for null pointers to what
/// has elements, for arrays that overlap, and for a plan that was moved away; EnvironmentError in a child of
/// fork() that lacks the threads.
template <typename T>
class ROOFTUNE_PUBLIC SpmvPlan {
public:
    /// y = A·x. x has cols() elements, y rows().
    void run(const T* x, T* y);
    /// y = alpha·A·x + beta·y, with zeros as BLAS has them: with beta 0 y is not read, with alpha 0 x is not
    /// (and may be null). Where beta is not 0, the first run takes rows() elements of memory, which the plan
    /// keeps.
    void run(T alpha, const T* x, T beta, T* y);
    /// The same for `columns` vectors each, one behind the other: vector j begins at x + j·ldx, its result at
    /// y + j·ldy. What lies between them is neither read nor written. The matrix is read once for up to
    /// sixteen vectors (results/multivector.md has what that saves), but where two are faster one after the
    /// other, and sums may be added in another order than run() does it. The first run takes memory for as
    /// many vectors of x, and a little for sums, which the plan keeps. Throws InputError also for less than
    /// none of them, and where ldx is below cols() or ldy below rows() or either below 1; std::bad_alloc.
    void run_columns(std::int64_t columns, T alpha, const T* x, std::int64_t ldx, T beta, T* y,
                     std::int64_t ldy);
    /// The same for vectors side by side, the columns of row-major matrices: element i of vector j is
    /// x[i·ldx + j], its result y[i·ldy + j]. Where 2, 4, 8 or 16 vectors have no gaps x is mostly used where
    /// it is, without that memory, so that this is the faster order. ldx and ldy are at least `columns`,
    /// and 1.
    void run_interleaved(std::int64_t columns, T alpha, const T* x, std::int64_t ldx, T beta, T* y,
                         std::int64_t ldy);

    /// y = alpha·Aᵀ·x + beta·y. x has rows() elements, y cols(). The first call makes a plan of Aᵀ, with
    /// a config of its own where there is one, and keeps it: that takes as long as making this plan, and
    /// as much memory as a plan of Aᵀ. Throws InputError for more than 2^31 − 1 rows, std::bad_alloc.
    void run_transposed(T alpha, const T* x, T beta, T* y);
    /// That for several vectors, as run_columns(): here ldx is at least rows() and ldy cols().
    void run_transposed_columns(std::int64_t columns, T alpha, const T* x, std::int64_t ldx, T beta, T* y,
                                std::int64_t ldy);
    void run_transposed_interleaved(std::int64_t columns, T alpha, const T* x, std::int64_t ldx, T beta, T* y,
                                    std::int64_t ldy);

    /// The same four on threads that `executor` has (executor.h), with n at most the threads of the plan's
    /// workers. Throw InputError also where it leaves a part out, and what it throws; y is not whole then.
    template <PlanExecutor Executor>
    void run_columns(Executor&& executor, std::int64_t columns, T alpha, const T* x, std::int64_t ldx, T beta,
                     T* y, std::int64_t ldy) {
        run_several_on(PlanExecution::by(executor), false, false, columns, alpha, x, ldx, beta, y, ldy);
    }
    template <PlanExecutor Executor>
    void run_interleaved(Executor&& executor, std::int64_t columns, T alpha, const T* x, std::int64_t ldx,
                         T beta, T* y, std::int64_t ldy) {
        run_several_on(PlanExecution::by(executor), false, true, columns, alpha, x, ldx, beta, y, ldy);
    }
    template <PlanExecutor Executor>
    void run_transposed_columns(Executor&& executor, std::int64_t columns, T alpha, const T* x,
                                std::int64_t ldx, T beta, T* y, std::int64_t ldy) {
        run_several_on(PlanExecution::by(executor), true, false, columns, alpha, x, ldx, beta, y, ldy);
    }
    template <PlanExecutor Executor>
    void run_transposed_interleaved(Executor&& executor, std::int64_t columns, T alpha, const T* x,
                                    std::int64_t ldx, T beta, T* y, std::int64_t ldy) {
        run_several_on(PlanExecution::by(executor), true, true, columns, alpha, x, ldx, beta, y, ldy);
    }
    void run_several_on(const PlanExecution& execution, bool transposed, bool interleaved,
                        std::int64_t columns, T alpha, const T* x, std::int64_t ldx, T beta, T* y,
                        std::int64_t ldy);

    /// Replaces the values and keeps pattern and variant, for about as long as some ten runs take: no time
    /// depends on values. `value` has SparseMatrix::given() elements in the order of the arrays that the
    /// matrix was made of, whatever that was; those of one place are added up again. A plan of Aᵀ follows at
    /// its next run. Throws InputError for another `count`, for a value (or a sum) that is not finite, and
    /// where the plan views the program's; std::bad_alloc; the plan is then what it was.
    void update_values(const T* value, std::int64_t count);
    /// The same on threads that `executor` has (executor.h), with n at most the threads of the plan's
    /// workers: in a program whose own threads still spin, the plan's would wait for their turn. Throws
    /// InputError also where it leaves a part out, and what it throws; new values are not whole then, and
    /// must be given again.
    template <PlanExecutor Executor>
    void update_values(Executor&& executor, const T* value, std::int64_t count) {
        update_values_on(PlanExecution::by(executor), value, count);
    }
    void update_values_on(const PlanExecution& execution, const T* value, std::int64_t count);
    /// From now on the values are read where the program has them, in the order of the arrays that the matrix
    /// was made of: new ones are there as soon as they are written (not while the plan runs), at no cost, and
    /// the plan has none of its own. `value` must stay until the plan is gone or views others, and overlap no
    /// y. For values that change every few runs; else update_values() of the tuned format is the better way,
    /// and there is no way back to it. A plan of another format becomes one of compressed rows, in the
    /// default variant, on the plan's own threads, for as long as making it took and with as much memory more
    /// meanwhile: choice() is then another. Nobody looks whether values are finite. Aᵀ is converted again at
    /// each of its runs. Not while another thread runs the plan. Throws InputError for another `count`, and
    /// where entries of the arrays were in no order or added up: then places differ; EnvironmentError in a
    /// child of fork() that lacks the threads, std::bad_alloc. The plan is then what it was.
    void view_values(const T* value, std::int64_t count);

    /// The same on the caller's own threads: one part of it, on the thread that calls. n threads call at
    /// once, each with its own part of 0 … n−1 and the same arrays (those of part 0 count). Returns when this
    /// part is done; y is whole when all parts have returned, and the next run may begin then. n is best the
    /// choice().threads: with more the rest returns at once, with fewer each does several shares. Throws
    /// InputError for a part that is taken or an n that differs, and what run() throws, on all
    /// parts that wait; where a thread never comes, the others wait for it. A part that is none
    /// of 0 … n−1 is an InputError on its own thread alone.
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
    /// What was chosen for Aᵀ. Throws InputError before the first run_transposed(). Not while another thread
    /// runs the plan.
    const PlanChoice& transposed_choice() const;

    /// Bytes that the plan holds now: the matrix in its format, rounded up to pages, guard zones and
    /// alignment with it (so that it is the most that is resident), and working space; for a format that is
    /// not compressed rows, the pattern as well (4 a stored entry and 8 a row), and 8 for each given entry
    /// where rows were in no order: these are shared with the SparseMatrix while it lives, and by all plans
    /// of it, but for the pattern of a view, of which each plan has its own. Threads and configs, which plans
    /// share, are not counted. Not while another thread runs the plan.
    std::size_t memory_bytes() const;

    struct Inside;
    explicit SpmvPlan(std::unique_ptr<Inside> inside);
    SpmvPlan(SpmvPlan&&) noexcept;
    SpmvPlan& operator=(SpmvPlan&&) noexcept;
    ~SpmvPlan();

private:
    std::unique_ptr<Inside> inside_;
};

/// Chooses and converts; the matrix itself is not needed any more afterwards. Where there is a config for it,
/// or nothing is known, that takes as long as some ten runs; where only the rule of a tuned set can tell,
/// some hundred. Throws InputError for values that are too large for T, EnvironmentError when the threads
/// cannot be had, std::bad_alloc.
template <typename T>
ROOFTUNE_PUBLIC SpmvPlan<T> spmv_plan(const Tuned& tuned, const SparseMatrix& matrix,
                                      const PlanOptions& options = {});

/// memory_bytes() of the plan that these would make, before it is made and before its first run: without the
/// memory of runs with beta, of several vectors and of Aᵀ. Chooses as the plan does, and throws what that
/// throws.
template <typename T>
ROOFTUNE_PUBLIC std::size_t spmv_memory_bytes(const Tuned& tuned, const SparseMatrix& matrix,
                                              const PlanOptions& options = {});

extern template class SpmvPlan<float>;
extern template class SpmvPlan<double>;
extern template SpmvPlan<float> spmv_plan(const Tuned&, const SparseMatrix&, const PlanOptions&);
extern template SpmvPlan<double> spmv_plan(const Tuned&, const SparseMatrix&, const PlanOptions&);
extern template std::size_t spmv_memory_bytes<float>(const Tuned&, const SparseMatrix&, const PlanOptions&);
extern template std::size_t spmv_memory_bytes<double>(const Tuned&, const SparseMatrix&, const PlanOptions&);

}  // namespace rooftune
