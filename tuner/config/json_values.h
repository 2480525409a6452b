// Values as documents spell them: null for what is not known, or what JSON has no word for.
#pragma once

#include <string>

#include "tuner/config/strict_json.h"
#include "tuner/config/tune_result.h"

namespace rooftune {

/// null for NaN and the infinite.
Json finite_or_null(double value);
/// null for these, and for zero and less: a time, a rate or a share that is not known.
Json positive_or_null(double value);
/// null for the empty text.
Json text_or_null(const std::string& text);
/// {median, low, high, min, slots}
Json interval_json(const TimeInterval& interval);

}  // namespace rooftune
