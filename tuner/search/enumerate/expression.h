// Constraints that a user writes as an expression of parameters: "rows * unroll <= 8",
// "threads == 2 || format == 'sell'". Evaluated by muparser.
//
// A parameter stands for the number of its value. Values are compared by name with == and != and a name in
// single or double quotes, which for a parameter without numbers is the only way; `true` and `false` are 1
// and 0. Besides + - * / % ^, comparisons, && || ! (also: and, or, not), a ? b : c and parentheses there are
// min, max, abs, floor, ceil, rint, sign, sqrt, log2, log10, ln and exp. The constraint holds where the
// expression is not 0 (and is a number). Where a parameter that it names does not exist, it says nothing, and
// so it holds.
#pragma once

#include <string>

#include "models/space.h"

namespace rooftune {

/// The constraint, decided by the last of the parameters that it names. Throws InputError, beginning with
/// `where` (a flag, a place in a file): what is wrong, at which character, and what to write.
Constraint constraint_from(const Space& space, const std::string& text, const std::string& where);

}  // namespace rooftune
