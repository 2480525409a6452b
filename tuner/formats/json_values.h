// Values as documents spell them: null for what is not known, or what JSON has no word for.
#pragma once

#include <string>

#include "tuner/formats/strict_json.h"
#include "tuner/formats/tune_result.h"

namespace rooftune {

class Fields;

/// null for NaN and the infinite.
Json finite_or_null(double value);
/// null for these, and for zero and less: a time, a rate or a share that is not known.
Json positive_or_null(double value);
/// null for the empty text.
Json text_or_null(const std::string& text);
/// {median, low, high, min, slots}; low ≤ median ≤ high
void fields(Fields& f, TimeInterval& interval);
Json interval_json(const TimeInterval& interval);

}  // namespace rooftune
