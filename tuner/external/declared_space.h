// The space of a declared kernel, and what its values mean to a compiler and a call.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/contract/family.h"
#include "tuner/external/instance.h"

namespace rooftune::external {

/// Its parameters in declared order, their values in declared order. Numbers of threads beyond the target's
/// are left out, and `all` is the target's. Throws InputError at the annotation: a rule that names what is
/// not there, one that never holds, a parameter without a value that is possible here.
Space make_space(const Instance& instance, const Target& target);

/// What a declared rule (`where`) does to a space.
struct RuleEffect {
    std::string text;
    bool of_sizes = false;  ///< it names no parameter: it holds, or there would be no space
    /// Variants that it leaves out of those that all other rules allow; nothing where there may be too many
    /// combinations of values to count them quickly.
    std::optional<std::uint64_t> left_out{};
};

/// Of each rule in declared order; `space` is make_space() of the same instance.
std::vector<RuleEffect> rule_effects(const Instance& instance, const Space& space);

/// How an empty value is spelt in the space, which has none without a text.
inline constexpr const char* kEmptyValue = "none";

/// The value of a declared parameter as it was written; nullptr where the variant has none of it.
const std::string* value_of(const Declaration& declaration, const DeclaredParameter& parameter,
                            const Space& space, const PartialVariant& variant);

/// Which of the space's parameters is the number of threads; -1: none is. A macro may have that name too.
int thread_index(const Instance& instance, const Space& space);

/// The first variant of the space, each value as early as the rules allow, on the most threads: the kernel as
/// its source stands. Throws InputError where there is none.
Variant first_variant(const Instance& instance, const Space& space);

/// Threads that a variant may use: by its parameter, else as declared, else one.
int threads_of(const Instance& instance, const Space& space, const PartialVariant& variant,
               int target_threads);

}  // namespace rooftune::external
