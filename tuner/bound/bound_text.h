// The answer to `rooftune bound` for people: a sentence first, then every term, and what was asked beside it.
#pragma once

#include <string>

#include "tuner/bound/bound_answer.h"

namespace rooftune {

/// Ends with a newline. Tables are valid Markdown.
std::string bound_text(const BoundAnswer& answer);

/// "At most 174 Tflop/s, 88 % of the peak: reads and writes bind, …".
std::string bound_sentence(const BoundAnswer& answer);

}  // namespace rooftune
