#include "kernels/runtime/user_cache.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

namespace rooftune {

namespace fs = std::filesystem;

std::string user_cache() {
    if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg && *xdg) return xdg;
    if (const char* home = std::getenv("HOME"); home && *home) return std::string(home) + "/.cache";
    return "";
}

void shrink_cache(const std::string& folder, const std::string& extension, std::int64_t most_bytes,
                  const std::string& goes_with_it) {
    struct Kept {
        fs::file_time_type used;
        std::int64_t bytes;
        fs::path path;
    };
    std::vector<Kept> entries;
    std::int64_t all = 0;
    std::error_code error;
    for (const fs::directory_entry& file : fs::directory_iterator(folder, error)) {
        if (file.path().extension() != extension) continue;
        const auto bytes = static_cast<std::int64_t>(file.file_size(error));
        if (error) continue;
        entries.push_back({file.last_write_time(error), bytes, file.path()});
        all += bytes;
    }
    std::sort(entries.begin(), entries.end(), [](const Kept& a, const Kept& b) { return a.used < b.used; });
    for (const Kept& entry : entries) {
        if (all <= most_bytes) return;
        if (fs::remove(entry.path, error)) all -= entry.bytes;
        if (!goes_with_it.empty()) fs::remove(fs::path(entry.path).replace_extension(goes_with_it), error);
    }
}

}  // namespace rooftune
