#include "models/space_count.h"

#include <stdexcept>

namespace rooftune {
namespace {

// A subtree that took fewer steps to count is counted again rather than kept: the leaves of the tree would
// fill the table for nothing.
constexpr std::uint64_t kWorthKeeping = 16;

std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
    return a > SpaceCount::kMost - b ? SpaceCount::kMost : a + b;
}

// Decides parameter `p` in every valid way, one after the other, until `visit` returns false; only in the way
// that `at` has decided ahead, where it has. Leaves `at` as it was. Returns how many ways were tried.
template <typename Visit>
std::uint64_t each_way(const Space& space, PartialVariant& at, int p, Visit&& visit) {
    const int given = at[p];
    std::uint64_t tried = 0;
    const auto take = [&](int value) {
        at.fix(p, value);
        ++tried;
        return !space.allowed(at, p) || visit(value);
    };
    if (!space.exists(at, p)) {
        if (given < 0) take(PartialVariant::kAbsent);
    } else if (given >= 0) {
        take(given);
    } else if (given == PartialVariant::kFree) {
        const auto values = static_cast<int>(space.parameters()[static_cast<std::size_t>(p)].values.size());
        for (int v = 0; v < values && take(v); ++v) {
        }
    }
    at.fix(p, given);
    return tried;
}

}  // namespace

SpaceCount::SpaceCount(const Space& space)
    : space_(&space),
      looked_at_(static_cast<std::size_t>(space.size())),
      tables_(static_cast<std::size_t>(space.size())) {
    for (int level = 0; level < space.size(); ++level) {
        ParameterSet seen;
        for (int p = level; p < space.size(); ++p) {
            const Parameter& parameter = space.parameters()[static_cast<std::size_t>(p)];
            if (parameter.exists) seen = seen | parameter.depends_on;
        }
        for (const Constraint& c : space.constraints()) {
            if (c.decided_by >= level) seen = seen | c.depends_on;
        }
        looked_at_[static_cast<std::size_t>(level)] = seen & ParameterSet::first(level);
    }
}

// What is decided ahead belongs to the question, so it stays in the key.
PartialVariant SpaceCount::key_of(const PartialVariant& at, int level) const {
    PartialVariant key = at;
    const ParameterSet seen = looked_at_[static_cast<std::size_t>(level)];
    for (int p = 0; p < level; ++p) {
        if (!seen.contains(p)) key.free(p);
    }
    return key;
}

std::uint64_t SpaceCount::below(PartialVariant& at, int level, std::uint64_t& effort) const {
    if (level == space_->size()) return 1;
    Table& table = tables_[static_cast<std::size_t>(level)];
    const PartialVariant key = key_of(at, level);
    if (const auto found = table.find(key); found != table.end()) return found->second;
    std::uint64_t count = 0, spent = 0;
    spent += each_way(*space_, at, level, [&](int) {
        count = sum(count, below(at, level + 1, spent));
        return true;
    });
    effort += spent;
    if (spent >= kWorthKeeping && entries_ < kMostKept) {
        table.emplace(key, count);
        ++entries_;
    }
    return count;
}

std::uint64_t SpaceCount::below(PartialVariant& at, int level) const {
    std::uint64_t effort = 0;
    return below(at, level, effort);
}

std::uint64_t SpaceCount::count(const PartialVariant& partial) const {
    const int level = space_->first_free(partial);
    if (level < 0) return 1;
    PartialVariant at = partial;
    return below(at, level);
}

std::uint64_t SpaceCount::count(const PartialVariant& prefix, const PartialVariant& other) const {
    const int first = space_->first_free(prefix);
    const int level = first < 0 ? space_->size() : first;
    PartialVariant at = prefix;
    for (int p = 0; p < space_->size(); ++p) {
        if (other.free_at(p)) continue;
        if (p < level && prefix[p] != other[p]) return 0;
        at.fix(p, other[p]);
    }
    return below(at, level);
}

Variant SpaceCount::nth(const PartialVariant& partial, std::uint64_t k) const {
    PartialVariant at = partial;
    const int first = space_->first_free(partial);
    for (int p = first < 0 ? space_->size() : first; p < space_->size(); ++p) {
        PartialVariant chosen;
        bool found = false;
        each_way(*space_, at, p, [&](int) {
            const std::uint64_t here = below(at, p + 1);
            if (k < here) {
                chosen = at;
                found = true;
                return false;
            }
            k -= here;
            return true;
        });
        if (!found) throw std::out_of_range("the space has not as many variants");
        at = chosen;
    }
    if (first < 0 && k > 0) throw std::out_of_range("a variant has no second completion");
    return at;
}

std::uint64_t SpaceCount::ordinal(const Variant& variant) const {
    std::uint64_t before = 0;
    PartialVariant at;
    for (int p = 0; p < space_->size(); ++p) {
        bool found = false;
        each_way(*space_, at, p, [&](int value) {
            found = value == variant[p];
            if (!found) before = sum(before, below(at, p + 1));
            return !found;
        });
        if (!found)
            throw std::invalid_argument("'" + space_->to_text(variant) + "' is no variant of the space");
        at.fix(p, variant[p]);
    }
    return before;
}

}  // namespace rooftune
