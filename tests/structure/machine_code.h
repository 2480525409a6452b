// What compilers made of kernels, read in a listing of their machine code.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace rooftune::structure {

/// A function of a listing, as `objdump -d -C` prints it.
struct FunctionSeen {
    std::string name;
    int matches = 0;  ///< of its instructions
};

/// Each function whose name has all `marks` in it, and how many of its instructions `matches` (from the
/// mnemonic on). What the compiler moved out of one as unlikely is none of its own.
std::vector<FunctionSeen> look_for(std::string_view listing, const std::vector<std::string>& marks,
                                   const std::function<bool(std::string_view)>& matches);

bool is_prefetch(std::string_view instruction);
bool is_gather(std::string_view instruction);

/// A move of memory into an xmm register.
bool is_load_of_128_bits(std::string_view instruction);

/// A load of 64 bits into a general register.
bool is_scalar_load(std::string_view instruction);

/// Arithmetic on all lanes of a vector; what scalar code does is not.
bool is_packed_arithmetic(std::string_view instruction);

}  // namespace rooftune::structure
