#include "kernels/runtime/user_cache.h"

#include <cstdlib>

namespace rooftune {

std::string user_cache() {
    if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg && *xdg) return xdg;
    if (const char* home = std::getenv("HOME"); home && *home) return std::string(home) + "/.cache";
    return "";
}

}  // namespace rooftune
