// The judge of programs that are verified by a file: what a variant wrote against what the first one did,
// word for word.
#pragma once

#include <string>

namespace rooftune::external {

struct TextComparison {
    double error = 0.0;  ///< of the word furthest from what is expected, over its tolerance; 1 is the limit
    std::string described;  ///< that word, where it stands and what was expected; empty where all are equal
};

/// The word furthest from what is expected, in units of its tolerance. Numbers agree within `tolerance` of
/// the expected one, other words are equal; blanks and line breaks only separate. A number that begins a word
/// or follows a sign of punctuation is one: of "x=1.5," the words are `x=`, 1.5 and `,`. Where words are not
/// equal, or one of the texts ends early, the error is infinite and `described` says so.
TextComparison compare_texts(const std::string& expected, const std::string& found, double tolerance);

/// What makes a text none to compare with: nothing in it, or a word like nan or inf. Empty where it is one.
std::string unfit_to_compare_with(const std::string& text);

}  // namespace rooftune::external
