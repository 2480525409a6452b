// Hashing for matrices: values for pattern files and random matrices that depend only on the place,
// and a fast digest of large arrays. Not cryptographic: the digest tells problems apart, nobody
// attacks it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace rooftune::sparse {

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): every input bit moves every output bit.
constexpr std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

constexpr std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    return mixed(mixed(a) ^ b);
}

/// Uniform in [0, 1) from the upper 53 bits.
constexpr double unit_interval(std::uint64_t bits) {
    return static_cast<double>(bits >> 11) * 0x1p-53;
}

/// Uniform in [0.5, 1.5): never zero, so that nothing can be dropped, and all of one magnitude, so
/// that no sum depends much on its order.
constexpr double place_value(std::uint64_t seed, std::uint64_t row, std::uint64_t col) {
    return 0.5 + unit_interval(mixed(mixed(seed, row), col));
}

/// Digest over a sequence of arrays, 64 bits: four independent multiply-rotate lanes over 32-byte
/// blocks (a lane alone would run at the multiplier's latency), mixed with the lengths at the end.
class Digest {
public:
    /// What an array amounts to: it may be read before those ahead of it, and on another thread.
    struct Part {
        std::uint64_t lane[4], rest[4];
        std::size_t bytes;
    };
    static Part part(const void* data, std::size_t bytes);
    void add(const Part& part);
    void add(const void* data, std::size_t bytes) { add(part(data, bytes)); }
    void add(std::uint64_t number) { add(&number, sizeof number); }
    /// 16 hexadecimal digits.
    std::string text() const;

private:
    std::uint64_t state_ = 0;
};

}  // namespace rooftune::sparse
