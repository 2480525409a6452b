// Tuning from within a program:
//
//   int main(int argc, char** argv) {
//       if (const auto status = rooftune::serve_worker(argc, argv)) return *status;
//       const rooftune::TuneResult result = rooftune::tune({"matmul", {{"m", "512"}, {"n", "512"}, {"k",
//       "512"}}}); …
//
// Variants are measured in worker processes, which are this program started again: the first line is where
// they begin. What the command line does with a problem it does through what this calls, so that both find
// the same.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tuner/engine/tune_observer.h"
#include "tuner/engine/tune_options.h"
#include "tuner/formats/tune_result.h"

namespace rooftune {

/// A problem as the command line takes it, and what to spend on it.
struct TuneProblem {
    std::string family;                       ///< "matmul"
    std::map<std::string, std::string> keys;  ///< {"m", "512"}; `rooftune list families` shows them
    std::vector<std::string> where{};         ///< rules that cut the space, like "unroll <= 4"
    Budget budget{};
};

/// Serves as a worker where this process was started as one, and returns its exit status; nothing in any
/// other process. To be called before anything else is done.
std::optional<int> serve_worker(int argc, char** argv);

/// Tunes one problem: the machine's model is read, or measured first where there is none yet; then the
/// search, finals, audit and certificate. The tuned config, its header and plot lie where `config_file`,
/// `header_file` and `plot_file` of the result say; what was measured is in the store of the results folder,
/// from which the same problem goes on next time. `best` of the result is empty where no variant works. After
/// Ctrl-C, where the program asked for that (watch_for_interrupt()), it ends early with what it has.
///
/// Throws InputError for a problem, cut or option that is none, and EnvironmentError where this machine
/// stands in the way or serve_worker() was not called. One tune at a time in a process.
TuneResult tune(const TuneProblem& problem, const TuneOptions& options = {},
                TuneObserver* observer = nullptr);

}  // namespace rooftune
