#include "tests/structure/machine_code.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace rooftune::structure {

std::vector<FunctionSeen> look_for(std::string_view listing, const std::vector<std::string>& marks,
                                   const std::function<bool(std::string_view)>& matches) {
    std::vector<FunctionSeen> seen;
    bool inside = false;
    std::istringstream lines{std::string(listing)};
    for (std::string line; std::getline(lines, line);) {
        // "0000000000000000 <name>:" begins a function; "   4:\tmov    %rdi,%r9" is an instruction.
        const bool begins = !line.empty() && line.front() != ' ' && line.size() > 2 && line.ends_with(">:");
        if (begins) {
            const std::string name = line.substr(line.find('<'));
            inside = name.find("[clone .cold") == std::string::npos &&
                     std::all_of(marks.begin(), marks.end(), [&](const std::string& mark) {
                         return name.find(mark) != std::string::npos;
                     });
            if (inside) seen.push_back({name});
        } else if (inside) {
            const std::size_t tab = line.find('\t');
            if (tab != std::string::npos && matches(std::string_view(line).substr(tab + 1)))
                ++seen.back().matches;
        }
    }
    return seen;
}

bool is_prefetch(std::string_view instruction) {
    return instruction.starts_with("prefetch");
}

bool is_gather(std::string_view instruction) {
    return instruction.starts_with("vgather");
}

bool is_load_of_128_bits(std::string_view instruction) {
    const std::string_view mnemonic = instruction.substr(0, instruction.find(' '));
    const auto place = instruction.find("),%xmm");
    return place != std::string_view::npos && mnemonic.find("mov") != std::string_view::npos;
}

bool is_scalar_load(std::string_view instruction) {
    if (!instruction.starts_with("mov ") || instruction.find("(%rsp") != std::string_view::npos) return false;
    const std::size_t place = instruction.find("),%r");
    // %r8d and its like are halves.
    return place != std::string_view::npos &&
           std::string_view("dwb").find(instruction.back()) == std::string_view::npos;
}

bool is_packed_arithmetic(std::string_view instruction) {
    std::string_view mnemonic = instruction.substr(0, instruction.find(' '));
    if (!mnemonic.ends_with("ps") && !mnemonic.ends_with("pd")) return false;
    if (mnemonic.starts_with('v')) mnemonic.remove_prefix(1);
    constexpr std::array<std::string_view, 8> kOperations{"add",   "sub",   "mul",    "div",
                                                          "fmadd", "fmsub", "fnmadd", "fnmsub"};
    return std::any_of(kOperations.begin(), kOperations.end(),
                       [&](std::string_view operation) { return mnemonic.starts_with(operation); });
}

}  // namespace rooftune::structure
