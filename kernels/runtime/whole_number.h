// Whole numbers as people write sizes.
#pragma once

#include <cstdint>
#include <string_view>
#include <system_error>

namespace rooftune {

/// "1024", and with an exponent what is whole all the same: "1e6", "2.5e3". std::errc() where it was read,
/// invalid_argument where the text is no whole number ("1.5", "1e-3"), result_out_of_range beyond 64 bits.
std::errc read_whole_number(std::string_view text, std::int64_t& value);

}  // namespace rooftune
