// What a change of one parameter could give: the alternatives to a variant that differ in it, how each of
// them stands, and the least bound among those that nothing has settled.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "tuner/search/enumerate/bound_tree.h"

namespace rooftune {

/// What is known of an alternative.
enum class Standing {
    open,      ///< neither timed nor excluded
    timed,     ///< verified and timed, in full or until it was raced out
    excluded,  ///< its bound says that it cannot be faster
    failed,    ///< by its own fault
};

/// One parameter set free, the others kept.
struct Move {
    int parameter = 0;
    std::uint64_t alternatives = 0, timed = 0, excluded = 0, failed = 0, open = 0;
    std::optional<Variant> best;  ///< of the open alternatives, the one with the least bound
    Seconds lower{0.0};           ///< its T_lower
    bool all_seen = true;         ///< false: there are more alternatives than were looked at
};

/// Judges an alternative by what was measured and by its T_lower in seconds.
using Judge = std::function<Standing(const Variant& variant, double lower)>;

/// One move for each parameter that the variant has and that has an alternative. An alternative has another
/// value of the parameter; parameters before it keep theirs, and so do those after it where a valid variant
/// comes of it: one that exists only now, or whose value a constraint forbids, takes all its values.
std::vector<Move> moves_from(const BoundSource& source, const Variant& variant, const Judge& judge,
                             std::uint64_t most = 20000);

}  // namespace rooftune
