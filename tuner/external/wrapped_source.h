// The source as it is compiled: the user's own text, and behind it one function with a fixed signature that
// makes the declared call.
#pragma once

#include <string>

#include "tuner/external/instance.h"

namespace rooftune::external {

/// The function's name in the shared object.
inline constexpr const char* kEntry = "rooftune_entry";

/// void rooftune_entry(void* const* arrays, const double* numbers, int thread, int threads)
using Entry = void (*)(void* const* arrays, const double* numbers, int thread, int threads);

/// Names of what `numbers` holds, in this order: sizes and reals, then parameters that are arguments. Those
/// of which `whole` is true reach the call as long long, the others as double.
struct Argument {
    std::string name;
    bool whole = true;
};
std::vector<Argument> arguments_of(const Declaration& declaration);

/// The text to compile: `call` in place of the declared one. Compilers name the user's lines in messages.
std::string wrapped_source(const Instance& instance, const Text& call);

/// Whether the call names `thread`: then each thread of the team makes it with its number, and the kernel is
/// not asked to make threads of its own.
bool calls_by_thread(const Declaration& declaration);

}  // namespace rooftune::external
