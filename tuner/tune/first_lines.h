// The lines that every summary begins with, the short one and the whole one alike.
#pragma once

#include <string>

#include "tuner/formats/tune_result.h"

namespace rooftune {

/// "Gain     1.90× plain CSR", wrapped to the page with its newline; empty where there is no text.
std::string labelled(const std::string& label, const std::string& text);

/// Winner, what it gained, how near it is, what is left, what came of earlier runs and of the config before,
/// what to trust, and what to do next. Of a result with a winner.
std::string first_lines(const TuneResult& result);

}  // namespace rooftune
