#include "kernels/stencil/family.h"

#include <stdexcept>

#include "kernels/runtime/memory.h"
#include "kernels/stencil/bench.h"
#include "kernels/stencil/ladder.h"
#include "kernels/stencil/phrase.h"
#include "kernels/stencil/problem.h"
#include "kernels/stencil/space.h"
#include "kernels/stencil/work.h"

namespace rooftune {
namespace {

using namespace stencil;

class StencilFamily final : public Family {
public:
    std::string_view name() const override { return "stencil"; }
    std::string_view summary() const override { return "Jacobi sweeps of a 7- or 27-point stencil in 3-D"; }
    std::vector<ProblemKey> keys() const override { return StencilProblem::keys(); }
    std::vector<IdleKey> idle_keys() const override { return {{"boundary"}}; }

    std::vector<ProblemSpec> examples() const override {
        const auto spec = [](const char* nx, const char* ny, const char* nz) {
            return ProblemSpec{{"nx", nx}, {"ny", ny}, {"nz", nz}};
        };
        const auto with = [](ProblemSpec s, const ProblemSpec& more) {
            s.insert(more.begin(), more.end());
            return s;
        };
        return {spec("48", "33", "17"),
                spec("1", "1", "1"),
                with(spec("2", "3", "5"), {{"points", "27"}}),
                with(spec("7", "5", "3"), {{"points", "27"}, {"dtype", "f32"}, {"boundary", "periodic"}}),
                with(spec("17", "13", "11"), {{"steps", "5"}}),
                with(spec("33", "9", "8"), {{"dtype", "f32"}}),
                with(spec("19", "7", "15"), {{"boundary", "periodic"}, {"steps", "2"}})};
    }
    std::string phrase(const std::map<std::string, std::string>& variant) const override {
        return stencil::phrase(variant);
    }
    std::string naive_phrase(Backend) const override { return "the plain loop"; }

    std::unique_ptr<Problem> problem(const ProblemSpec& spec) const override {
        return StencilProblem::load(spec, available_memory());
    }
    /// A grid is made from a seed where it is needed: nothing to share.
    int share(const Problem&) const override { return -1; }
    std::unique_ptr<Problem> attach(int) const override {
        throw std::logic_error("stencil: problems are made from their keys, never shared");
    }

    Space space(const Problem& problem, const Target& target) const override {
        return make_space(grid_of(problem), target);
    }
    std::unique_ptr<WorkModel> work_model(const Problem& problem, const Space& space, const Target&,
                                          State state) const override {
        return make_work_model(grid_of(problem), space, state);
    }
    Variant naive_variant(const Problem&, const Space& space, const Target& target) const override {
        return stencil::naive_variant(space, target);
    }
    Variant default_variant(const Problem& problem, const Space& space, const Target& target) const override {
        return stencil::default_variant(space, target, grid_of(problem));
    }
    Ladder ladder(const Space&, const Target&) const override { return stencil::ladder(); }

    std::unique_ptr<Bench> bench(const Problem& problem, const Space& space,
                                 const Target& target) const override {
        const Grid& grid = grid_of(problem);
        return make_bench(grid, coefficients_of(grid.points), space, target);
    }

private:
    static const Grid& grid_of(const Problem& problem) {
        return dynamic_cast<const StencilProblem&>(problem).grid();
    }
};

}  // namespace

std::unique_ptr<Family> make_stencil_family() {
    return std::make_unique<StencilFamily>();
}

}  // namespace rooftune
