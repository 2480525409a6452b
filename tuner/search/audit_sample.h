// Whom the audit measures: of each class that was ruled out some that lie nearest to the threshold, where a
// wrong bound or estimate shows first, and some drawn uniformly, of whom alone a limit can be told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "models/space.h"
#include "tuner/formats/tune_result.h"

namespace rooftune {

/// A variant that was ruled out, and by what: T_lower of one that was excluded, the ranking estimate of one
/// that was set aside, in seconds.
struct RuledOut {
    Variant variant;
    double by = 0.0;
};

/// All variants that were ruled out in one way.
struct RuledOutClass {
    std::vector<RuledOut> listed;        ///< none of them measured
    std::vector<PartialVariant> beyond;  ///< subtrees that would make the list too long; they do not overlap
    std::uint64_t variants_beyond = 0;   ///< in those
    std::vector<RuledOut> near_beyond;   ///< some of the subtrees nearest to the threshold

    std::uint64_t size() const { return listed.size() + variants_beyond; }
};

struct AuditDraw {
    Variant variant;
    bool aside = false;    ///< set aside, not excluded
    bool uniform = false;  ///< drawn with the others of its class as likely
};

/// `count` draws or fewer: half of them excluded, half set aside, or more of the one where there are too few
/// of the other. In each class half are drawn uniformly without replacement; the others are the nearest to
/// the threshold of the rest, and where many are equally near, chance decides. A class no larger than its
/// share is drawn whole. First the excluded, then those set aside; within each in random order. None that
/// `evaluated` says yes to.
std::vector<AuditDraw> draw_audit(const Space& space, const RuledOutClass& excluded,
                                  const RuledOutClass& aside, std::size_t count,
                                  const std::function<bool(const Variant&)>& evaluated,
                                  std::mt19937_64& random);

/// The limits of a report whose draws are counted. Of a class: upper_limit() of its uniform draws, which is
/// on the safe side without replacement, and the share itself where all were drawn. Of both together: the
/// mean of the classes' limits by their sizes, each with 97.5 % confidence, so that with 95 % neither is
/// exceeded.
void set_limits(AuditReport& report, std::uint64_t excluded, std::uint64_t aside);

}  // namespace rooftune
