#include "kernels/runtime/user_cache.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

namespace rooftune {

namespace fs = std::filesystem;

namespace {

// A user may name a folder that holds other files as well.
bool is_of_ours(const std::string& name) {
    return name.size() == 32 && name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

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
    fs::directory_iterator at(folder, error);
    for (; !error && at != fs::directory_iterator(); at.increment(error)) {
        const fs::directory_entry& file = *at;
        if (file.path().extension() != extension || !is_of_ours(file.path().stem().string())) continue;
        std::error_code gone;
        const auto bytes = static_cast<std::int64_t>(file.file_size(gone));
        const auto used = file.last_write_time(gone);
        if (gone) continue;
        entries.push_back({used, bytes, file.path()});
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
