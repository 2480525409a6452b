// FNV-1a, 64 bits (Fowler, Noll, Vo): a name for texts and a guard against torn ones. Not a defence
// against forgery.
#pragma once

#include <cstdint>
#include <string_view>

namespace rooftune {

class Checksum {
public:
    /// Adds a field with its length, so that neighbouring fields cannot trade bytes.
    Checksum& add(std::string_view field) {
        std::uint64_t length = field.size();
        for (int i = 0; i < 8; ++i, length >>= 8) byte(static_cast<unsigned char>(length));
        for (const char c : field) byte(static_cast<unsigned char>(c));
        return *this;
    }
    std::uint64_t value() const { return value_; }

private:
    void byte(unsigned char b) { value_ = (value_ ^ b) * 0x100000001b3u; }
    std::uint64_t value_ = 0xcbf29ce484222325u;
};

}  // namespace rooftune
