#include "tuner/ceilings/system_files.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace rooftune {

std::optional<std::string> SystemFiles::read(const std::string& path) const {
    // Files below /proc have no size to ask for: read until they end.
    std::ifstream file(root_ + path, std::ios::binary);
    if (!file) return std::nullopt;
    constexpr std::size_t kMost = std::size_t{1} << 20;
    std::string text(kMost, '\0');
    file.read(text.data(), static_cast<std::streamsize>(kMost));
    if (file.bad()) return std::nullopt;
    text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
    return text;
}

std::optional<std::string> SystemFiles::line(const std::string& path) const {
    std::optional<std::string> text = read(path);
    if (text) text->erase(std::min(text->find('\n'), text->size()));
    return text;
}

std::optional<double> SystemFiles::number(const std::string& path) const {
    const std::optional<std::string> text = line(path);
    if (!text) return std::nullopt;
    char* end = nullptr;
    const double value = std::strtod(text->c_str(), &end);
    if (end == text->c_str()) return std::nullopt;
    return value;
}

std::vector<std::string> SystemFiles::list(const std::string& path) const {
    std::vector<std::string> names;
    std::error_code error;
    std::filesystem::directory_iterator it(root_ + path, error);
    for (; !error && it != std::filesystem::directory_iterator(); it.increment(error)) {
        names.push_back(it->path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace rooftune
