// The commands that the program has, as its help lists them.
#pragma once

#include <regex>
#include <set>
#include <string>

#include "tests/support/session.h"

namespace rooftune::test {

inline std::set<std::string> commands_of_program() {
    const std::string help = run({program(), "--help"}).out;
    const std::string listed = help.substr(help.find("Subcommands:"));
    const std::regex command("\n  ([a-z]+) {2,}[A-Z]");
    std::set<std::string> commands;
    for (std::sregex_iterator it(listed.begin(), listed.end(), command), end; it != end; ++it)
        commands.insert((*it)[1]);
    return commands;
}

}  // namespace rooftune::test
