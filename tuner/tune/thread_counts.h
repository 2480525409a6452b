// The numbers of threads that one command tunes for, one after the other.
#pragma once

#include <string>
#include <vector>

namespace rooftune {

/// "1,2,4" as numbers, in that order; empty for an empty text. Throws InputError for what is no number of 1
/// to 65536, and for one that is given twice.
std::vector<int> thread_counts_from(const std::string& text);

}  // namespace rooftune
