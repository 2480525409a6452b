// The least work below every prefix of a space's branching order, worked out once. Families whose work
// depends on their first few parameters only fill in complete prefixes; the fields of a partial variant
// are then the least of its completions by construction, which is what the bound's contract asks for.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/space.h"
#include "models/work.h"

namespace rooftune {

/// Work of a (partial) variant, and the traits that go with it.
struct BoundedWork {
    Work work;
    Traits traits;
};

/// Makes every field of `into` as permissive as that of `other`: the lesser of amounts, the larger of what a
/// cache is helped by (held, results), of vector widths and of threads. Element type, state, and nominal
/// flops are taken to agree.
void permit(BoundedWork& into, const BoundedWork& other);

class WorkTree {
public:
    /// `depth`: number of parameters, from the first, that decide the work. `leaf` is called once for each
    /// way to decide them. The parameters below must leave every such prefix a completion.
    WorkTree(const Space& space, int depth, const std::function<BoundedWork(const PartialVariant&)>& leaf);

    /// Of the longest prefix of the branching order that `partial` decides; what is fixed out of order is
    /// ignored (looser, never wrong). A few nanoseconds.
    const BoundedWork& find(const PartialVariant& partial) const {
        return nodes_[static_cast<std::size_t>(index_of(partial))].least;
    }
    /// A number for what find() gives: the same for the same work found, from 0 without large gaps.
    int index_of(const PartialVariant& partial) const;

private:
    struct Node {
        BoundedWork least;
        bool any = false;  ///< has a completion
    };
    static constexpr std::int32_t kNoNode = -1;

    std::int32_t build(const Space& space, const PartialVariant& partial,
                       const std::function<BoundedWork(const PartialVariant&)>& leaf);

    int depth_;
    // The way to a node is apart from what it holds: it stays in a small cache.
    std::vector<std::int32_t>
        first_slot_;  ///< by node: of its children in `children_`; absent, then one a value
    std::vector<std::int32_t> children_;
    std::vector<Node> nodes_;
};

}  // namespace rooftune
