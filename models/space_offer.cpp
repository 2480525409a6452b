#include "models/space_offer.h"

#include <algorithm>
#include <stdexcept>

namespace rooftune {
namespace {

double number_of(const Parameter& parameter, int value) {
    return parameter.values[static_cast<std::size_t>(value)].real();
}

const Parameter& parameter_of(const Space& space, int parameter) {
    return space.parameters()[static_cast<std::size_t>(parameter)];
}

}  // namespace

int value_below(const Parameter& parameter, int value) {
    int found = -1;
    for (int v = 0; v < static_cast<int>(parameter.values.size()); ++v) {
        if (number_of(parameter, v) >= number_of(parameter, value)) continue;
        if (found < 0 || number_of(parameter, v) > number_of(parameter, found)) found = v;
    }
    return found;
}

int value_above(const Parameter& parameter, int value) {
    int found = -1;
    for (int v = 0; v < static_cast<int>(parameter.values.size()); ++v) {
        if (number_of(parameter, v) <= number_of(parameter, value)) continue;
        if (found < 0 || number_of(parameter, v) < number_of(parameter, found)) found = v;
    }
    return found;
}

SpaceOffer SpaceOffer::first(const Space& whole, ParameterSet named) {
    SpaceOffer offer;
    for (int p = 0; p < whole.size(); ++p) {
        if (!named.contains(p))
            offer.held_[static_cast<std::size_t>(p)] =
                static_cast<std::int8_t>(parameter_of(whole, p).beyond);
    }
    if (!offer.everything() && offer.of(whole).count(PartialVariant{}) == 0) return {};
    return offer;
}

bool SpaceOffer::everything() const {
    return std::all_of(held_.begin(), held_.end(), [](std::int8_t held) { return held == 0; });
}

int SpaceOffer::offered(const Space& whole, int parameter) const {
    return static_cast<int>(parameter_of(whole, parameter).values.size()) -
           held_[static_cast<std::size_t>(parameter)];
}

bool SpaceOffer::offers(const Space& whole, const Variant& variant) const {
    for (int p = 0; p < whole.size(); ++p) {
        if (variant[p] >= offered(whole, p)) return false;
    }
    return true;
}

int SpaceOffer::edge(const Space& whole, int parameter) const {
    if (held_[static_cast<std::size_t>(parameter)] == 0) return -1;
    return value_below(parameter_of(whole, parameter), offered(whole, parameter));
}

void SpaceOffer::extend(int parameter) {
    std::int8_t& held = held_[static_cast<std::size_t>(parameter)];
    if (held == 0) throw std::logic_error("nothing of this parameter is held back");
    --held;
}

void SpaceOffer::open_for(const Space& whole, const Variant& variant) {
    for (int p = 0; p < whole.size(); ++p) {
        while (variant[p] >= offered(whole, p)) extend(p);
    }
}

Space SpaceOffer::of(const Space& whole) const {
    Space space = whole;
    for (int p = 0; p < whole.size(); ++p) {
        if (held_[static_cast<std::size_t>(p)] == 0) continue;
        const Parameter& parameter = parameter_of(whole, p);
        const int end = offered(whole, p);
        const int last = edge(whole, p);
        std::string text = parameter.name + " on offer";
        if (last >= 0)
            text = parameter.name + " up to " + parameter.values[static_cast<std::size_t>(last)].text +
                   ", more once the best has that";
        space.add(
            Constraint{std::move(text), p, [p, end](const PartialVariant& v) { return v[p] < end; }, {p}});
    }
    return space;
}

}  // namespace rooftune
