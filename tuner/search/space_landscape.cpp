#include "tuner/search/space_landscape.h"

#include <stdexcept>

#include "models/neighbours.h"
#include "tuner/search/enumerate/sampling.h"

namespace rooftune {

SpaceLandscape::SpaceLandscape(const Space& space) : space_(&space), counts_(&space.counts()) {
    for (const Parameter& p : space.parameters()) values_.push_back(static_cast<int>(p.values.size()));
    if (size() == 0) throw std::invalid_argument("the space is empty");
}

std::size_t SpaceLandscape::size() const {
    return counts_->count(PartialVariant{});
}

Variant SpaceLandscape::variant(std::size_t point) const {
    return counts_->nth(PartialVariant{}, point);
}

std::optional<std::size_t> SpaceLandscape::point(const Variant& variant) const {
    if (!space_->valid(variant)) return std::nullopt;
    return counts_->ordinal(variant);
}

std::vector<int> SpaceLandscape::at(std::size_t point) const {
    const Variant v = variant(point);
    std::vector<int> coordinates;
    for (int p = 0; p < space_->size(); ++p) coordinates.push_back(v.fixed(p) ? v[p] : -1);
    return coordinates;
}

std::optional<std::size_t> SpaceLandscape::find(const std::vector<int>& coordinates) const {
    if (coordinates.size() != values_.size()) return std::nullopt;
    Variant v;
    for (std::size_t p = 0; p < coordinates.size(); ++p) {
        if (coordinates[p] < -1 || coordinates[p] >= values_[p]) return std::nullopt;
        v.fix(static_cast<int>(p), coordinates[p] < 0 ? PartialVariant::kAbsent : coordinates[p]);
    }
    return point(v);
}

std::vector<std::size_t> SpaceLandscape::neighbours(std::size_t point) const {
    std::vector<std::size_t> points;
    for (const Variant& v : rooftune::neighbours(*space_, variant(point)))
        points.push_back(counts_->ordinal(v));
    return points;
}

std::size_t SpaceLandscape::draw(std::mt19937_64& random) const {
    return below(random, size());
}

}  // namespace rooftune
