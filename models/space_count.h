// Counting, numbering and finding the variants of a space without enumerating them.
//
// Parameters are decided in their declared order. How many completions a prefix has depends on the values of
// only those decided parameters that some later condition or constraint still looks at
// (Parameter::depends_on, Constraint::depends_on), so prefixes that agree in these share one count, kept in a
// table. A space of 1e15 variants whose rules look at few parameters each is counted in microseconds; one
// whose rules state nothing is enumerated, once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/space.h"

namespace rooftune {

class SpaceCount {
public:
    /// What is counted is capped here; a space with more variants than 64 bits can count has this many.
    static constexpr std::uint64_t kMost = ~std::uint64_t{0};
    /// Entries of the table at most, of all levels together: about 40 MB. What does not fit is counted again
    /// each time.
    static constexpr std::size_t kMostKept = 500'000;

    /// `space` must outlive the counts, and nothing may be added to it.
    explicit SpaceCount(const Space& space);

    /// Variants below a prefix: that agree with everything `partial` has decided. The parameters before its
    /// first free one are taken to obey the rules, as those that Space::children gives do. Further ones may
    /// be decided too, anywhere after: only variants with these values (or, where it is absent, without the
    /// parameter) count.
    std::uint64_t count(const PartialVariant& partial) const;
    /// Variants below a prefix that also agree with everything `other` has decided.
    std::uint64_t count(const PartialVariant& prefix, const PartialVariant& other) const;

    /// The variant with number `k`, from 0, among those that count() counts, in the order of Space::each.
    /// Throws std::out_of_range when there are not as many.
    Variant nth(const PartialVariant& partial, std::uint64_t k) const;

    /// The number of a variant among all of the space: nth({}, ordinal(v)) is v. Beyond kMost it is kMost.
    /// Throws std::invalid_argument for what is no variant of the space.
    std::uint64_t ordinal(const Variant& variant) const;

    /// Entries in the table.
    std::size_t kept() const { return entries_; }

private:
    struct Hash {
        std::size_t operator()(const PartialVariant& v) const { return v.hash(); }
    };
    using Table = std::unordered_map<PartialVariant, std::uint64_t, Hash>;

    PartialVariant key_of(const PartialVariant& at, int level) const;
    std::uint64_t below(PartialVariant& at, int level, std::uint64_t& effort) const;
    std::uint64_t below(PartialVariant& at, int level) const;

    const Space* space_;
    std::vector<ParameterSet> looked_at_;  ///< by level: of those decided, what later rules look at
    mutable std::vector<Table> tables_;    ///< by level
    mutable std::size_t entries_ = 0;
};

}  // namespace rooftune
