// Functions of the program that tunes, called where it runs: nothing is compiled, and no worker has them.
#pragma once

#include <exception>
#include <memory>

#include "kernels/contract/family.h"
#include "tuner/external/functions.h"

namespace rooftune::external {

/// All must outlive it. What a function throws is that variant's failure; an InputError, which says that the
/// program asks for a value that is not there, is kept in `misuse` besides: no variant would be any better.
std::unique_ptr<Bench> make_function_bench(const Instance& instance, const Functions& functions,
                                           const Space& space, const Target& target,
                                           std::exception_ptr& misuse);

}  // namespace rooftune::external
