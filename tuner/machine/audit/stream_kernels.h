// A STREAM of our own: the four loops of that benchmark and a few more, as plain code that the compiler
// vectorises at -O3 for the processor's own vectors. Nothing in it knows of our probes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/vocabulary.h"

namespace rooftune::audit {

enum class StreamLoop {
    sum,       ///< reads a
    fill,      ///< a = s
    copy,      ///< c = a
    scale,     ///< b = s·c
    add,       ///< c = a + b
    triad,     ///< a = b + s·c
    increase,  ///< a = a + s, in place
    nt_fill,   ///< fill, copy and triad with non-temporal stores
    nt_copy,
    nt_triad,
};

struct StreamShape {
    StreamLoop loop;
    std::string name;
    int reads = 0, writes = 0;  ///< elements for each index
    int arrays = 1;             ///< that it walks
    Mix like = Mix::none;
};
const std::vector<StreamShape>& stream_shapes();

/// Walks `passes` times over three arrays of n elements; n is a multiple of 64, and the arrays are aligned to
/// cache lines. What a sum found is added to *sink.
template <typename T>
using StreamWalk = void (*)(StreamLoop loop, T* a, T* b, T* c, T s, std::int64_t n, std::int64_t passes,
                            T* sink);

/// The walk compiled for vectors of `width_bits` (128, 256, 512).
template <typename T>
StreamWalk<T> stream_walk(int width_bits);
extern template StreamWalk<float> stream_walk<float>(int);
extern template StreamWalk<double> stream_walk<double>(int);

}  // namespace rooftune::audit
