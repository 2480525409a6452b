// Lists in sentences, and sentences.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rooftune {

/// "a", "a and b", "a, b and c"; `last` stands before the last part, `between` between the others.
std::string joined(const std::vector<std::string>& parts, std::string_view last = " and ",
                   std::string_view between = ", ");
/// With a capital at its beginning and a full stop at its end.
std::string sentence(std::string text);

}  // namespace rooftune
