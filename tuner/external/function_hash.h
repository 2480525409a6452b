// Functions of the program that tunes, told from those of another kernel and of another build.
#pragma once

#include <string>

#include "tuner/external/functions.h"

namespace rooftune::external {

/// What is known of the functions beside their declaration: the program's own file, the objects (plugins,
/// libraries) that their code is in, their types, and where in its object a function lies that was given by a
/// pointer. Measurements of another build are none of this one. What an object of one type holds is not seen.
std::string hash_of(const Functions& functions);

}  // namespace rooftune::external
