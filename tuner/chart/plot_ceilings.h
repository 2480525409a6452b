// Which of a machine's many ceilings a plot shows: for each element type and level the roof, and below it
// the few that another way of programming would meet, named in words.
#pragma once

#include <string>
#include <vector>

#include "models/machine.h"
#include "tuner/chart/roofline_plot.h"

namespace rooftune {

/// Which lines are wanted. Empty fields leave the choice to the machine.
struct LineChoice {
    std::vector<DType> dtypes{};  ///< empty: all but the integers wider than 8 bits
    std::string level{};          ///< one of `level_names`, drawn alone
    std::string main_type{};      ///< element type whose lower ceilings are drawn; empty: f64 if there is
};

/// Lines whose neighbours differ by more than 15 %, highest first; two names for one rate are joined.
/// Rates with sparsity are left out. Empty where the machine has neither compute nor bandwidth ceilings.
std::vector<PlotLine> machine_lines(const Machine& machine, const LineChoice& choice);

/// The machine's lines for the points of `plot`, and axes that no other choice of lines or points would move.
/// Of lower ceilings those of the element type that most named points have, unless the choice names one.
void draw_machine(RooflinePlot& plot, const Machine& machine, LineChoice choice);

/// The part of the machine that the results ran on: the device that they share, else the processing units.
Machine view_of(const Machine& machine, const std::vector<TuneResult>& results);

/// Element types with compute ceilings, in the order of `DType`.
std::vector<DType> compute_types(const Machine& machine);

/// Names of the levels that have a roof: "L1", "L2", "memory", …
std::vector<std::string> level_names(const Machine& machine);

}  // namespace rooftune
