#include "tuner/store/store_files.h"

#include <filesystem>

namespace rooftune {

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
