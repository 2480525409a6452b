#include "kernels/matmul/likely.h"

#include <algorithm>
#include <string>

#include "models/goto_traffic.h"
#include "models/set_conflicts.h"

namespace rooftune::matmul {
namespace {

GotoLoops loops_of(const MatmulProblem& problem, const Choice& choice) {
    GotoLoops loops;
    loops.m = static_cast<double>(problem.m());
    loops.n = static_cast<double>(problem.n());
    loops.k = static_cast<double>(problem.k());
    loops.mr = choice.tile.mr;
    loops.nr = static_cast<double>(choice.nr);
    loops.kc = static_cast<double>(std::min(choice.kc, problem.k()));
    loops.mc = static_cast<double>(choice.mc);
    loops.nc = static_cast<double>(choice.nc);
    loops.reads_c = problem.beta() != 0.0;
    loops.a_outer = choice.a_outer;
    loops.thread_rows = choice.grid.rows;
    loops.thread_columns = choice.grid.columns;
    return loops;
}

struct Likely {
    TrafficAmounts amounts;
    GotoLevel level = GotoLevel::blocks;
    GotoWords words;
    bool all_fits = false;
};

/// A row of C and one of B at a time: all of B for each row, unless B stays.
Likely naive_of(const GotoLoops& l, int threads, double words) {
    Likely likely;
    const bool stays = l.k * l.n + threads * (l.n + l.k) <= words;
    likely.level = stays ? GotoLevel::blocks : GotoLevel::none;
    likely.words = {l.m * l.k, l.k * l.n * (stays ? 1.0 : l.m), (l.reads_c ? 2.0 : 1.0) * l.m * l.n};
    return likely;
}

/// Words of B that come in again because its unpacked strips, kc pieces of a row each a pitch apart, fall
/// into few sets.
double lost_words(const MatmulProblem& problem, const Choice& choice, const GotoLoops& l, GotoLevel level,
                  const CacheShape& cache) {
    if (choice.naive || choice.pack_b || level == GotoLevel::none || cache.ways <= 0) return 0.0;
    const auto size = static_cast<std::int64_t>(size_of(problem.dtype()));
    const bool strip = level == GotoLevel::strips || (level == GotoLevel::inner && !choice.a_outer);
    const std::int64_t wide = strip ? choice.nr : std::min(choice.nc, problem.n());
    std::vector<MemoryRun> runs;
    for (std::int64_t p = 0; p < std::min(choice.kc, problem.k()); ++p)
        runs.push_back({p * problem.ldb() * size, wide * size});
    CacheShape mine = cache;
    mine.capacity = Bytes(cache.capacity.value / choice.threads);
    const double share = conflicting_share(runs, mine);
    return share * (goto_words(l, GotoLevel::none).b - goto_words(l, level).b);
}

Likely likely_of(const MatmulProblem& problem, const Choice& choice, const CacheShape& cache) {
    const auto size = static_cast<double>(size_of(problem.dtype()));
    const GotoLoops l = loops_of(problem, choice);
    const double words = cache.capacity.value / size;
    Likely likely;
    likely.all_fits = l.m * l.k + l.k * l.n + l.m * l.n <= words;
    if (likely.all_fits) return likely;
    double packing = 0.0;
    if (choice.naive) {
        likely = naive_of(l, choice.threads, words);
    } else {
        likely.level = goto_level(l, words);
        likely.words = goto_words(l, likely.level);
        // A packed block that stays is written and read inside the cache, but for what it displaces.
        if (likely.level != GotoLevel::blocks) {
            const GotoWords once = goto_words(l, GotoLevel::blocks);
            packing = (choice.pack_a ? 2.0 * once.a : 0.0) + (choice.pack_b ? 2.0 * once.b : 0.0);
        }
    }
    const double least = l.m * l.k + l.k * l.n + (l.reads_c ? 2.0 : 1.0) * l.m * l.n;
    likely.amounts.compulsory = size * least;
    likely.amounts.write_allocate = l.reads_c ? 0.0 : size * l.m * l.n;
    likely.amounts.capacity = size * (std::max(0.0, likely.words.total() - least) + packing);
    likely.amounts.conflict = size * lost_words(problem, choice, l, likely.level, cache);
    return likely;
}

std::string passes(const char* matrix, double words, double once) {
    return std::string(matrix) + " passes " + std::to_string(static_cast<int>(words / once + 0.5)) + " times";
}

/// The block that would save most, in words.
std::string capacity_cure(const MatmulProblem& problem, const Choice& choice, const Likely& likely) {
    if (choice.naive) return "cache blocking: all of B passes for each row of C (method=tiled)";
    const GotoLoops l = loops_of(problem, choice);
    const double a = l.m * l.k, b = l.k * l.n, c = l.m * l.n;
    const double of_c = (l.reads_c ? 2.0 : 1.0) * c;
    const double more_a = likely.words.a - a, more_b = likely.words.b - b, more_c = likely.words.c - of_c;
    if (more_c >= more_a && more_c >= more_b && more_c > 0.0)
        return "larger kc: " + passes("C", likely.words.c, c);
    if (more_a >= more_b && more_a > 0.0) {
        return likely.level == GotoLevel::blocks || likely.level == GotoLevel::inner
                   ? "larger nc: " + passes("A", likely.words.a, a)
                   : "smaller mc or kc, so that a block of A stays: " + passes("A", likely.words.a, a);
    }
    if (more_b > 0.0) {
        return likely.level == GotoLevel::none
                   ? "smaller kc, so that strips stay: " + passes("B", likely.words.b, b)
                   : "smaller nc or kc, so that a block of B stays: " + passes("B", likely.words.b, b);
    }
    return "smaller mc, nc or kc, so that packed blocks stay";
}

}  // namespace

TrafficAmounts likely_amounts(const MatmulProblem& problem, const Choice& choice, const CacheShape& cache) {
    return likely_of(problem, choice, cache).amounts;
}

double likely_bytes(const MatmulProblem& problem, const Choice& choice, double capacity) {
    return likely_amounts(problem, choice, {Bytes(capacity), Bytes(64.0), 0}).total();
}

std::vector<TrafficPart> likely_parts(const MatmulProblem& problem, const Choice& choice,
                                      const CacheShape& cache, Bytes least) {
    Likely likely = likely_of(problem, choice, cache);
    if (likely.all_fits) likely.amounts.compulsory = least.value;
    return parts_of(
        likely.amounts,
        {"non-temporal stores of C, which pay only where C is not needed soon (no variant has them)",
         capacity_cure(problem, choice, likely), "packing B (pack_b): its rows are a pitch apart"});
}

}  // namespace rooftune::matmul
