#include "tuner/machine/probe_progress.h"

#include <algorithm>

namespace rooftune {

ProgressState probe_progress(double elapsed, double share, double usual, const std::string& what) {
    constexpr double kTells = 0.1;  // a smaller share says little of the whole
    ProgressState state;
    state.phase = what;
    state.compares = false;
    state.elapsed_seconds = elapsed;
    const double all = share >= kTells ? elapsed / share : std::max(usual, elapsed);
    state.budget_seconds = std::max(all, 1e-9);
    return state;
}

}  // namespace rooftune
