// Whether the rules of a space look at nothing that they do not state: one that does makes counts wrong.
#pragma once

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "models/space.h"

namespace rooftune::test {

class DependsOnCheck {
public:
    DependsOnCheck(const Space& space, unsigned seed) : space_(space), random_(seed) {}

    /// The rules that answered differently where all that they state was equal. Each is asked on prefixes
    /// from random descents, in pairs that agree in what it states and differ in the rest as the dice fall.
    std::vector<std::string> undeclared(int descents) {
        for (int i = 0; i < descents; ++i) {
            const PartialVariant one = descent(space_.size(), {}, ParameterSet{});
            for (int p = 0; p < space_.size(); ++p) {
                const Parameter& parameter = space_.parameters()[static_cast<std::size_t>(p)];
                if (parameter.exists) compare(one, p, parameter.depends_on, parameter.exists, parameter.name);
            }
            for (const Constraint& c : space_.constraints())
                compare(one, c.decided_by + 1, c.depends_on, c.holds, c.text);
        }
        return {found_.begin(), found_.end()};
    }

    /// Pairs that differed in something that a rule does not state: the more, the more the check has seen.
    int pairs() const { return pairs_; }

private:
    /// Random values for the first `levels` parameters, those of `like` where `keep` says so; shorter where
    /// the rules leave nothing. The last level ignores constraints: rules are asked before they are obeyed.
    PartialVariant descent(int levels, const PartialVariant& like, ParameterSet keep) {
        PartialVariant at;
        for (int p = 0; p < levels; ++p) {
            std::vector<int> ways;
            if (!space_.exists(at, p)) {
                ways.push_back(PartialVariant::kAbsent);
            } else {
                const std::size_t values = space_.parameters()[static_cast<std::size_t>(p)].values.size();
                for (std::size_t v = 0; v < values; ++v) ways.push_back(static_cast<int>(v));
            }
            std::erase_if(ways, [&](int way) {
                if (keep.contains(p) && way != like[p]) return true;
                PartialVariant child = at;
                child.fix(p, way);
                return p + 1 < levels && !space_.allowed(child, p);
            });
            if (ways.empty()) return at;
            at.fix(p, ways[random_() % ways.size()]);
        }
        return at;
    }

    static bool decided(const PartialVariant& v, int levels) { return levels == 0 || !v.free_at(levels - 1); }

    void compare(const PartialVariant& one, int levels, ParameterSet depends_on, const Rule& rule,
                 const std::string& name) {
        if (!decided(one, levels)) return;
        PartialVariant first = one;
        for (int p = levels; p < space_.size(); ++p) first.free(p);
        const PartialVariant other = descent(levels, first, depends_on);
        if (!decided(other, levels)) return;
        if (other != first) ++pairs_;
        if (rule(first) != rule(other)) found_.insert(name);
    }

    const Space& space_;
    std::mt19937 random_;
    std::set<std::string> found_;
    int pairs_ = 0;
};

}  // namespace rooftune::test
