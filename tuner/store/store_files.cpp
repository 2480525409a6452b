#include "tuner/store/store_files.h"

#include <filesystem>

#include "kernels/runtime/error.h"

namespace rooftune {

void check_store_exists(const std::string& path, const std::string& hint) {
    std::error_code none;
    if (std::filesystem::exists(path, none)) return;
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    if (std::filesystem::exists(folder, none) && !std::filesystem::is_directory(folder, none))
        throw InputError(folder.string() + ": is a file; name the folder that rooftune.db lies in");
    throw InputError(path + ": there is no store yet; " + hint);
}

void remove_with_log(const std::string& path) {
    std::error_code error;
    remove_with_log(path, error);
    if (error) throw std::filesystem::filesystem_error("cannot remove", path, error);
}

void remove_with_log(const std::string& path, std::error_code& error) {
    for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
        std::error_code reason;
        std::filesystem::remove(path + suffix, reason);
        if (reason) error = reason;
    }
}

}  // namespace rooftune
