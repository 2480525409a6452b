// A hash of texts, to tell one from another: FNV-1a (Fowler, Noll and Vo), 64 bits. Nobody attacks it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rooftune {

class TextHash {
public:
    explicit TextHash(std::uint64_t start = 0xcbf29ce484222325U) : hash_(start) {}

    /// Another text: "ab" and "c" are not "a" and "bc".
    void add(std::string_view text) {
        for (const char c : text) mix(static_cast<unsigned char>(c));
        mix(0);
    }
    /// 16 hexadecimal digits.
    std::string text() const {
        constexpr std::string_view kDigits = "0123456789abcdef";
        std::string digits(16, '0');
        for (std::size_t i = 0; i < digits.size(); ++i)
            digits[digits.size() - 1 - i] = kDigits[hash_ >> (4 * i) & 15U];
        return digits;
    }

private:
    void mix(unsigned char c) { hash_ = (hash_ ^ c) * 0x100000001b3U; }
    std::uint64_t hash_;
};

}  // namespace rooftune
