// Expressions of Python, as far as files of tuning problems have them: values of parameters, rules between
// them, sizes. Only read here; python_values.h works out lists, python_rule.h says them in our own words.
#pragma once

#include <string>
#include <vector>

namespace rooftune::external {

/// What is wrong with an expression, and at which character, from 0.
struct PythonFault {
    std::size_t at = 0;
    std::string what;
};

/// An expression and its parts.
struct Python {
    enum class Kind {
        number,         ///< text: as it is written
        text,           ///< text: without its quotes
        truth,          ///< text: True or False
        name,           ///< text: also dotted, as math.ceil
        sign,           ///< text: - or +; one part
        negation,       ///< not; one part
        arithmetic,     ///< text: + - * / // % ** << >>; two parts
        comparison,     ///< signs between the parts: < <= > >= == != in not in
        logic,          ///< text: and, or; two parts or more
        choice,         ///< value, condition, other value
        call,           ///< the function, and what it is given
        subscript,      ///< what, and which of it
        list,           ///< in brackets or parentheses
        comprehension,  ///< text: the name; element, the list that it goes through, and perhaps a condition
    };
    Kind kind = Kind::number;
    std::string text{};
    std::vector<std::string> signs{};
    std::vector<Python> parts{};
    std::size_t at = 0;  ///< character that it begins at, or that its sign stands at
};

/// Throws PythonFault for what is no expression, or none that is known here: lambda, &, bits, slices, more
/// than 4000 characters.
Python python_from(const std::string& text);

}  // namespace rooftune::external
