// Histories in words: for a terminal, or as Markdown; and what a recording wrote down.
#pragma once

#include <string>
#include <vector>

#include "tuner/track/track_report.h"

namespace rooftune {

/// A table a kernel, what it gained, how the latest entry stands, and what is suspected.
std::string track_report_text(const track::TrackReport& report, bool markdown);

/// What was just recorded, one row a kernel.
std::string track_record_text(const std::vector<track::Entry>& entries, const std::string& store,
                              const std::vector<track::NotRecorded>& left_out = {});

/// Shares as bars from "▁" to "█", of 0 to 1; a blank where one is not known (not positive).
std::string sparkline(const std::vector<double>& shares);

/// A revision as people write it: hashes by their first twelve digits.
std::string short_revision(const std::string& revision);

}  // namespace rooftune
