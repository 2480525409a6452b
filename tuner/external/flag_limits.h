// What flags of a compiler forbid its code, or allow it: vectors no wider than so, sums in another order.
#pragma once

#include <string>
#include <vector>

#include "tuner/external/instance.h"

namespace rooftune::external {

struct FlagLimits {
    int width_bits = 0;     ///< no wider vectors can be in the code; 0: nothing is known
    bool reorders = false;  ///< sums may be added up in another order than the source has
};

/// Of one command line, flags in their order. Known are g++'s and clang++'s for x86-64: `-march=` of a named
/// level or processor without AVX or without AVX-512, behind it `-mno-avx` and `-mno-avx512f`. Where anything
/// stands that is not known to bring no code and no instructions in (`-mavx2`, a library, a file of flags),
/// no width is known, and sums may be reordered.
FlagLimits limits_of(const std::vector<std::string>& flags);

/// What is compiled in that is not looked at, for users: the first header that is none of the standard
/// library's well-known ones (those beside the source are not, whose text is another file's), or a compiler
/// that is not known or has flags in its name. Empty where there is nothing of the kind.
std::string unknown_text(const Instance& instance);

/// The same for variants of a declared kernel, also for those of which not everything is decided: what holds
/// for all of their completions. Nothing is known of the width where the source has assembly, or functions
/// for other processors than the flags say.
class LimitsByFlags {
public:
    /// Both must outlive it.
    LimitsByFlags(const Instance& instance, const Space& space);
    FlagLimits of(const PartialVariant& partial) const;

private:
    struct FlagParameter {
        int index = -1;
        std::size_t values = 0;  ///< and one more place: where it does not exist
    };
    /// Which of its values it has, or that it does not exist.
    static std::size_t place_of(const PartialVariant& partial, const FlagParameter& p);

    std::vector<FlagParameter> parameters_;
    std::vector<FlagLimits> of_combination_;  ///< empty: there are too many
    FlagLimits any_;                          ///< what holds for all
};

}  // namespace rooftune::external
