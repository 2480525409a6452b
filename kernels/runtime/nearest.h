// The known word nearest to a mistyped one, for messages about keys, flags and names.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rooftune {

/// The entry of `known` with the fewest edits from `word` (insertions, deletions, substitutions and
/// swaps of neighbours, letter case ignored; the first of equals); failing that the first that begins
/// with it. Empty when nothing is nearer than about a third of the word: a far-fetched suggestion is
/// worse than none.
std::string nearest(std::string_view word, std::span<const std::string> known);

/// The end of a message about an unknown word: "did you mean 'nx'? Known: nx, ny, nz", or the list
/// alone when nothing is near.
std::string suggestion(std::string_view word, std::span<const std::string> known);

/// "nx, ny, nz"
std::string listed(std::span<const std::string> words);

}  // namespace rooftune
