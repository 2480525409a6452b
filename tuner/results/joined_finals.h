// The finals of a run as one measurement: a store has a record for each variant and process of them.
#pragma once

#include <vector>

#include "tuner/store/store.h"

namespace rooftune {

/// The records in their order, those of one run's finals put together: each variant has one, where its first
/// one was, with the slots of all processes. As in the search (tuner/search/finals.cpp), a process counts for
/// a variant that was in as many of its rounds as any, the first process for each, and a failure stays one.
std::vector<StoredRecord> with_joined_finals(const std::vector<StoredRecord>& records);

}  // namespace rooftune
