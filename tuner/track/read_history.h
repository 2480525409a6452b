// The entries that `rooftune track record` put into a store.
#pragma once

#include <string>
#include <vector>

#include "tuner/base/notice.h"
#include "tuner/store/store.h"
#include "tuner/track/entry.h"

namespace rooftune::track {

/// In the order in which they were recorded; `notice` is told of each entry that cannot be read, and of there
/// being none that can.
std::vector<Entry> readable_history(Store& store, const Notice& notice);

/// The same of the store in a file, and its own notices. Throws InputError where there is no store, no
/// history in it, or no entry that can be read.
std::vector<Entry> read_history(const std::string& path, const Notice& notice);

}  // namespace rooftune::track
