// A number with a prefix and a unit, as people write rates and sizes: "8.1e11", "810G", "810 GB/s", "16 GiB".
#pragma once

#include <string>
#include <string_view>

namespace rooftune {

/// The value in `unit` ("flop/s", "op/s", "byte/s", "byte"): a number > 0, then if wanted an SI prefix (k M G
/// T P E; for bytes also Ki Mi Gi Ti Pi), then if wanted the unit ("B" for byte). Throws InputError that
/// begins with `what` for NaN, zero, negative and infinite numbers, other units, and bits where bytes are
/// meant.
double quantity_from(std::string_view text, std::string_view unit, const std::string& what);

}  // namespace rooftune
