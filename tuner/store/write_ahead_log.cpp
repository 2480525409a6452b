#include "tuner/store/write_ahead_log.h"

#include <cstdint>
#include <fstream>
#include <sstream>

namespace rooftune {
namespace {

constexpr std::size_t kHeader = 32, kFrameHeader = 24;
constexpr std::uint32_t kMagic = 0x377f0682;  // its last bit says how checksums read their words

std::uint32_t word(std::string_view bytes, std::size_t at, bool big_endian = true) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        const auto byte = static_cast<unsigned char>(bytes[at + (big_endian ? i : 3 - i)]);
        value = value << 8 | byte;
    }
    return value;
}

struct Sum {
    std::uint32_t first = 0, second = 0;
    bool operator==(const Sum&) const = default;

    void add(std::string_view bytes, bool big_endian) {
        for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
            first += word(bytes, at, big_endian) + second;
            second += word(bytes, at + 4, big_endian) + first;
        }
    }
};

}  // namespace

bool ends_within_commit(std::string_view log) {
    if (log.empty()) return false;
    if (log.size() < kHeader) return true;
    const std::uint32_t magic = word(log, 0);
    if ((magic & ~1u) != kMagic) return true;
    const bool big_endian = (magic & 1u) != 0;
    const std::size_t page = word(log, 8);
    Sum sum;
    sum.add(log.substr(0, 24), big_endian);
    if (page < 512 || page > 65536 || sum != Sum{word(log, 24), word(log, 28)}) return true;
    const std::string_view salts = log.substr(16, 8);
    bool within = false;
    for (std::size_t at = kHeader; at < log.size(); at += kFrameHeader + page) {
        const std::string_view rest = log.substr(at);
        // Frames of an earlier use have other salts.
        if (rest.size() >= 16 && rest.substr(8, 8) != salts) return within;
        if (rest.size() < kFrameHeader + page) return true;
        sum.add(rest.substr(0, 8), big_endian);
        sum.add(rest.substr(kFrameHeader, page), big_endian);
        if (sum != Sum{word(rest, 16), word(rest, 20)}) return true;
        within = word(rest, 4) == 0;  // the last frame of a commit has the size of the file
    }
    return within;
}

bool log_ends_within_commit(const std::string& database) {
    std::ifstream stream(database + "-wal", std::ios::binary);
    if (!stream) return false;
    std::ostringstream text;
    text << stream.rdbuf();
    return ends_within_commit(text.str());
}

}  // namespace rooftune
