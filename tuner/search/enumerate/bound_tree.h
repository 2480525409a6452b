// Best-first enumeration of a space: partial variants keyed by T_lower, so that one bound excludes a
// whole subtree. Branch and bound; complete variants that are not excluded collect in a pool, from
// which the search takes what to measure.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tuner/search/enumerate/bound_source.h"

namespace rooftune {

/// A (partial) variant with its bound.
struct Node {
    PartialVariant partial;
    double lower = 0.0;          ///< T_lower, seconds, without the margin
    double rank = 0.0;           ///< of a variant in the pool: the ranking estimate, seconds
    std::uint64_t variants = 1;  ///< completions; counted when the node is cut
};

/// Effort spent by the tree so far.
struct TreeCounters {
    std::uint64_t bounds_evaluated = 0;
    std::uint64_t subtrees_cut = 0;
};

class BoundTree {
public:
    BoundTree(BoundSource source, double margin);

    /// Expands in order of T_lower until nothing below `threshold` (the incumbent's high, seconds;
    /// infinity before there is one) is left to expand or the pool holds `enough`. Nodes with
    /// (1−μ)·T_lower >= threshold are cut. A threshold above an earlier one re-opens what is no
    /// longer excluded.
    void expand(double threshold, std::size_t enough);

    /// Complete variants found so far that are not excluded at `threshold`, ascending by T_lower.
    /// Those excluded since are moved aside (and come back if the threshold rises).
    const std::vector<Node>& pool(double threshold);
    /// Takes a variant out of the pool (it has been evaluated).
    void take(const Variant& variant);

    /// Cut nodes, complete or not.
    const std::vector<Node>& cut() const { return cut_; }
    /// Nodes not expanded yet that are below the last threshold.
    bool exhausted() const { return open_.empty(); }
    /// The partial variants that still wait, ascending by T_lower.
    std::vector<Node> waiting() const;
    /// The least T_lower of those, seconds; infinity when there are none.
    double least_waiting() const;

    double margin() const { return margin_; }
    const BoundSource& source() const { return source_; }
    const TreeCounters& counters() const { return counters_; }
    bool excluded(double lower, double threshold) const { return (1.0 - margin_) * lower >= threshold; }

private:
    void place(const PartialVariant& partial, double threshold);
    void wait(const Node& node);
    void cut(Node node);
    void reopen(double threshold);

    static bool later(const Node& a, const Node& b) {
        if (a.lower != b.lower) return a.lower > b.lower;
        return a.partial > b.partial;  // a total order: the trace does not depend on the heap's layout
    }

    BoundSource source_;
    BoundCache bounds_;
    double margin_;
    double threshold_;
    std::vector<Node> open_;  ///< a heap, the next one in front
    std::vector<Node> pool_;
    std::set<Variant> taken_;
    std::vector<Node> cut_;
    bool pool_sorted_ = true;
    TreeCounters counters_;
};

/// The margin of a run: the largest of the margins of all ceilings that bind some variant of the
/// space (all variants up to `sample` of them, else a seeded sample of so many).
double run_margin(const BoundSource& source, std::size_t sample, std::uint64_t seed);

}  // namespace rooftune
