// Names in a source, as a compiler would part them from their neighbours.
#pragma once

#include <string>
#include <string_view>

namespace rooftune::external {

/// Whether a name stands in a text by itself: "half" in "half x", and not in "behalf" or "half_way".
bool has_name(std::string_view text, std::string_view name);

}  // namespace rooftune::external
