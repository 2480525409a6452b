// The least that a user's expression of parameters and the bytes of a cache can be below a partial variant.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "models/units.h"
#include "tuner/external/declaration.h"
#include "tuner/external/least_value.h"

namespace rooftune::external {

class LeastBeyond {
public:
    /// Combinations of values of the parameters that it names, at most: each of the capacities that bounds
    /// ask for, a hundred of a machine, tries all of them out.
    static constexpr double kMostWays = 4096.0;
    /// Bytes of the smallest cache that is asked about; what holds for it holds for less.
    static constexpr double kSmallest = 1024.0;

    /// Nothing is declared: 0.
    LeastBeyond() = default;
    /// `where`: the place for messages. `space` must outlive this. Throws InputError for what is no
    /// expression, depends on parameters with more than kMostWays combinations, is infinite or no number with
    /// a cache of 1 KiB, 1 MiB or 1 TiB, or more with a larger one of these. What is no number with another
    /// one only, claims nothing there.
    LeastBeyond(const Space& space, Constants numbers, const DeclaredBeyond& declared, std::string where);

    /// Bytes beyond a cache of `capacity`; 0 where the expression is negative.
    double of(const PartialVariant& partial, Bytes capacity) const;

private:
    LeastValue at(double capacity, const std::function<void(const PartialVariant&, double)>& refused) const;
    [[noreturn]] void refuse(const std::string& what, const PartialVariant& variant) const;

    const Space* space_ = nullptr;
    Constants numbers_;
    std::string name_, text_, where_;
    mutable std::map<double, LeastValue> known_;  ///< by capacity
};

}  // namespace rooftune::external
