// Inputs that are nearly right: bytes, words and JSON values of good ones changed at random.
#pragma once

#include <random>
#include <string>
#include <vector>

namespace rooftune::fuzz {

/// What one change may put in: words of the format, and other good inputs to take pieces from.
struct Material {
    std::vector<std::string> words;
    std::vector<std::string> seeds;
};

/// One to six changes of `input`, of at most `most_bytes` afterwards: bytes flipped, set, left out, repeated
/// or moved, numbers made extreme, words put in, pieces of another seed; where it is JSON, also one value
/// replaced, left out, repeated or moved elsewhere.
std::string mutated(std::string input, const Material& material, std::mt19937_64& random,
                    std::size_t most_bytes);

}  // namespace rooftune::fuzz
