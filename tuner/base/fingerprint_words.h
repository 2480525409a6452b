// How two machines' fingerprints differ, in words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rooftune {

/// One part in which two fingerprints differ: "vectors of up to 512 bits", with its values.
struct FingerprintChange {
    std::string what;       ///< for a table: "widest vectors, bits"
    std::string then, now;  ///< "512", "256"
    std::string sentence;   ///< "vectors of up to 512 bits then, 256 now"
};

/// Empty where they are equal, and where either is no fingerprint (a preset's name): then there is nothing to
/// take apart.
std::vector<FingerprintChange> fingerprint_changes(std::string_view then, std::string_view now);

/// Their sentences: "vectors of up to 512 bits then, 256 now; 4 threads then, 2 now".
std::string fingerprint_difference(std::string_view then, std::string_view now);

}  // namespace rooftune
