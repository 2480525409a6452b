#include "models/emptied_by.h"

#include <cstddef>

namespace rooftune {
namespace {

// The space under those of its constraints that are to stay.
Space under(const Space& space, const std::vector<bool>& stays) {
    Space other(space.family(), space.version());
    for (const Parameter& p : space.parameters()) other.add(p);
    for (std::size_t c = 0; c < stays.size(); ++c) {
        if (stays[c]) other.add(space.constraints()[c]);
    }
    return other;
}

bool empty(const Space& space) {
    return space.count(PartialVariant{}) == 0;
}

}  // namespace

std::vector<std::string> emptied_by(const Space& space) {
    if (!empty(space)) return {};
    const std::vector<Constraint>& constraints = space.constraints();
    for (std::size_t c = 0; c < constraints.size(); ++c) {
        std::vector<bool> stays(constraints.size(), true);
        stays[c] = false;
        if (!empty(under(space, stays))) return {constraints[c].text};
    }
    // What can be left out is left out, one after the other; the rest is to blame together.
    std::vector<bool> stays(constraints.size(), true);
    for (std::size_t c = 0; c < constraints.size(); ++c) {
        stays[c] = false;
        if (!empty(under(space, stays))) stays[c] = true;
    }
    std::vector<std::string> texts;
    for (std::size_t c = 0; c < constraints.size(); ++c) {
        if (stays[c]) texts.push_back(constraints[c].text);
    }
    return texts;
}

}  // namespace rooftune
