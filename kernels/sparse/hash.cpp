#include "kernels/sparse/hash.h"

#include <bit>
#include <cstdio>
#include <cstring>

#include "kernels/runtime/prefetch.h"

namespace rooftune::sparse {
namespace {

// Odd constants with bits spread evenly: the fractional parts of irrational square roots.
constexpr std::uint64_t kMultiplier = 0x9e3779b97f4a7c15u;
constexpr std::uint64_t kStart[4] = {0x6a09e667f3bcc909u, 0xbb67ae8584caa73bu, 0x3c6ef372fe94f82bu,
                                     0xa54ff53a5f1d36f1u};

std::uint64_t word_at(const unsigned char* at) {
    std::uint64_t word;
    std::memcpy(&word, at, sizeof word);
    return word;
}

}  // namespace

Digest::Part Digest::part(const void* data, std::size_t bytes) {
    const auto* at = static_cast<const unsigned char*>(data);
    Part part{{kStart[0], kStart[1], kStart[2], kStart[3]}, {}, bytes};
    std::size_t left = bytes;
    // An array of a program is in no near cache when it is asked for; this begins early enough for the far
    // ones.
    constexpr std::size_t kAhead = 4096;
    for (; left >= 32; left -= 32, at += 32) {
        if (left > kAhead) prefetch_line(at + kAhead);
        for (int i = 0; i < 4; ++i) {
            part.lane[i] = std::rotl(part.lane[i] ^ (word_at(at + 8 * i) * kMultiplier), 27) * kStart[3];
        }
    }
    if (left > 0) std::memcpy(part.rest, at, left);
    return part;
}

void Digest::add(const Part& part) {
    for (int i = 0; i < 4; ++i) {
        state_ = mixed(state_, part.lane[i]);
        state_ = mixed(state_, part.rest[i]);
    }
    state_ = mixed(state_, part.bytes);
}

std::string Digest::text() const {
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(state_));
    return text;
}

}  // namespace rooftune::sparse
