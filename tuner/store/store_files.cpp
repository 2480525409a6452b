#include "tuner/store/store_files.h"

#include <filesystem>

namespace rooftune {

void remove_with_log(const std::string& path) {
    for (const char* suffix : {"", "-wal", "-shm", "-journal"}) std::filesystem::remove(path + suffix);
}

}  // namespace rooftune
