#include "models/goto_traffic.h"

#include <algorithm>
#include <cmath>

namespace rooftune {
namespace {

double times(double whole, double part) {
    return std::ceil(whole / part);
}

}  // namespace

GotoWords goto_words(const GotoLoops& l, GotoLevel level) {
    const double rows = std::ceil(l.m / l.thread_rows);
    const double columns = std::ceil(l.n / l.thread_columns);
    const double mc = std::min(l.mc, rows);
    const double nc = std::min(l.nc, columns);
    const double a = l.m * l.k * l.thread_columns;
    const double b = l.k * l.n;
    const double b_by_rows = b * l.thread_rows;
    GotoWords words;
    // C passes once for each block of k; the first time it is only read where it is an input.
    words.c = (2.0 * times(l.k, l.kc) - (l.reads_c ? 0.0 : 1.0)) * l.m * l.n;
    switch (level) {
        case GotoLevel::blocks:
            words.a = a * times(columns, nc);
            words.b = b;
            break;
        case GotoLevel::inner:
            words.a = a * times(columns, nc);
            words.b = l.a_outer ? b : b_by_rows * times(rows, mc);
            break;
        case GotoLevel::strips:
            words.a = l.a_outer ? a * times(columns, nc) : a * times(columns, l.nr);
            words.b = b_by_rows * (l.a_outer ? times(rows, l.mr) : times(rows, mc));
            break;
        case GotoLevel::none:
            words.a = a * times(columns, l.nr);
            words.b = b_by_rows * times(rows, l.mr);
            break;
    }
    return words;
}

double goto_needed(const GotoLoops& l, GotoLevel level) {
    const double threads = l.thread_rows * l.thread_columns;
    const double kc = std::min(l.kc, l.k);
    const double block_a = threads * std::min(l.mc, std::ceil(l.m / l.thread_rows)) * kc;
    const double block_b = l.thread_columns * std::min(l.nc, std::ceil(l.n / l.thread_columns)) * kc;
    const double strip_a = threads * l.mr * kc;
    const double strip_b = threads * l.nr * kc;
    const double tiles = threads * l.mr * l.nr;
    switch (level) {
        case GotoLevel::blocks:
            return block_a + block_b + tiles;
        case GotoLevel::inner:
            return (l.a_outer ? block_b + strip_a : block_a + strip_b) + tiles;
        case GotoLevel::strips:
            return strip_a + strip_b + tiles;
        case GotoLevel::none:
            break;
    }
    return 0.0;
}

GotoLevel goto_level(const GotoLoops& loops, double words) {
    for (const GotoLevel level : {GotoLevel::blocks, GotoLevel::inner, GotoLevel::strips}) {
        if (goto_needed(loops, level) <= words) return level;
    }
    return GotoLevel::none;
}

GotoBlocks goto_blocks(const CacheShape& first, const CacheShape& second, const CacheShape& third, double mr,
                       double nr, double element) {
    const double ways_a = std::max(1.0, std::floor((first.ways - 1.0) / (1.0 + nr / mr)));
    GotoBlocks blocks;
    blocks.kc = std::max(1.0, std::floor(ways_a * first.capacity.value / (mr * first.ways * element)));
    const double row = blocks.kc * element;
    blocks.mc = std::max(
        mr, std::floor(std::max(1.0, second.ways - 2.0) * second.capacity.value / (row * second.ways)));
    blocks.nc =
        std::max(nr, std::floor(std::max(1.0, third.ways - 1.0) * third.capacity.value / (row * third.ways)));
    return blocks;
}

}  // namespace rooftune
