// The least that an expression of parameters can be below a partial variant: what makes a user's formula for
// the work of a variant a bound of the work of all its completions.
//
// Every way to decide the parameters that the expression names, whether the space's rules allow it or not, is
// evaluated once; the least over those that agree with what is decided is at most the least over the
// completions (admissible), and deciding more leaves fewer (monotone). Of a variant in which a parameter does
// not
// exist that it names, it claims nothing: 0.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/space.h"
#include "tuner/search/enumerate/expression.h"

namespace rooftune::external {

class LeastValue {
public:
    /// More ways than this are not tried out, unless less is said; the expression then claims nothing.
    static constexpr double kMostWays = 65536.0;

    /// Without an expression: 0.
    LeastValue() = default;
    /// `refused` is called for the first value that is none (negative, infinite, no number), with the
    /// variant's parameters and the value. `space` must outlive this.
    LeastValue(const Space& space, const Expression& expression,
               const std::function<void(const PartialVariant&, double)>& refused,
               double most_ways = kMostWays);

    /// 0 where there is no expression, or where too many ways would have to be tried.
    double of(const PartialVariant& partial) const;
    /// Whether there is an expression that can be evaluated.
    bool claims() const { return !values_.empty(); }
    /// A way to decide the parameters in which this is more than the other, of an expression of as many ways.
    std::optional<PartialVariant> above(const LeastValue& other) const;

private:
    PartialVariant way_at(std::size_t way) const;

    struct Hash {
        std::size_t operator()(const PartialVariant& v) const { return v.hash(); }
    };

    std::vector<int> parameters_;     ///< that it names
    std::vector<std::size_t> radix_;  ///< values of each
    std::vector<double> values_;      ///< by the indices of their values, the last parameter fastest
    mutable std::unordered_map<PartialVariant, double, Hash> known_;
};

}  // namespace rooftune::external
