#include "kernels/runtime/opencl_cache.h"

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "kernels/runtime/user_cache.h"

namespace rooftune::opencl {
namespace {

namespace fs = std::filesystem;

// An entry: magic, length and checksum of the binary, the binary.
struct Head {
    char magic[8];
    std::uint64_t bytes;
    std::uint64_t checksum;
};
constexpr std::int64_t kMostKept = std::int64_t{256} << 20;  ///< bytes
constexpr char kMagic[8] = {'r', 'f', 't', 'n', 'c', 'l', '0', '1'};

std::uint64_t hash_of(const void* data, std::size_t bytes, std::uint64_t hash = 14695981039346656037ull) {
    const auto* at = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < bytes; ++i) {
        hash ^= at[i];
        hash *= 1099511628211ull;
    }
    return hash;
}

std::string path_of(const std::string& key) {
    const std::string folder = cache_folder();
    return folder.empty() ? "" : folder + "/" + key + ".bin";
}

bool write_all(int file, const void* data, std::size_t bytes) {
    const char* at = static_cast<const char*>(data);
    while (bytes > 0) {
        const ssize_t written = write(file, at, bytes);
        if (written <= 0) return false;
        at += written;
        bytes -= static_cast<std::size_t>(written);
    }
    return true;
}

}  // namespace

std::string cache_folder() {
    if (const char* own = std::getenv("ROOFTUNE_OPENCL_CACHE"); own && *own) return own;
    const std::string cache = user_cache();
    return cache.empty() ? "" : cache + "/rooftune/opencl";
}

std::string cache_key(const std::string& source, const std::string& options, const std::string& device_id,
                      const std::string& driver) {
    const std::string text = source + '\0' + options + '\0' + device_id + '\0' + driver;
    char hex[33];
    std::snprintf(hex, sizeof hex, "%016llx%016llx",
                  static_cast<unsigned long long>(hash_of(text.data(), text.size())),
                  static_cast<unsigned long long>(hash_of(text.data(), text.size(), 1099511628211ull)));
    return hex;
}

std::vector<unsigned char> cache_load(const std::string& key) {
    const std::string path = path_of(key);
    if (path.empty()) return {};
    std::ifstream file(path, std::ios::binary);
    Head head{};
    if (!file.read(reinterpret_cast<char*>(&head), sizeof head)) return {};
    std::error_code error;
    const auto size = fs::file_size(path, error);
    if (error || std::memcmp(head.magic, kMagic, sizeof kMagic) != 0 || size != sizeof head + head.bytes)
        return {};
    std::vector<unsigned char> binary(head.bytes);
    if (!file.read(reinterpret_cast<char*>(binary.data()), static_cast<std::streamsize>(binary.size())))
        return {};
    if (hash_of(binary.data(), binary.size()) != head.checksum) return {};
    fs::last_write_time(path, fs::file_time_type::clock::now(), error);  // used last of all
    return binary;
}

void cache_store(const std::string& key, const std::vector<unsigned char>& binary) {
    const std::string path = path_of(key);
    if (path.empty() || binary.empty()) return;
    std::error_code error;
    fs::create_directories(fs::path(path).parent_path(), error);
    if (error) return;
    std::string temporary = path + ".XXXXXX";
    const int file = mkstemp(temporary.data());
    if (file < 0) return;
    Head head{};
    std::memcpy(head.magic, kMagic, sizeof kMagic);
    head.bytes = binary.size();
    head.checksum = hash_of(binary.data(), binary.size());
    const bool written = write_all(file, &head, sizeof head) && write_all(file, binary.data(), binary.size());
    const bool closed = close(file) == 0;
    if (!written || !closed || rename(temporary.c_str(), path.c_str()) != 0) unlink(temporary.c_str());
    shrink_cache(cache_folder(), ".bin", kMostKept);
}

void cache_drop(const std::string& key) {
    const std::string path = path_of(key);
    if (!path.empty()) unlink(path.c_str());
}

}  // namespace rooftune::opencl
