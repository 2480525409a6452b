// The entries that `rooftune track record` put into a store.
#pragma once

#include <string>
#include <vector>

#include "tuner/base/notice.h"
#include "tuner/track/entry.h"

namespace rooftune::track {

/// In the order in which they were recorded. Throws InputError where there is no store, or no history in it;
/// `notice` is told of each entry that cannot be read.
std::vector<Entry> read_history(const std::string& path, const Notice& notice);

}  // namespace rooftune::track
