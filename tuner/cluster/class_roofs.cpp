#include "tuner/cluster/class_roofs.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>
#include <unordered_map>

#include "tuner/base/si.h"

namespace rooftune {
namespace {

// Ceilings by what they are of. A machine has hundreds, so that comparing each with each shows.
class ByConditions {
public:
    explicit ByConditions(const std::vector<Ceiling>& ceilings) : ceilings_(ceilings) {
        places_.reserve(ceilings.size());
        for (std::size_t i = 0; i < ceilings.size(); ++i) add(i);
    }
    /// One that has come to them.
    void add(std::size_t i) { places_.emplace(hash_of(ceilings_[i]), i); }
    std::optional<std::size_t> find(const Ceiling& like) const {
        std::optional<std::size_t> first;
        const auto [begin, end] = places_.equal_range(hash_of(like));
        for (auto at = begin; at != end; ++at) {
            const Ceiling& c = ceilings_[at->second];
            if (c.resource == like.resource && c.when == like.when && (!first || at->second < *first))
                first = at->second;
        }
        return first;
    }

private:
    // Of what most ceilings differ in; the rest is compared.
    static std::size_t hash_of(const Ceiling& c) {
        std::size_t hash = std::hash<double>{}(c.when.footprint.value);
        for (const int part : {static_cast<int>(c.resource), static_cast<int>(c.when.dtype),
                               c.when.width_bits, static_cast<int>(c.when.mix), c.when.chains, c.when.threads,
                               c.when.streams, static_cast<int>(c.when.prefetch)})
            hash = 31 * hash + static_cast<std::size_t>(part);
        return hash;
    }

    const std::vector<Ceiling>& ceilings_;
    std::unordered_multimap<std::size_t, std::size_t> places_;
};

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

std::vector<Ceiling> compared(const Machine& node) {
    std::vector<Ceiling> found;
    const double largest = largest_footprint(node);
    std::copy_if(node.ceilings.begin(), node.ceilings.end(), std::back_inserter(found),
                 [&](const Ceiling& c) { return tells(c, largest); });
    return found;
}

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// Where each of `wanted` is among `ceilings`; kNone where it is not.
std::vector<std::size_t> places_of(const std::vector<Ceiling>& wanted, const std::vector<Ceiling>& ceilings) {
    std::vector<std::size_t> places;
    places.reserve(wanted.size());
    const ByConditions known(ceilings);
    for (const Ceiling& c : wanted) places.push_back(known.find(c).value_or(kNone));
    return places;
}

}  // namespace

bool take_higher(Machine& into, const Machine& from, std::vector<std::size_t>* which) {
    ByConditions known(into.ceilings);
    bool rose = false;
    for (const Ceiling& c : from.ceilings) {
        const std::optional<std::size_t> mine = known.find(c);
        if (mine && !(c.max > into.ceilings[*mine].max)) continue;
        rose = true;
        if (which) which->push_back(mine.value_or(into.ceilings.size()));
        if (mine) {
            into.ceilings[*mine] = c;
        } else {
            into.ceilings.push_back(c);
            known.add(into.ceilings.size() - 1);
        }
    }
    for (const Device& device : from.devices) {
        const bool is_known = std::any_of(into.devices.begin(), into.devices.end(),
                                          [&](const Device& d) { return d.id == device.id; });
        if (!is_known) into.devices.push_back(device);
    }
    return rose;
}

Machine risen(const Machine& before, const Machine& after) {
    const std::vector<std::size_t> known = places_of(after.ceilings, before.ceilings);
    Machine rose = after;
    rose.ceilings.clear();
    for (std::size_t i = 0; i < known.size(); ++i) {
        const Ceiling& c = after.ceilings[i];
        if (known[i] == kNone || c.max > before.ceilings[known[i]].max) rose.ceilings.push_back(c);
    }
    return rose;
}

std::vector<Shortcoming> class_shares(const Machine& node, const Machine& class_roofs) {
    std::vector<Shortcoming> shares;
    const std::vector<Ceiling> own = compared(node);
    const std::vector<std::size_t> known = places_of(own, class_roofs.ceilings);
    for (std::size_t i = 0; i < own.size(); ++i) {
        if (known[i] != kNone) shares.push_back({own[i], class_roofs.ceilings[known[i]].max});
    }
    return shares;
}

Standing::Standing(const Machine& node, const Machine& class_roofs) {
    std::vector<Ceiling> own = compared(node);
    const std::vector<std::size_t> known = places_of(own, class_roofs.ceilings);
    for (std::size_t i = 0; i < own.size(); ++i) {
        if (known[i] == kNone) continue;
        own_.push_back(std::move(own[i]));
        of_class_.push_back(known[i]);
    }
}

std::vector<Shortcoming> Standing::behind(const Machine& class_roofs, double most_behind) const {
    std::vector<Shortcoming> found;
    for (std::size_t i = 0; i < own_.size(); ++i) {
        const double best = class_roofs.ceilings[of_class_[i]].max;
        if (!(own_[i].max >= (1.0 - most_behind) * best)) found.push_back({own_[i], best});
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Shortcoming& a, const Shortcoming& b) { return a.share() < b.share(); });
    return found;
}

std::vector<Shortcoming> shortcomings(const Machine& node, const Machine& class_roofs, double most_behind) {
    return Standing(node, class_roofs).behind(class_roofs, most_behind);
}

double taken_away(const std::vector<Ceiling>& ceilings) {
    // One that could not be probed again has no windows, and what it had before is not of this probing.
    const auto counts = [](const Ceiling& c) { return c.undisturbed >= 0 && c.windows > 0; };
    int threads = 0, windows = 0, undisturbed = 0;
    for (const Ceiling& c : ceilings) {
        if (counts(c)) threads = std::max(threads, c.when.threads);
    }
    for (const Ceiling& c : ceilings) {
        if (!counts(c) || c.when.threads < threads) continue;
        windows += c.windows;
        undisturbed += std::min(c.undisturbed, c.windows);
    }
    return windows > 0 ? static_cast<double>(windows - undisturbed) / windows : 0.0;
}

std::string taken_away_text(double share) {
    return "others had its processors in " + format_percent(share) + " of its probes' windows";
}

std::string shortcoming_text(const Shortcoming& s) {
    return describe(s.own) + ": " + std::to_string(std::lround(100.0 * s.share())) +
           " % of what the best node of its class reaches";
}

}  // namespace rooftune
