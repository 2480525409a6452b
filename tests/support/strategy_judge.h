// Judges strategies of search: drives one over landscapes that are awkward each in its own way, and says what
// it did wrong. Judged itself by planted faults (tests/unit/strategies).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tuner/search/strategies/strategy.h"

namespace rooftune::test {

using MakeStrategy = std::function<std::unique_ptr<Strategy>(const Landscape&, std::uint64_t seed)>;

/// In words, each with the landscape where it was seen; empty: none was found. Faults are: a point outside,
/// as a proposal or asked about; more than a hundred proposals in a row of seen points while there are
/// others, which is also how a strategy fails that leaves points out; another trace for the same seed and
/// answers, or for answers in another unit; exceptions; no end; memory for every point of a huge landscape.
std::vector<std::string> strategy_faults(const MakeStrategy& make);

/// What a point takes, by its coordinates; nullopt: it fails.
using Takes = std::function<std::optional<double>(const std::vector<int>&)>;

/// The same on one landscape, over so many proposals.
std::vector<std::string> strategy_faults_on(const MakeStrategy& make, const std::string& name,
                                            std::shared_ptr<const Landscape> landscape, const Takes& takes,
                                            std::size_t proposals);

/// Points proposed twice before all were proposed: a fault of sampling without replacement only.
std::vector<std::string> replacement_faults(const MakeStrategy& make);

}  // namespace rooftune::test
