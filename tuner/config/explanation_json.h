// The levers of a winner as JSON: "explanation" in a tune result.
#pragma once

#include "tuner/config/strict_json.h"
#include "tuner/config/tune_result.h"

namespace rooftune {

/// A limit that is not finite becomes null.
Json to_json(const ExplanationReport& explanation);

/// Throws InputError with file, JSON pointer, what was expected and found.
ExplanationReport explanation_from(StrictObject object);

}  // namespace rooftune
