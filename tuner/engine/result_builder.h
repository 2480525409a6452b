// From what the search found to what is printed, written and plotted.
#pragma once

#include "kernels/contract/family.h"
#include "tuner/formats/tune_result.h"
#include "tuner/search/search.h"

namespace rooftune {

struct ResultContext {
    const Family* family = nullptr;
    const Problem* problem = nullptr;
    const Space* space = nullptr;  ///< as it was on offer in the end
    const WorkModel* model = nullptr;
    State state = State::warm;
    int threads = 1;
    Backend backend = Backend::cpu;
    std::string device;  ///< its name
    Variant naive, fallback;
};

TuneResult build_result(const ResultContext& context, const SearchResult& found);

/// A bound in words, for reports, of a variant with these traits.
BoundReport report_of(const Bound& bound, const Machine& machine, const Traits& traits);

/// Ceilings worth a line on the plot: compute by width, and bandwidth where it changes with the footprint.
std::vector<PlotCeiling> plot_ceilings(const Machine& machine, DType dtype, int threads, Bytes footprint);

}  // namespace rooftune
