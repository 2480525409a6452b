// A described program in a worker: built where it declares a build, run as its command says, timed and judged
// by what it declares.
#pragma once

#include <memory>

#include "kernels/contract/family.h"
#include "tuner/external/instance.h"
#include "tuner/external/program_builds.h"

namespace rooftune::external {

/// `instance` and `space` must outlive it.
std::unique_ptr<Bench> make_program_bench(const Instance& instance, const Space& space, const Target& target);

/// How a variant of a program is built and run.
struct ProgramCall {
    std::vector<std::string> build;  ///< words; empty: it is not built
    std::vector<std::string> command;
    std::vector<ProgramWord> programs;  ///< the words of `command` that may be what is built
    std::string verify;  ///< the file that is compared, below the program's folder; empty: none
    /// Variables of its environment; an empty value takes one away.
    std::vector<std::pair<std::string, std::string>> environment;
};

ProgramCall program_call(const Instance& instance, const Space& space, const Variant& variant, int threads);

}  // namespace rooftune::external
