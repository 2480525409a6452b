#include "kernels/runtime/nearest.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

namespace rooftune {
namespace {

/// Nothing that a person mistypes is longer; the distance below takes time in the product of lengths.
constexpr std::size_t kLongestWord = 128;

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Optimal string alignment: Levenshtein's recurrence with one more case for swapped neighbours,
/// kept in three rows.
std::size_t edits(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before_last(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = std::min({row[j - 1] + 1, last[j] + 1, last[j - 1] + (same ? 0 : 1)});
            const bool swapped =
                i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
            if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
        before_last.swap(last);
        last.swap(row);
    }
    return last[b.size()];
}

/// True for a word of three letters or more that somebody stopped typing.
bool is_beginning(std::string_view word, std::string_view whole) {
    constexpr std::size_t kTelling = 3;
    if (word.size() < kTelling || word.size() > whole.size()) return false;
    return std::equal(word.begin(), word.end(), whole.begin(),
                      [](char a, char b) { return lower(a) == lower(b); });
}

std::string_view without_dashes(std::string_view word) {
    word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
    return word;
}

/// Its digits in order of their value.
std::string digits_of(std::string_view word) {
    std::string digits;
    std::copy_if(word.begin(), word.end(), std::back_inserter(digits),
                 [](char c) { return c >= '0' && c <= '9'; });
    std::sort(digits.begin(), digits.end());
    return digits;
}

/// Of names that are as near, one with the same digits is meant: digits are what tells such names apart.
std::size_t other_digits(std::string_view a, std::string_view b) {
    return digits_of(a) == digits_of(b) ? 0 : 1;
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string> known) {
    if (word.empty() || word.size() > kLongestWord) return {};
    const std::string* best = nullptr;
    std::size_t fewest = 0;
    for (const std::string& candidate : known) {
        // All flags share their dashes, which say nothing of how near they are.
        const std::string_view a = without_dashes(word), b = without_dashes(candidate);
        const std::size_t distance = edits(a, b);
        const std::size_t longer = std::max(a.size(), b.size());
        const std::size_t allowed = (longer + 1) / 3;  // a third, rounded
        const bool nothing_shared = distance >= longer;
        if (distance > allowed || nothing_shared) continue;
        const std::size_t rank = 2 * distance + other_digits(a, b);
        if (!best || rank < fewest) {
            best = &candidate;
            fewest = rank;
        }
    }
    if (best) return *best;
    for (const std::string& candidate : known) {
        if (is_beginning(word, candidate)) return candidate;
    }
    return {};
}

std::string listed(std::span<const std::string> words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

std::string suggestion(std::string_view word, std::span<const std::string> known) {
    const std::string near = nearest(word, known);
    if (near.empty()) return "known: " + listed(known);
    std::string text = "did you mean '";
    return text.append(near).append("'? Known: ").append(listed(known));
}

}  // namespace rooftune
