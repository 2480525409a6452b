// Where programs of a user keep what they can make again.
#pragma once

#include <cstdint>
#include <string>

namespace rooftune {

/// $XDG_CACHE_HOME, else ~/.cache; empty when neither says where. Made by whoever writes there.
std::string user_cache();

/// Removes the files of a folder that were used longest ago (by the time of their last change, which their
/// readers set) until the rest has `most_bytes` at most. Only those count that have 32 hexadecimal digits
/// for a name, as ours have, and this extension (".so"); with each goes the file of its name that has the
/// other one, unless that is empty. What cannot be removed stays.
void shrink_cache(const std::string& folder, const std::string& extension, std::int64_t most_bytes,
                  const std::string& goes_with_it = "");

}  // namespace rooftune
