// Layer conditions: what a loop nest that walks arrays in order fetches beyond a cache that replaces what was
// used least recently. After Rivera and Tseng (2000), Treibig and Hager (2010), and, as a sum over sorted
// offsets, Hammer, Eitzinger, Hager and Wellein, Kerncraft (2017).
//
// Within one array, an access finds what the next one ahead of it touched d elements of the walk ago, d the
// difference of their offsets. To keep every element that is wanted again within t, the cache holds d
// elements for each difference d ≤ t, and lets t elements of each of the others pass through:
//
//     C(t) = Σ_{d ≤ t} d + t·#{d > t}
//
// The foremost access of an array has no other ahead: its d is ∞. If C(t) fits, accesses with d ≤ t hit, the
// others miss, and each element stored is written back once. A store that misses fetches first, unless it is
// non-temporal: then its array takes no room. An estimate: it takes the walk to be one long line and the
// cache fully associative.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "models/units.h"

namespace rooftune {

/// What one turn of the innermost loop does to one array.
struct ArrayAccesses {
    std::vector<std::int64_t> offsets;  ///< in elements along the walk, from where the turn stands
    int stores = 0;                     ///< elements stored
    bool nontemporal = false;           ///< stores pass the caches by, and nothing is loaded from this array
};

/// One of the conditions, and what a turn of the loop costs where it is the best that holds. In elements.
struct LayerCondition {
    std::int64_t reach = 0;  ///< t: what is wanted again within so many elements is still there
    Bytes needed{0.0};       ///< C(t)
    double hits = 0.0;
    double load_misses = 0.0;
    double store_misses = 0.0;  ///< write-allocate
    double evictions = 0.0;     ///< elements written back, or stored past the caches

    double misses() const { return load_misses + store_misses; }
    double elements() const { return misses() + evictions; }  ///< both directions together
};

/// All of them, the one that needs most first; the last needs nothing: every access misses.
std::vector<LayerCondition> layer_conditions(std::span<const ArrayAccesses> arrays, Bytes element);

/// The first that fits `capacity`.
LayerCondition layer_condition(std::span<const ArrayAccesses> arrays, Bytes element, Bytes capacity);

}  // namespace rooftune
