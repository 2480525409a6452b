// The known word nearest to a mistyped one, for messages about keys, flags and names.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rooftune {

/// The entry of `known` with the fewest edits from `word` (insertions, deletions, substitutions and
/// swaps of neighbours, letter case ignored; the first of equals). Empty when none is nearer than
/// about a third of the word: a far-fetched suggestion is worse than none.
std::string nearest(std::string_view word, std::span<const std::string> known);

}  // namespace rooftune
