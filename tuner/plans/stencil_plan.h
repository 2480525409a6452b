// Time steps of a 7- or 27-point stencil by the variant that was tuned for the grid.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "kernels/runtime/public.h"
#include "tuner/plans/choice.h"
#include "tuner/plans/executor.h"
#include "tuner/plans/tuned.h"

namespace rooftune {

struct StencilShape {
    std::int64_t nx = 1, ny = 1, nz = 1;  ///< points; x is the unit-stride direction
    int points = 7;                       ///< 7 (a point and its faces) or 27 (edges and corners too)
    /// Of one run(), and of the problem that a config is looked for; with 0, run() does nothing, and the
    /// config is that for one step.
    std::int64_t steps = 1;
    bool periodic = false;  ///< else a layer of given values lies around the grid
    /// What a point takes of itself and of each of its 6 face, 12 edge and 8 corner neighbours.
    std::array<double, 4> coefficients{0.25, 0.125, 0.0, 0.0};
};

/// T is float or double. Holds the grid, in the layout that the variant wants.
template <typename T>
class ROOFTUNE_PUBLIC StencilPlan {
public:
    /// Sets every point to value(x, y, z) and, where the grid is not periodic, the layer around it as well
    /// (x = −1 and nx, and so on): these stay as they are until they are set again.
    template <typename Value>
    void fill(Value&& value) {
        changed();  // also where `value` throws midway
        const std::int64_t layer = shape().periodic ? 0 : 1;
        for (std::int64_t z = -layer; z < shape().nz + layer; ++z) {
            for (std::int64_t y = -layer; y < shape().ny + layer; ++y) {
                T* const now = any_row(y, z, false);
                T* const next = any_row(y, z, true);
                for (std::int64_t x = -layer; x < shape().nx + layer; ++x)
                    now[x] = next[x] = static_cast<T>(value(x, y, z));
            }
        }
    }

    /// The nx points of a row as they are now; to be changed before the next run(). The pointer is good until
    /// then.
    T* row(std::int64_t y, std::int64_t z) {
        changed();
        return any_row(y, z, false);
    }
    const T* row(std::int64_t y, std::int64_t z) const { return any_row(y, z, false); }

    /// Advances shape().steps steps.
    void run();
    /// Advances so many, 0 and more, by the same variant. Throws InputError for fewer than 0.
    void run(std::int64_t steps);
    /// The same with coefficients of this run alone. Throws InputError, too, for such as no plan is made
    /// with: not finite, or of edges and corners with 7 points.
    void run(std::int64_t steps, const std::array<double, 4>& coefficients);

    /// Of the arrays that the plan holds, with what rounding to pages and huge pages adds: it takes at most
    /// so much beside a few KB.
    std::size_t memory_bytes() const;

    /// One part of the same on a thread of the caller's; what SpmvPlan::run_part() says holds, of the grid in
    /// place of y. The parts meet after each sweep over the grid.
    void run_part(int part, int n);

    /// The same on threads that `executor` has (executor.h). Throws InputError where it leaves a part out,
    /// and what it throws; the grid is then neither as before nor as after the run.
    template <PlanExecutor Executor>
    void run(Executor&& executor) {
        run_on(PlanExecution::by(executor));
    }
    void run_on(const PlanExecution& execution);

    const StencilShape& shape() const;
    const PlanChoice& choice() const;

    struct Inside;
    explicit StencilPlan(std::unique_ptr<Inside> inside);
    StencilPlan(StencilPlan&&) noexcept;
    StencilPlan& operator=(StencilPlan&&) noexcept;
    ~StencilPlan();

private:
    T* any_row(std::int64_t y, std::int64_t z, bool next) const;
    void changed();

    std::unique_ptr<Inside> inside_;
};

/// Chooses, and makes the arrays, filled with zeros. Throws InputError for a shape that is none or does not
/// fit the memory, EnvironmentError when the threads cannot be had, std::bad_alloc.
template <typename T>
ROOFTUNE_PUBLIC StencilPlan<T> stencil_plan(const Tuned& tuned, const StencilShape& shape,
                                            const PlanOptions& options = {});

/// memory_bytes() of such a plan before it is made, however much memory there is. Chooses as stencil_plan()
/// does, starts the threads where no plan has them, and makes no arrays. Throws InputError for a shape that
/// is none, EnvironmentError when the threads cannot be had.
template <typename T>
ROOFTUNE_PUBLIC std::size_t stencil_memory_bytes(const Tuned& tuned, const StencilShape& shape,
                                                 const PlanOptions& options = {});

extern template class StencilPlan<float>;
extern template class StencilPlan<double>;
extern template StencilPlan<float> stencil_plan(const Tuned&, const StencilShape&, const PlanOptions&);
extern template StencilPlan<double> stencil_plan(const Tuned&, const StencilShape&, const PlanOptions&);
extern template std::size_t stencil_memory_bytes<float>(const Tuned&, const StencilShape&,
                                                        const PlanOptions&);
extern template std::size_t stencil_memory_bytes<double>(const Tuned&, const StencilShape&,
                                                         const PlanOptions&);

}  // namespace rooftune
