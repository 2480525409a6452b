#include "tuner/cluster/class_roofs.h"

#include <algorithm>
#include <cmath>

namespace rooftune {
namespace {

const Ceiling* find(const Machine& machine, const Ceiling& like) {
    const auto at = std::find_if(machine.ceilings.begin(), machine.ceilings.end(), [&](const Ceiling& c) {
        return c.resource == like.resource && c.when == like.when;
    });
    return at == machine.ceilings.end() ? nullptr : &*at;
}

bool tells(const Ceiling& c, double largest) {
    if (!c.when.device.empty() || !c.excludes) return false;
    if (c.resource == Resource::compute) return true;
    return c.resource == Resource::bandwidth && c.when.footprint.value >= largest;
}

double largest_footprint(const Machine& machine) {
    double largest = 0.0;
    for (const Ceiling& c : machine.ceilings) {
        if (c.resource == Resource::bandwidth && c.when.device.empty())
            largest = std::max(largest, c.when.footprint.value);
    }
    return largest;
}

}  // namespace

bool take_higher(Machine& into, const Machine& from) {
    bool rose = false;
    for (const Ceiling& c : from.ceilings) {
        const Ceiling* mine = find(into, c);
        if (mine && !(c.max > mine->max)) continue;
        rose = true;
        if (mine) {
            *const_cast<Ceiling*>(mine) = c;
        } else {
            into.ceilings.push_back(c);
        }
    }
    for (const Device& device : from.devices) {
        const bool known = std::any_of(into.devices.begin(), into.devices.end(),
                                       [&](const Device& d) { return d.id == device.id; });
        if (!known) into.devices.push_back(device);
    }
    return rose;
}

Machine risen(const Machine& before, const Machine& after) {
    Machine rose = after;
    std::erase_if(rose.ceilings, [&](const Ceiling& c) {
        const Ceiling* known = find(before, c);
        return known && !(c.max > known->max);
    });
    return rose;
}

std::vector<Shortcoming> class_shares(const Machine& node, const Machine& class_roofs) {
    std::vector<Shortcoming> shares;
    const double largest = largest_footprint(node);
    for (const Ceiling& c : node.ceilings) {
        if (!tells(c, largest)) continue;
        if (const Ceiling* best = find(class_roofs, c)) shares.push_back({c, best->max});
    }
    return shares;
}

std::vector<Shortcoming> shortcomings(const Machine& node, const Machine& class_roofs, double most_behind) {
    std::vector<Shortcoming> found = class_shares(node, class_roofs);
    std::erase_if(found, [&](const Shortcoming& s) { return s.own.max >= (1.0 - most_behind) * s.best; });
    std::stable_sort(found.begin(), found.end(),
                     [](const Shortcoming& a, const Shortcoming& b) { return a.share() < b.share(); });
    return found;
}

std::string shortcoming_text(const Shortcoming& s) {
    return describe(s.own) + ": " + std::to_string(std::lround(100.0 * s.share())) +
           " % of what the best node of its class reaches";
}

}  // namespace rooftune
