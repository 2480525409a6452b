// Tuning from within a program:
//
//   int main(int argc, char** argv) {
//       if (const auto status = rooftune::serve_worker(argc, argv)) return *status;
//       const rooftune::TuneProblem problem{"matmul", {{"m", "512"}, {"n", "512"}, {"k", "512"}}};
//       const rooftune::TuneResult result = rooftune::tune(problem);
//       ...
//   }
//
// Variants are measured in worker processes. Unless TuneOptions::worker names another program they are this
// one, started again: the first line is where they begin. Whatever runs before it and after main(),
// constructors and destructors of static objects and what atexit() was told, runs in each worker too. Nothing
// may be printed or read before it, because a worker talks to the tune by its standard input and output. In a
// worker argv is not the program's: argv[0] is "rooftune".
//
// The program's own threads should be idle while it tunes: what they do disturbs what is measured. A program
// that waits for all its children (waitpid(-1)) takes from the tune how a worker ended: such a variant is no
// failure of its own then. Where the program ignores SIGCHLD, it does not while a worker runs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/runtime/error.h"
#include "tuner/engine/tune_options.h"
#include "tuner/formats/tune_result.h"
#include "tuner/search/tune_observer.h"

namespace rooftune {

/// A problem as the command line takes it, and what to spend on it.
struct TuneProblem {
    std::string family;                       ///< "matmul"
    std::map<std::string, std::string> keys;  ///< {"m", "512"}; `rooftune list families` shows them
    std::vector<std::string> where{};         ///< rules that cut the space, like "unroll <= 4"
    Budget budget{};
};

/// Serves as a worker where this process was started as one, and returns its exit status; nothing in any
/// other process, whatever its arguments are. To be called before anything else is done.
std::optional<int> serve_worker(int argc, char** argv);

/// Tunes one problem: the machine's model is read, or measured first where there is none yet; then the
/// search, finals, audit and certificate. The tuned config, its header and plot lie where `config_file`,
/// `header_file` and `plot_file` of the result say; what was measured is in the store of the results folder,
/// from which the same problem goes on next time.
///
/// TuneObserver::stop() ends it early with what it has, and `certificate.stopped_by` of the result is then
/// "interrupted". `best` is empty where no variant works, or where none was measured before it was stopped;
/// stopped before the search began, the result says nothing else, and no file is written.
///
/// Throws InputError for a problem, cut or option that is none and while another tune() runs in this process;
/// EnvironmentError where this machine stands in the way, serve_worker() was not called, or
/// TuneOptions::worker has other kernels; and what the observer threw.
TuneResult tune(const TuneProblem& problem, const TuneOptions& options = {},
                TuneObserver* observer = nullptr);

}  // namespace rooftune
