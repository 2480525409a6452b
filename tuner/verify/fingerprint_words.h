// How two machines' fingerprints differ, in words.
#pragma once

#include <string>
#include <string_view>

namespace rooftune::verify {

/// "vectors of up to 512 bits then, 256 now; 4 threads then, 2 now". Empty where they are equal, and where
/// either is no fingerprint (a preset's name): then there is nothing to take apart.
std::string fingerprint_difference(std::string_view then, std::string_view now);

}  // namespace rooftune::verify
