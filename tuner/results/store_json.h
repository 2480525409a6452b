// The store as documents, for --json: configs/schema/results-*.schema.json describe them.
#pragma once

#include <string>
#include <vector>

#include "tuner/formats/strict_json.h"
#include "tuner/results/store_text.h"

namespace rooftune {

Json list_json(const std::vector<JobLine>& jobs, const std::string& store);
/// Records only where the view has them.
Json job_json(const JobView& view, const std::string& store, bool with_records);
Json run_json(const RunLine& run, const JobLine& job, const std::string& store);
Json prune_json(const PruneReport& report, const std::string& store);
Json import_json(const ImportReport& report, const std::string& source, const std::string& store);
Json export_json(const StoreExport& report, const std::string& file, const std::string& store);
Json check_json(const StoreState& state, const std::string& store);

}  // namespace rooftune
