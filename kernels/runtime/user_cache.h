// Where programs of a user keep what they can make again.
#pragma once

#include <string>

namespace rooftune {

/// $XDG_CACHE_HOME, else ~/.cache; empty when neither says where. Made by whoever writes there.
std::string user_cache();

}  // namespace rooftune
