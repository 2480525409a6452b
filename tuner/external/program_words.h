// Words as a shell reads them, to be shown or copied.
#pragma once

#include <string>
#include <vector>

namespace rooftune::external {

/// In quotes where a shell would take it for anything but this word.
std::string shell_word(const std::string& word);
/// Words with a blank between them.
std::string shell_line(const std::vector<std::string>& words);

}  // namespace rooftune::external
