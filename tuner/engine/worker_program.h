// The program that workers are: this one, started again.
#pragma once

#include <optional>
#include <string>

#include "kernels/registry.h"

namespace rooftune {

/// Path of the running program, which workers are started from.
std::string this_program();

/// Serves as a worker where this process was started as one, and returns its exit status; nothing in any
/// other process. A program that tunes calls this before anything else, because its workers are processes of
/// the same program: they run the very kernels that it is linked with.
std::optional<int> serve_worker(int argc, char** argv, const Registry& registry);

/// Whether serve_worker() was called in this process.
bool can_be_worker();

}  // namespace rooftune
