// Draws that are the same on every platform, unlike those of std::uniform_*_distribution and std::shuffle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "tuner/search/enumerate/sampling.h"

namespace rooftune {

/// In [0, 1).
inline double unit(std::mt19937_64& random) {
    return static_cast<double>(random() >> 11) * 0x1.0p-53;
}

/// One of several; there must be one.
template <typename T>
const T& pick(const std::vector<T>& from, std::mt19937_64& random) {
    return from[below(random, from.size())];
}

template <typename T>
void shuffle(std::vector<T>& items, std::mt19937_64& random) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(random, i)]);
}

/// Of more than `first` + `others` items the first, and of the rest an even choice: what a model learns from
/// where it cannot learn from everything.
template <typename T>
void keep_first_and_others(std::vector<T>& items, std::size_t first, std::size_t others,
                           std::mt19937_64& random) {
    if (items.size() <= first + others) return;
    for (std::size_t i = first; i < first + others; ++i)
        std::swap(items[i], items[i + below(random, items.size() - i)]);
    items.resize(first + others);
}

/// All numbers below `size`, each once, in an order that the draw decides, without a list of them: a Feistel
/// network on the least 4^h that is no less than `size`, applied until the result is inside (M. Luby,
/// C. Rackoff, SIAM Journal on Computing 17 (1988); J. Black, P. Rogaway, CT-RSA 2002).
class Permutation {
public:
    Permutation(std::size_t size, std::mt19937_64& random) : size_(size) {
        while (half_ < 32 && (std::uint64_t{1} << (2 * half_)) < size) ++half_;
        for (std::uint64_t& key : keys_) key = random();
    }
    std::size_t size() const { return size_; }
    /// The i-th of them, i below size().
    std::size_t operator[](std::size_t i) const {
        std::uint64_t x = i;
        do {
            x = mixed(x);
        } while (x >= size_);
        return static_cast<std::size_t>(x);
    }

private:
    std::uint64_t mixed(std::uint64_t x) const {
        const std::uint64_t mask = (std::uint64_t{1} << half_) - 1;
        std::uint64_t left = x >> half_, right = x & mask;
        for (const std::uint64_t key : keys_) {
            std::uint64_t f = (right ^ key) * 0x9e3779b97f4a7c15ULL;
            f = (f ^ (f >> 32)) * 0xd6e8feb86659fd93ULL;
            const std::uint64_t next = left ^ ((f ^ (f >> 29)) & mask);
            left = right;
            right = next;
        }
        return (left << half_) | right;
    }

    std::size_t size_;
    unsigned half_ = 4;  // no fewer than 256: with fewer, too few orders exist
    std::uint64_t keys_[6];
};

}  // namespace rooftune
