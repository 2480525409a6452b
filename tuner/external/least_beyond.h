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
    /// Each of the capacities that bounds ask for, a hundred of a machine, tries out so many at most.
    static constexpr double kMostWays = 4096.0;

    /// Nothing is declared: 0.
    LeastBeyond() = default;
    /// `where`: the place for messages. `refused` is called as LeastValue says for what is no number or
    /// infinite with a cache of a byte, of 1 MiB or of 1 TiB; what is with another one only, claims nothing
    /// there. `space` must outlive this. Throws InputError for what is no expression.
    LeastBeyond(const Space& space, Constants numbers, const DeclaredBeyond& declared, std::string where,
                const std::function<void(const PartialVariant&, double)>& refused);

    /// Bytes beyond a cache of `capacity`, which counts as a byte where it is less; 0 where the expression is
    /// negative.
    double of(const PartialVariant& partial, Bytes capacity) const;

private:
    LeastValue at(double capacity, const std::function<void(const PartialVariant&, double)>& refused) const;

    const Space* space_ = nullptr;
    Constants numbers_;
    std::string name_, text_, where_;
    mutable std::map<double, LeastValue> known_;  ///< by capacity
};

}  // namespace rooftune::external
