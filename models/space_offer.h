// What a search offers of a space. An ordered parameter may have values that are rarely worth trying, for a
// space with all of them would be larger for everybody: Parameter::beyond of them, the last in its list and
// ascending, are held back until the best that is known has the value before. The space itself always holds
// them all, so that indices never change and whoever names such a value may have it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/space.h"

namespace rooftune {

class SpaceOffer {
public:
    /// Everything.
    SpaceOffer() { held_.fill(0); }
    /// What a search begins with: all but the last `beyond` values of each parameter, and of those in `named`
    /// all. Where that would leave no variant, everything.
    static SpaceOffer first(const Space& whole, ParameterSet named = {});

    bool everything() const;
    /// Whether all of the variant's values are on offer.
    bool offers(const Space& whole, const Variant& variant) const;
    /// How many values of the parameter are on offer: those of an index below that.
    int offered(const Space& whole, int parameter) const;
    /// Of the values before the first one that is held back the greatest that is less than it by number: who
    /// has it sits on the edge. −1 where nothing is held back.
    int edge(const Space& whole, int parameter) const;

    /// One value more. Throws std::logic_error where nothing is held back.
    void extend(int parameter);
    /// As much more as the variant needs.
    void open_for(const Space& whole, const Variant& variant);

    /// The space of what is on offer: the same parameters, values and indices, under a constraint for each
    /// parameter of which something is held back.
    Space of(const Space& whole) const;

    bool operator==(const SpaceOffer&) const = default;

private:
    std::array<std::int8_t, kMaxParameters> held_;  ///< by parameter: how many of the last values
};

/// The greatest value of a parameter, by number, that is less than that with the index `value`; −1 where
/// there is none.
int value_below(const Parameter& parameter, int value);
/// The least that is greater; −1 where there is none.
int value_above(const Parameter& parameter, int value);

}  // namespace rooftune
