// The store in words and tables: results list, show, prune, import and check. Every text ends with a newline
// and says what to do next where there is something to do.
#pragma once

#include <string>
#include <vector>

#include "tuner/base/page_width.h"
#include "tuner/results/store_view.h"
#include "tuner/store/export_store.h"
#include "tuner/store/import_store.h"
#include "tuner/store/inspect.h"
#include "tuner/store/prune.h"

namespace rooftune {

/// Within the width of the page: the columns that say the least are left out, and named below.
std::string list_text(const std::vector<JobLine>& jobs, int columns = page_width());
std::string job_text(const JobView& view);
/// One run: what it was of and how it ended; the summary of its result where this program can read it.
/// `brief`: the short summary alone.
std::string run_text(const RunLine& run, const JobLine& job, bool brief = false);

/// `command`: what carries it out, "rooftune results prune --superseded --yes".
std::string prune_text(const PruneReport& report, const std::string& command);
std::string import_text(const ImportReport& report, const std::string& source);
std::string export_text(const StoreExport& report, const std::string& file);
std::string check_text(const StoreState& state, const std::string& path);

}  // namespace rooftune
