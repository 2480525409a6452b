// A variant's parameters as other tuners write them: a value for each, with or without meaning.
#pragma once

#include "tuner/formats/strict_json.h"
#include "tuner/replay/recorded_job.h"

namespace rooftune {

/// {"chunk": 16, "format": "sell", "pad": "absent"}, in the space's order.
Json parameters_json(const RecordedSpace& space, const RecordedConfiguration& configuration);

/// One line, with every digit; bytes that are not UTF-8 are replaced.
std::string line_of(const Json& value);

}  // namespace rooftune
