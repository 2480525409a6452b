// What compilers made of kernels, read in a listing of their machine code.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tests/structure/tree.h"

namespace rooftune::structure {

/// Functions of a listing, as `objdump -d -C` prints it.
struct FunctionsSeen {
    std::size_t kernels = 0;  ///< functions whose name has one of the marks in it
    Complaints without;       ///< their names, where no instruction of theirs begins as it must
};

/// Looks for an instruction that begins with `mnemonic` in each function whose name has `mark` in it.
FunctionsSeen look_for(std::string_view listing, std::string_view mark, std::string_view mnemonic);

}  // namespace rooftune::structure
