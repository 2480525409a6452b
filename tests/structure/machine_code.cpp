#include "tests/structure/machine_code.h"

#include <sstream>

namespace rooftune::structure {

FunctionsSeen look_for(std::string_view listing, std::string_view mark, std::string_view mnemonic) {
    FunctionsSeen seen;
    std::string kernel;  // empty: not in one
    bool found = false;
    const auto close = [&] {
        if (!kernel.empty() && !found) seen.without.push_back(kernel);
        kernel.clear();
        found = false;
    };
    std::istringstream lines{std::string(listing)};
    for (std::string line; std::getline(lines, line);) {
        // "0000000000000000 <name>:" begins a function; "   4:\tmov    %rdi,%r9" is an instruction.
        const bool begins = !line.empty() && line.front() != ' ' && line.size() > 2 && line.ends_with(">:");
        if (begins) {
            close();
            const std::string name = line.substr(line.find('<'));
            // What the compiler moved out of a function is no kernel of its own.
            if (name.find(mark) == std::string::npos || name.find("[clone") != std::string::npos) continue;
            kernel = name;
            ++seen.kernels;
        } else if (!kernel.empty()) {
            const std::size_t tab = line.find('\t');
            found =
                found || (tab != std::string::npos && line.compare(tab + 1, mnemonic.size(), mnemonic) == 0);
        }
    }
    close();
    return seen;
}

}  // namespace rooftune::structure
