// The answer to `rooftune bound` as one JSON document, by configs/schema/bound.schema.json.
#pragma once

#include <string_view>

#include "tuner/bound/bound_answer.h"
#include "tuner/formats/strict_json.h"

namespace rooftune {

inline constexpr std::string_view kBoundSchema = "rooftune/bound/1";

/// What is not known, or does not exist, is null: a rate of a machine, the intensity of a workload that moves
/// nothing.
Json to_json(const BoundAnswer& answer);

}  // namespace rooftune
