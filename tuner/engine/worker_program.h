// The program that workers are: this one, started again, or another one with the same kernels.
#pragma once

#include <optional>
#include <string>

#include "kernels/registry.h"
#include "tuner/engine/tune_options.h"

namespace rooftune {

/// The running program for whoever starts it again: the file that it was started from, even where another one
/// has its name by now, or none.
inline constexpr const char* kThisProgram = "/proc/self/exe";

/// What the workers of a tune are started from.
inline std::string worker_of(const TuneOptions& options) {
    return options.worker.empty() ? kThisProgram : options.worker;
}

/// Serves as a worker where this process was started as one, and returns its exit status; nothing in any
/// other process. A program that tunes calls this before anything else, because its workers are processes of
/// the same program: they run the very kernels that it is linked with.
std::optional<int> serve_worker(int argc, char** argv, const Registry& registry);

/// Whether serve_worker() was called in this process.
bool can_be_worker();

}  // namespace rooftune
