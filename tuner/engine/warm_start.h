// What a tuned problem teaches the next one like it: its winner, and how long each variant that it measured
// took against the ranking estimate.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "tuner/search/search.h"

namespace rooftune {

/// By names and values, because the next problem has a space of its own.
struct WarmStart {
    struct Timing {
        std::map<std::string, std::string> variant;
        double log_ratio = 0.0;  ///< ln(seconds / ranking estimate)
    };
    std::map<std::string, std::string> best;
    std::vector<Timing> timings;
    /// What the search itself knows, or has ruled out: its timings' variants, and those that failed or are in
    /// quarantine.
    std::set<std::map<std::string, std::string>> tried;
};

/// Adds to `input` what the neighbours, nearest first, know: their winners as starts, each once, as they are
/// in this space; and their timings of variants that exist here as experience. A neighbour's timings are
/// moved by one common amount so that all winners have the same ratio: problems differ in how near their best
/// comes to the estimate, and that says nothing about which variant is best. Returns that ratio, as ln.
double teach(std::span<const WarmStart* const> neighbours, SearchInput& input);

/// Evaluations without improvement after which a search that was taught ends, in a space of so many variants.
/// Each of them costs less than what a problem costs whatever its search does (probes, finals), so that there
/// is no point in fewer; with more, a job would not be quicker than its problems one by one.
int taught_patience(std::uint64_t variants);

/// Of a search with a winner: its own timings, the ranking estimates being those of its machine at the end,
/// and what it was taught itself (`taught` is what teach() returned for it). Otherwise what only the first
/// problem of a job tried, the values that are bad, would be forgotten by the third.
WarmStart warm_start_of(const SearchResult& found, const SearchInput& input, double taught);

}  // namespace rooftune
