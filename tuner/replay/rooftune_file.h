// What `rooftune export --format rooftune` wrote, read again: everything that a search needs to be repeated
// on what was measured, and, where it was asked for, the machine whose ceilings bounded it.
#pragma once

#include <string>
#include <string_view>

#include "tuner/formats/strict_json.h"
#include "tuner/replay/recorded_job.h"

namespace rooftune {

/// The "schema" of these files (configs/schema/records.schema.json).
inline constexpr std::string_view kRecordsSchema = "rooftune/records/1";

/// Whether a document says that it is one, of any version.
bool is_rooftune_records(const Json& document);

/// Throws InputError, which names file and JSON pointer, for anything that is not this format.
RecordedJob from_rooftune_records(const Json& document, const std::string& file);

}  // namespace rooftune
