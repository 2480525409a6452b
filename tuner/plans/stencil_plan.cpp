#include "tuner/plans/stencil_plan.h"

#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "kernels/runtime/error.h"
#include "kernels/runtime/memory.h"
#include "kernels/runtime/participants.h"
#include "kernels/stencil/arrays.h"
#include "kernels/stencil/family.h"
#include "kernels/stencil/problem.h"
#include "kernels/stencil/stepper.h"
#include "tuner/plans/on_lent_threads.h"
#include "tuner/plans/pick.h"
#include "tuner/plans/workers_inside.h"
#include "tuner/plans/wrong_use.h"

namespace rooftune {
namespace {

ProblemSpec stencil_spec_of(const StencilShape& s, DType dtype) {
    return {{"points", std::to_string(s.points)},
            {"nx", std::to_string(s.nx)},
            {"ny", std::to_string(s.ny)},
            {"nz", std::to_string(s.nz)},
            {"steps", std::to_string(s.steps)},
            {"dtype", std::string(to_text(dtype))},
            {"boundary", s.periodic ? "periodic" : "dirichlet"}};
}

void check_coefficients(const StencilShape& shape) {
    for (const double c : shape.coefficients) {
        if (!std::isfinite(c)) throw InputError("stencil: a coefficient is not finite; give four numbers");
    }
    if (shape.points == 7 && (shape.coefficients[2] != 0.0 || shape.coefficients[3] != 0.0)) {
        throw InputError(
            "stencil: 7 points have no edge and corner neighbours, and their coefficients are not 0; set "
            "them to "
            "0, or take points = 27");
    }
}

}  // namespace

template <typename T>
struct ROOFTUNE_HIDDEN StencilPlan<T>::Inside {
    Inside(const StencilShape& s, const stencil::Grid& grid, const Picked& picked,
           std::shared_ptr<Workers> by)
        : shape(s),
          choice(picked.choice),
          workers(std::move(by)),
          how(stencil::decode(picked.space, picked.variant, grid)),
          layout(stencil::layout_of(grid, how.padding)),
          stepper(grid, s.coefficients, how,
                  stencil::kernels_of(grid, how, choose_isa(picked.target.width_bits)), layout,
                  // What lies around a grid with walls is the same in both arrays, and stays. On 2 threads
                  // closing the rows took a third of the time of 16 x 16 x 16 points.
                  s.periodic ? stencil::AfterLast::closed : stencil::AfterLast::left_open,
                  workers->inside().team),
          participants(std::in_place, stepper.threads()) {
        Team& team = workers->inside().team;
        const stencil::ArrayKey key = stencil::array_key(how, picked.target.numa_nodes, team.size());
        // What the shape alone needs was asked before; several passes need a third array.
        const double needed = (stepper.passes() > 1 ? 3.0 : 2.0) * static_cast<double>(layout.bytes);
        if (const double free = available_memory(); needed > free)
            throw InputError("stencil: the grid needs " + std::to_string(std::llround(needed / 1e6)) +
                             " MB of memory and " + std::to_string(std::llround(free / 1e6)) +
                             " MB are free; take a smaller grid or a machine with more memory");
        for (Buffer* array : {&now, &next, &between}) {
            if (array == &between && stepper.passes() == 1) continue;
            *array = stencil::place_array(grid, layout, key, team);
            const auto bytes = static_cast<std::int64_t>(array->bytes());
            team.run(team.size(), [&](int t) {
                const stencil::Range mine = stencil::share_of(bytes, t, team.size());
                std::memset(array->data() + mine.begin, 0, static_cast<std::size_t>(mine.size()));
            });
        }
    }

    /// x = −1 and x = nx of a periodic grid are the other ends of their rows.
    void close_rows() {
        for (std::int64_t z = 0; z < shape.nz; ++z) {
            for (std::int64_t y = 0; y < shape.ny; ++y) {
                T* const row = reinterpret_cast<T*>(now.data() + layout.at(y, z));
                row[-1] = row[shape.nx - 1];
                row[shape.nx] = row[0];
            }
        }
    }

    int threads() const { return stepper.threads(); }

    /// For who has the plan alone.
    void run() {
        if (rows_are_open && shape.periodic) close_rows();
        rows_are_open = false;
        stepper.run(now.data(), between.data(), next.data());
        std::swap(now, next);
    }

    StencilShape shape;
    PlanChoice choice;
    std::shared_ptr<Workers> workers;
    stencil::Choice how;
    stencil::Layout layout;
    stencil::Stepper stepper;
    /// On lines of their own: they change with every run, and what lies before them is read by all threads.
    alignas(kCacheLine) Buffer now;
    Buffer next, between;
    OneAtATime one_run;
    bool rows_are_open = false;  ///< the user has changed points, whose copies beyond the ends are old
    std::optional<Participants> participants;
};

template <typename T>
StencilPlan<T>::StencilPlan(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
template <typename T>
StencilPlan<T>::StencilPlan(StencilPlan&&) noexcept = default;
template <typename T>
StencilPlan<T>& StencilPlan<T>::operator=(StencilPlan&&) noexcept = default;
template <typename T>
StencilPlan<T>::~StencilPlan() = default;

template <typename T>
void StencilPlan<T>::run() {
    Inside& in = held(inside_);
    const auto alone = in.workers->inside().lock(&in.one_run);
    in.run();
}

template <typename T>
void StencilPlan<T>::run_part(int part, int parts) {
    Inside& in = held(inside_);
    run_part_of(in, part, parts, [&] { in.run(); });
}

template <typename T>
void StencilPlan<T>::run_on(const PlanExecution& execution) {
    Inside& in = held(inside_);
    run_by(in, execution, [&] { in.run(); });
}

template <typename T>
T* StencilPlan<T>::any_row(std::int64_t y, std::int64_t z, bool next) const {
    const Inside& in = held(inside_);
    return reinterpret_cast<T*>((next ? in.next : in.now).data() + in.layout.at(y, z));
}

template <typename T>
void StencilPlan<T>::changed() {
    held(inside_).rows_are_open = true;
}

template <typename T>
const StencilShape& StencilPlan<T>::shape() const {
    return held(inside_).shape;
}
template <typename T>
const PlanChoice& StencilPlan<T>::choice() const {
    return held(inside_).choice;
}

template <typename T>
StencilPlan<T> stencil_plan(const Tuned& tuned, const StencilShape& shape, const PlanOptions& options) {
    constexpr DType kDType = sizeof(T) == 8 ? DType::f64 : DType::f32;
    check_coefficients(shape);
    const auto problem =
        stencil::StencilProblem::load(stencil_spec_of(shape, kDType), available_memory(), false);
    std::shared_ptr<Workers> workers = workers_of(options);
    const auto family = make_stencil_family();
    const Picked picked = pick(tuned.inside(), *family, *problem, workers->size(), options.state);
    const auto alone = workers->inside().lock();
    return StencilPlan<T>(
        std::make_unique<typename StencilPlan<T>::Inside>(shape, problem->grid(), picked, workers));
}

template class StencilPlan<float>;
template class StencilPlan<double>;
template StencilPlan<float> stencil_plan(const Tuned&, const StencilShape&, const PlanOptions&);
template StencilPlan<double> stencil_plan(const Tuned&, const StencilShape&, const PlanOptions&);

}  // namespace rooftune
