#include "kernels/spmv/likely.h"

#include <algorithm>
#include <string>

namespace rooftune::spmv {
namespace {

constexpr double kLine = 64.0;

struct Likely {
    TrafficAmounts amounts;
    bool all_fits = false;
    bool chunks_again = false;  ///< chunks come in again for each turn of vectors
};

/// A chunk taller than the vectors of a turn is walked several times. Where it does not stay meanwhile, a
/// line of which a turn uses only a part comes in again: bytes of that beyond the first time.
double walked_again(const FormatSummary& format, const Choice& choice, double element, double capacity) {
    if (format.key.format != Format::sell || format.segments == 0) return 0.0;
    const double turn = choice.lanes * choice.unroll;
    const double walks = format.key.chunk / turn;
    const double mean = static_cast<double>(format.steps) / static_cast<double>(format.segments);
    const double index = format.key.index_bits / 8.0;
    if (walks <= 1.0 || mean * format.key.chunk * (element + index) <= capacity) return 0.0;
    const auto more = [&](std::int64_t bytes, double size) {
        return static_cast<double>(bytes) * (std::clamp(kLine / (turn * size), 1.0, walks) - 1.0);
    };
    return more(format.bytes.values, element) + more(format.bytes.indices, index);
}

Likely likely_of(const Analysis& a, const FormatSummary& format, const Choice& choice,
                 const CacheShape& cache) {
    const auto size = static_cast<double>(size_of(a.dtype));
    const auto matrix = static_cast<double>(format.bytes.total());
    const double x = size * static_cast<double>(format.x_elements);
    const double y = size * static_cast<double>(a.rows);
    Likely likely;
    likely.all_fits = matrix + x + y <= cache.capacity.value;
    if (likely.all_fits) return likely;
    likely.amounts.compulsory = matrix + x + y;
    likely.amounts.write_allocate = y;
    if (a.stored == 0) return likely;
    // Streams are taken to meet in the same lines of x: where they do not, more comes in than is said here.
    const double mine = cache.capacity.value / choice.threads;
    const double others = (matrix + y) / static_cast<double>(a.stored);
    const double first = a.x_reuse.lines();
    // A block uses a line once for all its entries.
    const double uses = std::min(
        1.0, static_cast<double>(format.steps * format.key.step_indices()) / static_cast<double>(a.stored));
    const double again = uses * (a.x_reuse.misses(Bytes(mine), Bytes(kLine), others) - first);
    const double chunks = walked_again(format, choice, size, mine);
    likely.chunks_again = chunks > 0.0;
    likely.amounts.capacity = std::max(0.0, kLine * (first + again) - x) + chunks;
    return likely;
}

}  // namespace

ReuseCurve reuse_of_x(const CsrView& a, DType dtype) {
    const auto in_line = static_cast<std::uint32_t>(kLine) / static_cast<std::uint32_t>(size_of(dtype));
    std::vector<std::int64_t> last(static_cast<std::size_t>(a.cols) / in_line + 1, -1);
    ReuseGaps gaps;
    for (std::int64_t now = 0; now < a.stored(); ++now) {
        std::int64_t& before = last[a.column[static_cast<std::size_t>(now)] / in_line];
        if (before < 0) {
            gaps.first();
        } else {
            gaps.again(now - before);
        }
        before = now;
    }
    return ReuseCurve(gaps);
}

TrafficAmounts likely_amounts(const Analysis& a, const FormatSummary& format, const Choice& choice,
                              const CacheShape& cache) {
    return likely_of(a, format, choice, cache).amounts;
}

double gathers_again(const Analysis& a, const FormatSummary& format, Bytes capacity) {
    if (a.stored == 0) return 0.0;
    const auto gathers = static_cast<double>(format.steps * format.key.step_indices());
    const double passing = static_cast<double>(format.bytes.total()) / static_cast<double>(a.stored);
    const double far = a.x_reuse.misses(capacity, Bytes(kLine), passing) - a.x_reuse.lines();
    return gathers * std::max(0.0, far) / a.x_reuse.uses();
}

std::vector<TrafficPart> likely_parts(const Analysis& a, const FormatSummary& format, const Choice& choice,
                                      const CacheShape& cache, Bytes least) {
    Likely likely = likely_of(a, format, choice, cache);
    if (likely.all_fits) likely.amounts.compulsory = least.value;
    std::string cure = "an order of rows and columns that keeps x near (reverse Cuthill-McKee)";
    if (likely.chunks_again)
        cure = "wider vectors, more unrolling or a lower chunk: a chunk's lines come in for each turn of it";
    return parts_of(likely.amounts, {"non-temporal stores of y (no variant has them)", cure, ""});
}

}  // namespace rooftune::spmv
