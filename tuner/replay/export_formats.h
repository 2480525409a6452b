// Records of one job in the formats of others, and in our own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tuner/replay/recorded_job.h"

namespace rooftune {

/// A cache that Kernel Tuner's own reader accepts, times in milliseconds. The kernel's name is the job's
/// title, the problem size nx, ny, nz or m, n, k of the problem (1 where it has none of them). Parameters
/// have numbers where their values are spelled so; one that does not exist in a variant has the value
/// "absent" there. Failures are Kernel Tuner's: "CompilationFailedConfig" for what does not build,
/// "RuntimeFailedConfig" for every other.
std::string kernel_tuner_text(const RecordedJob& job);

/// T4, version 1.0.0 (configs/schema/t4-results.schema.json), times in milliseconds; parameters as above.
/// `version` is this program's.
std::string t4_text(const RecordedJob& job, std::string_view version);

/// Everything that a replay needs, one variant a line (configs/schema/records.schema.json); files that the
/// problem names lose their folders. `with_machine` adds the job's machine, which must be known.
std::string rooftune_text(const RecordedJob& job, bool with_machine);

/// RFC 4180: every record, one a line, times in seconds, a column for each parameter, empty where the
/// parameter does not exist. A parameter named like another column gets "parameter_" before its name. The
/// interval stands only where there are the eight slots that it needs.
std::string csv_text(const RecordedJob& job, const std::vector<StoredRecord>& records);

/// Kernel Tuner's word for a failure.
std::string_view kernel_tuner_failure(Outcome outcome);
/// T4's word for an outcome.
std::string_view t4_invalidity(Outcome outcome);

}  // namespace rooftune
