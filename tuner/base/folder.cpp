#include "tuner/base/folder.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "kernels/runtime/error.h"

namespace rooftune {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::vector<std::string> json_files(const std::string& folder) {
    std::vector<std::string> files;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        if (entry->path().extension() == ".json") files.push_back(entry->path().string());
    }
    if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory)
        throw EnvironmentError(folder + ": cannot be read: " + error.message());
    std::sort(files.begin(), files.end());
    return files;
}

std::string file_identity(const std::string& path) {
    std::error_code error;
    const fs::path resolved = fs::weakly_canonical(fs::absolute(path, error), error);
    // A link that leads to itself has its own name only.
    return error ? fs::path(path).lexically_normal().string() : resolved.string();
}

std::string nearest_there(const std::string& path) {
    std::error_code none;
    fs::path at = fs::absolute(path, none).lexically_normal();
    while (!fs::exists(at, none) && at != at.parent_path()) at = at.parent_path();
    return at.string();
}

}  // namespace rooftune
