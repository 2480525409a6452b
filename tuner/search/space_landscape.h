// A space as strategies see it. Points are the ordinals of its variants, found by counting, so that a space
// of any size takes no memory of its own.
#pragma once

#include <optional>

#include "models/space.h"
#include "models/space_count.h"
#include "tuner/search/strategies/landscape.h"

namespace rooftune {

class SpaceLandscape final : public Landscape {
public:
    /// `space` must outlive the landscape; nothing may be added to it. Throws std::invalid_argument when it
    /// is empty.
    explicit SpaceLandscape(const Space& space);

    std::size_t size() const override;
    const std::vector<int>& values() const override { return values_; }
    /// A parameter that does not exist under the others' values has the coordinate −1.
    std::vector<int> at(std::size_t point) const override;
    std::optional<std::size_t> find(const std::vector<int>& coordinates) const override;
    std::vector<std::size_t> neighbours(std::size_t point) const override;
    std::size_t draw(std::mt19937_64& random) const override;

    Variant variant(std::size_t point) const;
    /// nullopt for what is no variant of the space.
    std::optional<std::size_t> point(const Variant& variant) const;

private:
    const Space* space_;
    const SpaceCount* counts_;
    std::vector<int> values_;
};

}  // namespace rooftune
