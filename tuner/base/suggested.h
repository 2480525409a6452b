// Commands that texts tell their reader to run next.
#pragma once

#include <string>
#include <string_view>

namespace rooftune {

/// The results folder that suggested commands name from now on. Empty, as at first: none, since it is the one
/// that commands take anyway. Said once, before anything is printed.
void suggest_results_folder(const std::string& folder);

/// "rooftune results show --results /tmp/mine": a command that works on a results folder, on that of this
/// process. `command` is without the program's name.
std::string command_here(std::string_view command);

/// The same between backquotes, as it stands in a sentence.
std::string suggested(std::string_view command);

}  // namespace rooftune
