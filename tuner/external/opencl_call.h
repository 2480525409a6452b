// The declared call of an OpenCL kernel: its name and what it is given, argument by argument.
#pragma once

#include <vector>

#include "tuner/external/declaration.h"

namespace rooftune::external {

struct OpenclArgument {
    enum class Kind {
        array,         ///< a buffer
        local_memory,  ///< `local f32[WG]`: so many elements for each work-group
        number,        ///< an expression of numbers and parameters, in the type that the kernel has for it
    };
    Kind kind = Kind::number;
    Text text;              ///< the array's name, or the expression
    std::size_t array = 0;  ///< which of the declared
    Element element = Element::f64;
};

struct OpenclCall {
    Text kernel;
    std::vector<OpenclArgument> arguments;
    /// Work items that the reference is launched with, `over n`; empty: a single one, which has all to do.
    std::vector<Text> over;
};

/// Reads `f(n, x, local f32[WG])`. Throws InputError at what is no such call.
OpenclCall opencl_call(const Declaration& declaration, const Text& call);

/// Throws InputError where an annotation is not of the source's language: work items in C, threads in OpenCL.
void check_language(const Declaration& declaration);

}  // namespace rooftune::external
