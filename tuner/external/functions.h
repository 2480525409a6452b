// Functions of the program that tunes, as a kernel: what the family is told beside their declaration.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tuner/external/instance.h"
#include "tuner/external/values.h"

namespace rooftune::external {

struct Functions {
    std::function<void(const Values&)> prepare;  ///< not timed; may be empty
    std::function<void(const Values&)> run;      ///< one repetition
    std::function<bool(const Values&)> check;    ///< whether what it did is right; may be empty
};

/// A check that asks for no values, as one that is given them.
struct PlainCheck {
    std::function<bool()> own;
    bool operator()(const Values&) const { return own(); }
};

/// Sizes, parameters, rules and work by lines as a description has them, each with the call that gave it
/// (Text::flag). Throws InputError with that call.
Instance function_instance(const std::string& name, const std::vector<Text>& lines,
                           const Functions& functions, double available);

/// What is said of answers of functions, for Problem::verified_by().
std::string verified_by_functions(const Declaration& declaration);

/// The values of a variant of a function. `threads`: that it may use.
Values values_of(const Instance& instance, const Space& space, const Variant& variant, int threads);

}  // namespace rooftune::external
