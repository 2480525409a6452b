// The space of SpMV on the CPU, and what a variant of it means.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "kernels/contract/family.h"
#include "kernels/spmv/analysis.h"

namespace rooftune::spmv {

/// Of the space: what a variant means and which there are. Tuned configs and stores of another are not taken
/// for this one. 2: prefetch=2048 is offered from 4 MiB of matrix on (in 1 from 2 MiB). A value that came
/// since (partition=split, of matrices with long rows) leaves all others what they were.
inline constexpr int kSpaceVersion = 2;

/// Bytes ahead that are on offer, ascending. Beyond the caches the best is where the memory's queues are
/// full: on a Sapphire Rapids VM a 27-point matrix in SELL-16 reached 4.6 Gflop/s at 1 024 bytes, which was
/// the last on offer once, 5.7 at 4 096 and 5.1 at 8 192.
std::vector<int> prefetch_distances(const Analysis& analysis);

/// Positions of the parameters: the branching order. Formats come first because bytes decide most;
/// what only tunes the memory system comes last, because nothing about it can be proven.
enum ParameterIndex {
    kFormat,
    kBlock,
    kChunk,
    kSigma,
    kIndex,
    kThreads,
    kPartition,
    kSimd,
    kUnroll,
    kStreams,
    kPrefetch,
    kPlacement,
    kParameterCount
};

enum class Placement { owner, interleave, none };

/// A variant, decoded.
struct Choice {
    FormatKey format;
    int threads = 1;
    Partition partition = Partition::rows;
    int width_bits = 64;  ///< element bits for scalar code
    int lanes = 1;        ///< of the vectors; 1 for scalar code
    int unroll = 1;
    int streams = 1;
    int prefetch = 0;  ///< bytes
    Placement placement = Placement::owner;
};

/// The space keeps a share of the analysis for its conditions.
Space make_space(std::shared_ptr<const Analysis> analysis, const Target& target);

/// A complete variant, or a prefix of one: what is not fixed stays as Choice has it.
Choice decode(const Space& space, const PartialVariant& variant, DType dtype);

/// The summary that a partial variant has decided on, nullptr while format … index are not fixed.
const FormatSummary* summary_of(const Analysis& analysis, const PartialVariant& partial);

/// Plain CSR rows on all threads (naive.cpp).
Variant naive_variant(const Space& space, const Target& target);

/// The format of the variant with these values; nothing where they name none.
std::optional<FormatKey> format_named(const std::map<std::string, std::string>& values, std::int64_t rows);

/// What a careful programmer would take unmeasured: scalar CSR with 32-bit indices on all threads, nonzeros
/// shared out evenly (rows cut where that takes a good part off a thread), several sums where rows are long;
/// the naive variant for small matrices of short rows.
Variant default_variant(const Space& space, const Target& target, const CsrView& matrix);

}  // namespace rooftune::spmv
