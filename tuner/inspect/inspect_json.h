// The document of `rooftune inspect --json`.
#pragma once

#include <string_view>

#include "tuner/formats/strict_json.h"
#include "tuner/inspect/inspected.h"

namespace rooftune {

inline constexpr std::string_view kInspectSchema = "rooftune/inspect/1";

/// As configs/schema/inspect.schema.json describes it.
Json to_json(const Inspected& found);

}  // namespace rooftune
