// What a variant executes in one repetition, counted as its loops run: README.md, "Work".
#pragma once

#include "kernels/stencil/grid.h"
#include "kernels/stencil/kernel.h"
#include "kernels/stencil/space.h"
#include "models/work.h"

namespace rooftune::stencil {

/// What computing a bundle over all of x takes: `lanes` vectors, and for what they leave over smaller ones.
InCore bundle_cost(const Grid& grid, int lanes, RegisterBlock rows);

/// What all threads together and the busiest one execute.
struct Executed {
    InCore total;
    InCore heaviest;
    double heaviest_points = 0.0;  ///< of one pass, those of the busiest thread's own blocks
    /// Of these, the points that no other thread reads for its own: what that thread itself must bring in.
    double heaviest_alone = 0.0;
};
Executed executed(const Grid& grid, const Choice& choice);

}  // namespace rooftune::stencil
