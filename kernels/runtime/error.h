// Errors that reach a person. Each says what was wrong, where, and what to do; the program maps the
// class to its exit status (2 input, 3 environment).
#pragma once

#include <stdexcept>
#include <string>

#include "kernels/runtime/public.h"

namespace rooftune {

/// Bad usage or input: exit status 2.
class ROOFTUNE_PUBLIC InputError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The machine or its environment cannot do what was asked: exit status 3.
class ROOFTUNE_PUBLIC EnvironmentError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A variant that cannot be prepared or run through its own fault: a result of the search, not its end.
class VariantError : public std::runtime_error {
public:
    enum class Kind {
        build,      ///< its source does not compile; the message holds the build log
        resources,  ///< wants more of the device than there is
        fault,      ///< it ended its call by an error of its own: an exception, say
        wrong,      ///< its answer, or what it says of it itself
        illegal,    ///< an instruction that the processor does not have
        memory,     ///< it was ended for want of memory
    };
    VariantError(Kind k, const std::string& message) : std::runtime_error(message), kind(k) {}
    Kind kind;
};

}  // namespace rooftune
