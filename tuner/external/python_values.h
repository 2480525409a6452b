// Lists that Python expressions give: "[1, 2, 4]", "list(range(1, 9))", "[2**i for i in range(5)]".
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tuner/external/python_expression.h"

namespace rooftune::external {

struct PythonValue {
    enum class Kind { whole, real, truth, text, list };
    Kind kind = Kind::whole;
    std::int64_t whole = 0;  ///< of a truth 0 or 1
    double real = 0.0;       ///< of numbers and truths their value, whole ones too
    std::string text{};
    std::vector<PythonValue> elements{};

    bool is_number() const { return kind == Kind::whole || kind == Kind::real || kind == Kind::truth; }
};

/// Works out an expression of numbers, texts, lists, range() and of what has names. Throws PythonFault: for a
/// name that is not known, a number beyond 64 bits, a division by 0, a list of more than 100000,
/// lists of more than a million together.
PythonValue python_value(const Python& expression, const std::map<std::string, PythonValue>& known = {});

/// As a macro's value: 8, 0.5, 2.0, 1 for True, and texts as they are.
std::string macro_text(const PythonValue& value);

}  // namespace rooftune::external
