// Which ceilings may still turn out to be the highest of their kind. A roof is the maximum over mixes,
// streams and chains; once it is clear which of them come near it, the windows of a plan are better spent on
// these: the maximum of three windows lies up to a fifth below that of thirty where a host's clock drifts.
// Pure.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "models/machine.h"

namespace rooftune {

class Leaders {
public:
    /// Of all ceilings seen so far.
    explicit Leaders(const std::vector<Ceiling>& seen);

    /// Whether it reached this share of the best under the same conditions: bandwidth of the same footprint
    /// and threads, in one direction at least; peaks of the same type, width, unit and threads. Always for
    /// one chain on one thread, which is a roof of its own, and for resources of which there are few.
    bool worth_more(const Ceiling& ceiling) const;

    static constexpr double kShare = 0.8;

private:
    using WalkKey = std::tuple<int, double, bool, bool>;  ///< threads, footprint, shared, remote
    struct Walk {
        double read = 0.0, write = 0.0, both = 0.0;
    };
    using PeakKey = std::tuple<DType, int, int, std::string>;  ///< type, width, threads, unit
    std::map<WalkKey, Walk> walks_;
    std::map<PeakKey, double> peaks_;
};

}  // namespace rooftune
