// A core that executes everything at once but for two things: an instruction waits for what it needs, and
// none enters before the one a window earlier has retired. No real core of that window is faster.
#pragma once

#include <algorithm>
#include <vector>

namespace rooftune::test {

struct Instruction {
    int needs = -1;        ///< index of an earlier instruction; -1: nothing
    double latency = 0.0;  ///< from its start to its result
};

/// Time at which the last of the program has retired. `window`: instructions in flight, at least 1.
inline double time_in_window(const std::vector<Instruction>& program, std::size_t window) {
    std::vector<double> ready(program.size()), retired(program.size());
    double end = 0.0;
    for (std::size_t i = 0; i < program.size(); ++i) {
        const double entered = i >= window ? retired[i - window] : 0.0;
        const int needs = program[i].needs;
        const double start = needs < 0 ? entered : std::max(entered, ready[static_cast<std::size_t>(needs)]);
        ready[i] = start + program[i].latency;
        end = retired[i] = std::max(end, ready[i]);
    }
    return end;
}

}  // namespace rooftune::test
