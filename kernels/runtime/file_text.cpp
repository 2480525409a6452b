#include "kernels/runtime/file_text.h"

#include <array>
#include <fstream>

namespace rooftune {

std::optional<std::string> file_text(const std::string& path) {
    // Files below /proc have no size to ask for: read until they end.
    std::ifstream file(path, std::ios::binary);
    if (!file) return std::nullopt;
    std::string text;
    std::array<char, 4096> part{};
    while (file) {
        file.read(part.data(), part.size());
        text.append(part.data(), static_cast<std::size_t>(file.gcount()));
    }
    return file.bad() ? std::nullopt : std::optional(text);
}

}  // namespace rooftune
