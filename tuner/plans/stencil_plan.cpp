#include "tuner/plans/stencil_plan.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
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
            {"steps", std::to_string(std::max<std::int64_t>(s.steps, 1))},
            {"dtype", std::string(to_text(dtype))},
            {"boundary", s.periodic ? "periodic" : "dirichlet"}};
}

void check_steps(std::int64_t steps) {
    if (steps < 0)
        throw InputError("stencil: " + std::to_string(steps) +
                         " steps were asked for; give a whole number from 0 on");
}

void check_coefficients(int points, const stencil::Coefficients& coefficients) {
    for (const double c : coefficients) {
        if (!std::isfinite(c)) throw InputError("stencil: a coefficient is not finite; give four numbers");
    }
    if (points == 7 && (coefficients[2] != 0.0 || coefficients[3] != 0.0)) {
        throw InputError(
            "stencil: 7 points have no edge and corner neighbours, and their coefficients are not 0; set "
            "them to 0, or take points = 27");
    }
}

// A shape that was checked, and the variant for it.
struct ChosenGrid {
    std::unique_ptr<stencil::StencilProblem> problem;
    std::shared_ptr<Workers> workers;
    Picked picked;
    stencil::Choice how;
    stencil::Layout layout;
};

// `available`: bytes of memory that the arrays must fit into.
ChosenGrid chosen_grid(const Tuned& tuned, const StencilShape& shape, DType dtype, const PlanOptions& options,
                       double available) {
    check_steps(shape.steps);
    check_coefficients(shape.points, shape.coefficients);
    // What nobody has the memory for, before its bytes leave 64 bits.
    constexpr double kMostPoints = 0x1p56;
    if (static_cast<double>(shape.nx) * static_cast<double>(shape.ny) * static_cast<double>(shape.nz) >
        kMostPoints)
        throw InputError("stencil: a grid of " + std::to_string(shape.nx) + " by " +
                         std::to_string(shape.ny) + " by " + std::to_string(shape.nz) +
                         " points is larger than any memory; take a smaller one");
    auto problem = stencil::StencilProblem::load(stencil_spec_of(shape, dtype), available, false);
    std::shared_ptr<Workers> workers = workers_of(options);
    const auto family = make_stencil_family();
    Picked picked = pick(tuned.inside(), *family, *problem, workers->size(), options.state);
    const stencil::Choice how = stencil::decode(picked.space, picked.variant, problem->grid());
    const stencil::Layout layout = stencil::layout_of(problem->grid(), how.padding);
    // With the room between its rows, the grid needs more than was asked for at first.
    const double needed = 2.0 * static_cast<double>(layout.bytes);
    if (needed > available)
        throw InputError("stencil: the grid needs " + std::to_string(std::llround(needed / 1e6)) +
                         " MB of memory and " + std::to_string(std::llround(available / 1e6)) +
                         " MB are free; take a smaller grid or a machine with more memory");
    return {std::move(problem), std::move(workers), std::move(picked), how, layout};
}

template <typename T>
constexpr DType dtype_of_grid() {
    return sizeof(T) == 8 ? DType::f64 : DType::f32;
}

}  // namespace

template <typename T>
struct ROOFTUNE_HIDDEN StencilPlan<T>::Inside {
    Inside(const StencilShape& s, ChosenGrid&& chosen)
        : shape(s),
          choice(std::move(chosen.picked.choice)),
          workers(std::move(chosen.workers)),
          layout(chosen.layout),
          stepper(chosen.problem->grid(), s.coefficients, chosen.how,
                  stencil::kernels_of(chosen.problem->grid(), chosen.how,
                                      choose_isa(chosen.picked.target.width_bits)),
                  layout,
                  // What lies around a grid with walls is the same in both arrays, and stays. On 2 threads
                  // closing the rows took a third of the time of 16 x 16 x 16 points.
                  s.periodic ? stencil::AfterLast::closed : stencil::AfterLast::left_open,
                  workers->inside().team),
          participants(std::in_place, stepper.threads()) {
        Team& team = workers->inside().team;
        const stencil::ArrayKey key =
            stencil::array_key(chosen.how, chosen.picked.target.numa_nodes, team.size());
        for (Buffer* array : {&now, &next}) {
            *array = stencil::place_array(chosen.problem->grid(), layout, key, team);
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

    /// For who has the plan alone: pass by pass from the one array into the other: what a tune keeps its
    /// input for, in a third array between two passes, nobody needs here, and so any number of steps will do.
    void advance(std::int64_t steps, const stencil::Coefficients& coefficients) {
        if (rows_are_open && shape.periodic) close_rows();
        rows_are_open = false;
        while (steps > 0) {
            const auto now_steps = static_cast<int>(std::min<std::int64_t>(steps, stepper.depth()));
            stepper.advance(now_steps, coefficients, now.data(), next.data());
            std::swap(now, next);
            steps -= now_steps;
        }
    }

    StencilShape shape;
    PlanChoice choice;
    std::shared_ptr<Workers> workers;
    stencil::Layout layout;
    stencil::Stepper stepper;
    /// On lines of their own: they change with every run, and what lies before them is read by all threads.
    alignas(kCacheLine) Buffer now;
    Buffer next;
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
    run(held(inside_).shape.steps);
}

template <typename T>
void StencilPlan<T>::run(std::int64_t steps) {
    run(steps, held(inside_).shape.coefficients);
}

template <typename T>
void StencilPlan<T>::run(std::int64_t steps, const std::array<double, 4>& coefficients) {
    Inside& in = held(inside_);
    check_steps(steps);
    check_coefficients(in.shape.points, coefficients);
    if (steps == 0) return;
    const auto alone = in.workers->inside().lock(&in.one_run);
    in.advance(steps, coefficients);
}

template <typename T>
void StencilPlan<T>::run_part(int part, int parts) {
    Inside& in = held(inside_);
    run_part_of(in, part, parts, [&] { in.advance(in.shape.steps, in.shape.coefficients); });
}

template <typename T>
void StencilPlan<T>::run_on(const PlanExecution& execution) {
    Inside& in = held(inside_);
    run_by(in, execution, [&] { in.advance(in.shape.steps, in.shape.coefficients); });
}

template <typename T>
std::size_t StencilPlan<T>::memory_bytes() const {
    const Inside& in = held(inside_);
    return in.now.mapped_bytes() + in.next.mapped_bytes() + in.stepper.buffer_bytes();
}

template <typename T>
std::size_t stencil_memory_bytes(const Tuned& tuned, const StencilShape& shape, const PlanOptions& options) {
    const ChosenGrid chosen =
        chosen_grid(tuned, shape, dtype_of_grid<T>(), options, std::numeric_limits<double>::infinity());
    const auto bytes = static_cast<std::size_t>(chosen.layout.bytes);
    return 2 * Buffer::mapped_bytes(bytes, pages_for(bytes, chosen.how.pages)) +
           stencil::Stepper::buffer_bytes(chosen.problem->grid(), chosen.how, chosen.layout);
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
    ChosenGrid chosen = chosen_grid(tuned, shape, dtype_of_grid<T>(), options, available_memory());
    // Held until the team has placed the arrays; the plan has the workers by then.
    const std::shared_ptr<Workers> workers = chosen.workers;
    const auto alone = workers->inside().lock();
    return StencilPlan<T>(std::make_unique<typename StencilPlan<T>::Inside>(shape, std::move(chosen)));
}

template class StencilPlan<float>;
template class StencilPlan<double>;
template StencilPlan<float> stencil_plan(const Tuned&, const StencilShape&, const PlanOptions&);
template StencilPlan<double> stencil_plan(const Tuned&, const StencilShape&, const PlanOptions&);
template std::size_t stencil_memory_bytes<float>(const Tuned&, const StencilShape&, const PlanOptions&);
template std::size_t stencil_memory_bytes<double>(const Tuned&, const StencilShape&, const PlanOptions&);

}  // namespace rooftune
