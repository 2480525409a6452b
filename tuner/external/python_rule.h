// Python expressions of parameters in the language of our own rules (tuner/search/enumerate/expression.h).
#pragma once

#include <map>
#include <set>
#include <string>

#include "tuner/external/python_expression.h"
#include "tuner/external/python_values.h"

namespace rooftune::external {

/// What is known of a parameter's numbers.
struct PythonRange {
    double least = 0.0;
    double most = 0.0;
    bool is_whole = true;  ///< all of them are
};

/// What an expression may name.
struct PythonNames {
    /// Parameters with numbers for values.
    std::map<std::string, PythonRange> numbers{};
    /// Parameters with texts for values, and which.
    std::map<std::string, std::set<std::string>> texts{};
    /// What has one value everywhere: numbers, or lists of them.
    std::map<std::string, PythonValue> values{};
};

/// A rule: it holds in our language where it is true in Python; of a variant for which Python would end in an
/// error, as in a division by 0, nothing is promised. Throws PythonFault for what has no counterpart, for
/// names that are not there, and where Python computes with whole numbers beyond 2^53, which ours are not.
std::string rule_from_python(const Python& expression, const PythonNames& names);

/// A number likewise.
std::string number_from_python(const Python& expression, const PythonNames& names);

}  // namespace rooftune::external
