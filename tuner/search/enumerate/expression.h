// Constraints that a user writes as an expression of parameters: "rows * unroll <= 8",
// "threads == 2 || format == 'sell'". Evaluated by muparser.
//
// A parameter stands for the number of its value. Values are compared by name with == and != and a name in
// single or double quotes, which for a parameter without numbers is the only way; `true` and `false` are 1
// and 0. Besides + - * / % ^, comparisons, && || ! (also: and, or, not), a ? b : c and parentheses there are
// min, max, abs, floor, ceil, rint, sign, sqrt, log2, log10, ln and exp, and << of whole numbers. The
// constraint holds where the expression is not 0 (and is a number). Where a parameter that it names does not
// exist, it says nothing, and so it holds.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "models/space.h"

namespace rooftune {

/// What an expression may name besides parameters: the sizes of a problem, say.
using Constants = std::map<std::string, double>;

/// A number that depends on parameters, as a user writes it: "2 * n * tile".
struct Expression {
    std::string text;
    ParameterSet depends_on{};  ///< the parameters that it names
    /// NaN where one of them does not exist or is not decided.
    std::function<double(const PartialVariant&)> value;
};

/// Reads an expression of parameters and constants; unlike a constraint it may name neither. A parameter
/// hides a constant of its name. Throws InputError as constraint_from().
Expression expression_from(const Space& space, const Constants& constants, const std::string& text,
                           const std::string& where);

/// A function of one variable, as "i % 7 + a"; constants as above, no parameters. Copies may be called side
/// by side. Throws InputError as expression_from().
std::function<double(double)> function_from(const std::string& variable, const Constants& constants,
                                            const std::string& text, const std::string& where);

/// As the next one, of parameters and constants, of which at least one parameter must be named.
Constraint constraint_from(const Space& space, const Constants& constants, const std::string& text,
                           const std::string& where);

/// The constraint, decided by the last of the parameters that it names. Throws InputError, beginning with
/// `where` (a flag, a place in a file): what is wrong, at which character, and what to write.
Constraint constraint_from(const Space& space, const std::string& text, const std::string& where);

}  // namespace rooftune
