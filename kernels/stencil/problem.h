// A stencil problem: its keys, their checks, and what it says about itself.
#pragma once

#include <memory>

#include "kernels/contract/family.h"
#include "kernels/stencil/grid.h"

namespace rooftune::stencil {

class StencilProblem final : public Problem {
public:
    static std::vector<ProblemKey> keys();
    /// Throws InputError. `available`: bytes of memory that may be taken, for tuning or else for two arrays.
    static std::unique_ptr<StencilProblem> load(const ProblemSpec& spec, double available,
                                                bool to_tune = true);

    explicit StencilProblem(const Grid& grid) : grid_(grid) {}
    const Grid& grid() const { return grid_; }

    ProblemSpec spec() const override;
    std::string title() const override;
    std::string digest() const override;
    std::vector<std::pair<std::string, double>> facts() const override;
    std::vector<std::pair<std::string, double>> features() const override;
    DType dtype() const override { return grid_.dtype; }
    double flops_nominal() const override;

private:
    Grid grid_;
};

}  // namespace rooftune::stencil
