// What the next measurement is chosen from. A small space is listed whole: every variant that no bound
// excludes. In a large one thousands of variants share a bound, and a list cut off at some length would
// hold one corner of that plateau (whatever the branching order lists first), so there the candidates are a
// uniform sample of the open variants, drawn anew from time to time, and the neighbours of the best so far.
#pragma once

#include <optional>
#include <random>
#include <vector>

#include "tuner/search/enumerate/bound_tree.h"
#include "tuner/search/ledger.h"

namespace rooftune {

/// Parameters whose values differ; counted no further than `enough`.
int differences(const Space& space, const Variant& a, const Variant& b, int enough);

/// The best measured variant that differs from the winner so far in four parameters or more: it may be two
/// changes from the best of all and look no better than others. nullopt when none of the best is like that.
///
/// On memplus two searches of sixty ended with a row format at 1.38 times the best, having measured a block
/// format two changes from it at 1.2 times the row format's time; none of sixty did that tried changes of
/// both.
std::optional<Variant> rival(const Space& space, const Ledger& ledger);

class Candidates {
public:
    /// Open variants up to which all of them are candidates.
    static constexpr std::size_t kListed = 24'576;

    /// Variants to choose from, none of them evaluated or excluded at `high` (seconds; infinity: nothing is
    /// excluded), with bound and ranking estimate. `evaluations`: how many there were so far.
    const std::vector<Node>& list(BoundTree& tree, const Ledger& ledger, double high, int evaluations,
                                  std::mt19937_64& random);

    /// Forgets the sample: bounds have changed.
    void clear() { sample_.clear(); }

private:
    void draw(BoundTree& tree, const Ledger& ledger, double high, std::mt19937_64& random);
    void add_neighbours(BoundTree& tree, const Ledger& ledger, double high, std::mt19937_64& random);

    std::vector<Node> sample_;
    std::vector<Node> nodes_;
    int drawn_at_ = 0;
};

}  // namespace rooftune
