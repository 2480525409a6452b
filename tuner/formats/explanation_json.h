// The opportunities of a winner as JSON: "explanation" in a tune result.
#pragma once

#include "tuner/formats/fields.h"
#include "tuner/formats/tune_result.h"

namespace rooftune {

/// A limit that is not finite becomes null.
void fields(Fields& f, ExplanationReport& explanation);

}  // namespace rooftune
