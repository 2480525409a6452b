// Devices joined by links, and how long they take to bring together what lies in parts on each of them.
// Bytes per link: Chan, Heimlich, Purkayastha, van de Geijn, "Collective communication: theory, practice, and
// experience" (2007): of an array of V bytes over p devices each must receive the (p − 1)/p that it lacks
// (all-gather), or pass on as much of the sums of others (reduce-scatter); an all-reduce is one after the
// other, and no order of messages does with less unless the network itself adds. Latency: a step waits for
// its slower part, the hop or the bytes (Austin et al., "How to scale your model", 2025, part 3).
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "models/units.h"

namespace rooftune {

/// How devices are joined. Two devices have one link between them either way.
enum class Wiring {
    ring,  ///< each to its two neighbours; both links carry at once, each in both directions
    port,  ///< each by one link to a switch that never blocks
};

enum class Collective {
    all_gather,      ///< every device gets the parts of all
    reduce_scatter,  ///< every device gets the sum of one part
    all_reduce,      ///< every device gets the whole sum
};

std::string_view to_text(Wiring wiring);
std::optional<Wiring> wiring_from(std::string_view text);
std::string_view to_text(Collective collective);

struct Links {
    BytesPerSecond each_way{0.0};  ///< of one link, in one direction
    Seconds latency{0.0};          ///< of one hop; 0: not counted
    Wiring wiring = Wiring::ring;
};

/// Bytes over the busiest link of a device in its busier direction, for an array of `whole` bytes: the parts
/// of all devices together, or the sum that each holds a summand of. `devices` >= 1.
inline Bytes exchanged(Collective collective, double devices, Bytes whole, Wiring wiring) {
    const double lacking = whole.value * (1.0 - 1.0 / devices);
    const double once = wiring == Wiring::ring && devices > 2.0 ? 0.5 * lacking : lacking;
    return Bytes(collective == Collective::all_reduce ? 2.0 * once : once);
}

/// Hops that follow each other at least: half way round a ring, one through a switch; twice that for an
/// all-reduce.
inline double hops(Collective collective, double devices, Wiring wiring) {
    if (devices <= 1.0) return 0.0;
    const double once = wiring == Wiring::ring ? std::max(1.0, std::ceil(0.5 * (devices - 1.0))) : 1.0;
    return collective == Collective::all_reduce ? 2.0 * once : once;
}

inline Seconds seconds(Collective collective, double devices, Bytes whole, const Links& links) {
    const Seconds moving = exchanged(collective, devices, whole, links.wiring) / links.each_way;
    return std::max(moving, links.latency * hops(collective, devices, links.wiring));
}

}  // namespace rooftune
