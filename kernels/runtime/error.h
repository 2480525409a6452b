// Errors that reach a person. Each says what was wrong, where, and what to do; the program maps the
// class to its exit status (2 input, 3 environment).
#pragma once

#include <stdexcept>
#include <string>

namespace rooftune {

/// Bad usage or input: exit status 2.
class InputError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The machine or its environment cannot do what was asked: exit status 3.
class EnvironmentError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace rooftune
