// What the words mean that outputs use: `rooftune help WORD`, the report's page and docs/glossary.md say the
// same.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rooftune {

struct Word {
    std::string_view word;
    std::string_view also;     ///< other spellings and forms, between commas
    std::string_view meaning;  ///< one sentence
};

/// All words, in alphabetical order.
std::span<const Word> glossary();

/// The word that is asked for by one of its spellings, whatever the case, and with '_' or '-' for a blank;
/// nullptr where there is none.
const Word* find_word(std::string_view asked);

/// Calls `visit` with each spelling of a word, its own first.
template <typename Visit>
void each_spelling(const Word& word, Visit&& visit) {
    visit(word.word);
    for (std::string_view rest = word.also; !rest.empty();) {
        const std::size_t comma = rest.find(',');
        visit(rest.substr(0, comma));
        if (comma == std::string_view::npos) break;
        rest.remove_prefix(comma + 1);
        while (rest.starts_with(' ')) rest.remove_prefix(1);
    }
}

/// docs/glossary.md.
std::string glossary_markdown();

}  // namespace rooftune
