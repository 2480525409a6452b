#include "kernels/spmv/space.h"

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>

#include "kernels/spmv/kernel.h"

namespace rooftune::spmv {
namespace {

constexpr std::array<int, 10> kPrefetchBytes{0, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
constexpr int kFarthestAtFirst = 8192;  ///< those beyond come once the best has that

constexpr const char* kCompiled = "the kernels are compiled with no more";

int element_bits(DType dtype) {
    return 8 * static_cast<int>(size_of(dtype));
}

/// Rows where the parameter is free or does not exist.
Partition partition_of(const PartialVariant& v) {
    return static_cast<Partition>(std::max<int>(0, v[kPartition]));
}

/// Rows that are cut are offered where some split over threads cuts one.
std::vector<ParameterValue> partition_values(const Analysis& analysis) {
    const bool cuts = std::any_of(analysis.csr.begin(), analysis.csr.end(), [](const FormatSummary& csr) {
        return std::find(csr.cuts_rows.begin(), csr.cuts_rows.end(), true) != csr.cuts_rows.end();
    });
    return cuts ? names({"rows", "nnz", "split"}) : names({"rows", "nnz"});
}

Format format_of(const PartialVariant& v) {
    return static_cast<Format>(v[kFormat]);
}

std::vector<ParameterValue> block_values(const Analysis& analysis) {
    std::vector<ParameterValue> values;
    for (const BlockShape shape : analysis.blocks)
        values.push_back({to_text(shape), shape.rows * 10 + shape.cols});
    return values;
}

std::string sigma_text(std::int64_t sigma, std::int64_t rows) {
    return sigma > 1 && sigma == rows ? "all" : std::to_string(sigma);
}

std::vector<ParameterValue> sigma_values(const Analysis& analysis) {
    std::vector<ParameterValue> values;
    for (const std::int64_t sigma : analysis.sigmas)
        values.push_back({sigma_text(sigma, analysis.rows), sigma});
    return values;
}

std::vector<ParameterValue> simd_values(const Target& target, DType dtype) {
    std::vector<ParameterValue> values{{"scalar", element_bits(dtype)}};
    for (const int bits : target.width_bits) values.push_back({std::to_string(bits), bits});
    return values;
}

template <typename List>
std::vector<ParameterValue> list_of(const List& list) {
    return numbers(std::vector<std::int64_t>(list.begin(), list.end()));
}

Parameter prefetch_parameter(const Analysis& analysis) {
    const std::vector<int> distances = prefetch_distances(analysis);
    const auto beyond = std::count_if(distances.begin(), distances.end(),
                                      [](int distance) { return distance > kFarthestAtFirst; });
    const bool all = distances.size() == kPrefetchBytes.size();
    return Parameter("prefetch", "bytes prefetched ahead in values and indices; 0 is none",
                     list_of(distances))
        .ordered(all ? "the family offers none beyond" : "a longer distance takes a longer matrix")
        .growing(static_cast<int>(beyond));
}

/// Conditions and constraints, all of which look at the matrix.
class Rules {
public:
    Rules(std::shared_ptr<const Analysis> analysis, const Target& target)
        : analysis_(std::move(analysis)), widths_{element_bits(analysis_->dtype)} {
        widths_.insert(widths_.end(), target.width_bits.begin(), target.width_bits.end());
    }

    const FormatSummary& summary(const PartialVariant& v) const { return *summary_of(*analysis_, v); }

    /// Without stored entries there are no indices to shorten.
    bool index(const PartialVariant& v) const { return v[kIndex] == 0 || analysis_->stored > 0; }

    bool is_only_format(const PartialVariant& v) const { return format_of(v) == analysis_->only->format; }
    bool is_only_chunk(const PartialVariant& v) const {
        return format_of(v) != Format::sell ||
               kChunks[static_cast<std::size_t>(v[kChunk])] == analysis_->only->chunk;
    }
    bool is_only_index(const PartialVariant& v) const {
        return (v[kIndex] == 0 ? 32 : 16) == analysis_->only->index_bits;
    }

    bool partition_exists(const PartialVariant& v) const {
        const auto t = static_cast<std::size_t>(v[kThreads]);
        return analysis_->threads[t] > 1 && (summary(v).partition_matters[t] || summary(v).cuts_rows[t]);
    }

    /// Each value splits otherwise than those before it.
    bool partition(const PartialVariant& v) const {
        const auto t = static_cast<std::size_t>(v[kThreads]);
        switch (partition_of(v)) {
            case Partition::rows:
                return true;
            case Partition::nnz:
                return summary(v).partition_matters[t];
            case Partition::split:
                return summary(v).cuts_rows[t];
        }
        return false;
    }

    int lanes(const PartialVariant& v) const {
        return lanes_of(analysis_->dtype, widths_[static_cast<std::size_t>(v[kSimd])]);
    }

    bool simd(const PartialVariant& v) const {
        const int l = lanes(v);
        if (format_of(v) == Format::sell) return l <= kChunks[static_cast<std::size_t>(v[kChunk])];
        if (format_of(v) == Format::csr) return true;
        const BlockShape shape = analysis_->blocks[static_cast<std::size_t>(v[kBlock])];
        return block_width_fits(shape.rows, l, widths_[static_cast<std::size_t>(v[kSimd])]);
    }

    bool unroll(const PartialVariant& v, int accumulators) const {
        if (accumulators == 1) return true;
        const FormatSummary& s = summary(v);
        if (s.steps == 0) return false;
        const int l = lanes(v);
        switch (s.key.format) {
            case Format::csr:
                return s.longest >= std::int64_t{l} * accumulators;
            case Format::bcsr:
                return accumulators == 2 && block_unrolls(s.key.block.rows, l) && s.longest >= 2;
            case Format::sell:
                return l * accumulators <= s.key.chunk;
        }
        return false;
    }

    bool streams(const PartialVariant& v) const {
        const Split& split = summary(v).split(static_cast<std::size_t>(v[kThreads]), partition_of(v));
        return ((split.streams >> v[kStreams]) & 1U) != 0;
    }

    bool prefetch(const PartialVariant& v) const { return v[kPrefetch] == 0 || analysis_->stored > 0; }

    /// With one thread, untouched and owner's pages are the same pages.
    bool placement(const PartialVariant& v) const {
        return static_cast<Placement>(v[kPlacement]) != Placement::none ||
               analysis_->threads[static_cast<std::size_t>(v[kThreads])] > 1;
    }

private:
    std::shared_ptr<const Analysis> analysis_;
    std::vector<int> widths_;
};

/// The variant with these values where the parameters exist.
Variant assemble(const Space& space, const std::array<std::string, kParameterCount>& values) {
    Variant variant;
    for (int p = 0; p < space.size(); ++p) {
        const Parameter& parameter = space.parameters()[static_cast<std::size_t>(p)];
        if (parameter.exists && !parameter.exists(variant)) {
            variant.fix(p, PartialVariant::kAbsent);
            continue;
        }
        const std::string& text = values[static_cast<std::size_t>(p)];
        const auto it = std::find_if(parameter.values.begin(), parameter.values.end(),
                                     [&](const ParameterValue& v) { return v.text == text; });
        if (it == parameter.values.end())
            throw std::logic_error("spmv: no value " + text + " of " + parameter.name);
        variant.fix(p, static_cast<int>(it - parameter.values.begin()));
    }
    return variant;
}

}  // namespace

const FormatSummary* summary_of(const Analysis& analysis, const PartialVariant& v) {
    if (!v.fixed(kFormat) || !v.fixed(kIndex)) return nullptr;
    switch (format_of(v)) {
        case Format::csr:
            return &analysis.of_csr(v[kIndex]);
        case Format::bcsr:
            return v.fixed(kBlock) ? &analysis.of_bcsr(v[kBlock], v[kIndex]) : nullptr;
        case Format::sell:
            return v.fixed(kChunk) && v.fixed(kSigma) ? &analysis.of_sell(v[kChunk], v[kSigma], v[kIndex])
                                                      : nullptr;
    }
    return nullptr;
}

Space make_space(std::shared_ptr<const Analysis> analysis, const Target& target) {
    const Analysis& a = *analysis;
    const auto rules = std::make_shared<const Rules>(analysis, target);
    Space space("spmv", kSpaceVersion);
    const ParameterSet summarised{kFormat, kBlock, kChunk, kSigma, kIndex};  // what summary_of looks at
    const auto is = [](Format format) {
        return [format](const PartialVariant& v) { return format_of(v) == format; };
    };

    space.add(Parameter("format", "storage: compressed rows, register blocks, or sorted chunks of rows",
                        names({"csr", "bcsr", "sell"})));
    space.add(Parameter("block", "rows x columns of a register block", block_values(a))
                  .when("format is bcsr", {kFormat}, is(Format::bcsr)));
    space.add(Parameter("chunk", "rows of a SELL chunk (C)", list_of(kChunks))
                  .when("format is sell", {kFormat}, is(Format::sell))
                  .ordered(kCompiled));
    space.add(Parameter("sigma", "rows in whose windows SELL sorts by length", sigma_values(a))
                  .when("format is sell", {kFormat}, is(Format::sell))
                  .ordered());
    space.add(Parameter("index", "bits of a column index", numbers({32, 16})));
    space.add(Parameter("threads", "threads", list_of(a.threads)));
    space.add(Parameter("partition", "what is shared out evenly over the threads", partition_values(a))
                  .when("threads is above 1 and they split differently", summarised | ParameterSet{kThreads},
                        [rules](const PartialVariant& v) { return rules->partition_exists(v); }));
    space.add(Parameter("simd", "vector width in bits", simd_values(target, a.dtype)));
    space.add(
        Parameter("unroll", "independent accumulators of vectors", numbers({1, 2, 4})).ordered(kCompiled));
    space.add(Parameter("streams", "ranges of rows that a thread walks in turn", numbers({1, 2, 4, 8}))
                  .ordered("the family offers none beyond"));
    space.add(prefetch_parameter(a));
    std::vector<std::string> placements{"owner"};
    if (target.numa_nodes > 1) placements = {"owner", "interleave", "none"};
    space.add(Parameter("placement", "pages: first touched by their owner, interleaved, or all by one thread",
                        names(placements)));

    const auto add = [&](std::string text, int decided_by, ParameterSet depends_on, Rule holds) {
        space.add(Constraint{std::move(text), decided_by, std::move(holds), depends_on});
    };
    add("16-bit indices need stored entries", kIndex, {kIndex},
        [rules](const PartialVariant& v) { return rules->index(v); });
    add("the partition splits otherwise than those before it", kPartition,
        summarised | ParameterSet{kThreads, kPartition},
        [rules](const PartialVariant& v) { return rules->partition(v); });
    add("vectors fit the chunk, and a block's rows fill more than half of them", kSimd,
        {kFormat, kBlock, kChunk, kSimd}, [rules](const PartialVariant& v) { return rules->simd(v); });
    add("the longest row, the chunk or the block row feeds all accumulators", kUnroll,
        summarised | ParameterSet{kSimd, kUnroll},
        [rules](const PartialVariant& v) { return rules->unroll(v, 1 << v[kUnroll]); });
    add("streams cut the threads' rows otherwise than fewer would", kStreams,
        summarised | ParameterSet{kThreads, kPartition, kStreams},
        [rules](const PartialVariant& v) { return rules->streams(v); });
    add("there is something to prefetch", kPrefetch, {kPrefetch},
        [rules](const PartialVariant& v) { return rules->prefetch(v); });
    if (a.only) {
        const std::string looked_at = "only this one was looked at";
        add(looked_at, kFormat, {kFormat},
            [rules](const PartialVariant& v) { return rules->is_only_format(v); });
        add(looked_at, kChunk, {kFormat, kChunk},
            [rules](const PartialVariant& v) { return rules->is_only_chunk(v); });
        add(looked_at, kIndex, {kIndex},
            [rules](const PartialVariant& v) { return rules->is_only_index(v); });
    }
    add("placement by one thread differs from the owner's only with several", kPlacement,
        {kThreads, kPlacement}, [rules](const PartialVariant& v) { return rules->placement(v); });
    return space;
}

Choice decode(const Space& space, const PartialVariant& v, DType dtype) {
    Choice c;
    c.format.format = static_cast<Format>(std::max<int>(0, v[kFormat]));
    if (v.fixed(kBlock)) {
        const auto shape = static_cast<int>(space.number(v, kBlock, 11));
        c.format.block = {shape / 10, shape % 10};
    }
    c.format.chunk = static_cast<int>(space.number(v, kChunk, 1));
    c.format.sigma = space.number(v, kSigma, 1);
    c.format.index_bits = static_cast<int>(space.number(v, kIndex, 32));
    c.threads = static_cast<int>(space.number(v, kThreads, 1));
    c.partition = partition_of(v);
    c.width_bits = static_cast<int>(space.number(v, kSimd, element_bits(dtype)));
    c.lanes = lanes_of(dtype, c.width_bits);
    c.unroll = static_cast<int>(space.number(v, kUnroll, 1));
    c.streams = static_cast<int>(space.number(v, kStreams, 1));
    c.prefetch = static_cast<int>(space.number(v, kPrefetch, 0));
    c.placement = static_cast<Placement>(std::max<int>(0, v[kPlacement]));
    return c;
}

std::vector<int> prefetch_distances(const Analysis& a) {
    // A matrix that is not many distances long stays in a cache, where there is nothing to wait for.
    constexpr double kLong = 1024.0, kLarge = 4.0 * 1024.0 * 1024.0;
    const double bytes = static_cast<double>(a.stored) * (static_cast<double>(size_of(a.dtype)) + 4.0);
    std::vector<int> distances;
    for (const int distance : kPrefetchBytes) {
        if (distance <= 1024 || (bytes >= kLarge && kLong * distance <= bytes)) distances.push_back(distance);
    }
    return distances;
}

Variant naive_variant(const Space& space, const Target& target) {
    return assemble(space, {"csr", "", "", "", "32", std::to_string(target.threads), "rows", "scalar", "1",
                            "1", "0", "owner"});
}

std::optional<FormatKey> format_named(const std::map<std::string, std::string>& values, std::int64_t rows) {
    const auto text = [&](const char* name) {
        const auto at = values.find(name);
        return at == values.end() ? std::string() : at->second;
    };
    FormatKey key;
    const std::string index = text("index");
    if (index != "32" && index != "16") return std::nullopt;
    key.index_bits = index == "32" ? 32 : 16;
    const std::string format = text("format");
    if (format == "csr") return key;
    if (format == "bcsr") {
        key.format = Format::bcsr;
        const std::string block = text("block");
        const auto shape = std::find_if(kBlockShapes.begin(), kBlockShapes.end(),
                                        [&](const BlockShape s) { return to_text(s) == block; });
        if (shape == kBlockShapes.end()) return std::nullopt;
        key.block = *shape;
        return key;
    }
    if (format != "sell") return std::nullopt;
    key.format = Format::sell;
    const std::string chunk = text("chunk"), sigma = text("sigma");
    const auto height =
        std::find_if(kChunks.begin(), kChunks.end(), [&](int c) { return std::to_string(c) == chunk; });
    if (height == kChunks.end()) return std::nullopt;
    key.chunk = *height;
    const std::vector<std::int64_t> windows = sort_windows(rows);
    const auto window = std::find_if(windows.begin(), windows.end(),
                                     [&](std::int64_t s) { return sigma_text(s, rows) == sigma; });
    if (window == windows.end()) return std::nullopt;
    key.sigma = *window;
    return key;
}

Variant default_variant(const Space& space, const Target& target, const CsrView& a) {
    // Never slower than the textbook loop comes first, so no gathers: on a Sapphire Rapids the widest vectors
    // lost on four of nine real matrices, on a Zen 4 on 16 of 17 of up to 60 entries a row. Where rows are
    // long enough to wait for their sums, several scalar ones gain more than gathers do: at 112 entries a row
    // of f32 on a Zen 5 1.3 to 1.4 times the textbook loop, gathers 1.04 times (f64: 1.15 and 0.87). Of bands
    // in caches two sums are 0.96 times as fast at 17 entries a row, 1.06 at 41 and 1.19 at 61, four are
    // 0.91, 0.95 to 1.05 and 1.05 to 1.19. In f32 sums are waited for sooner: of 27 entries a row two
    // are 1.36 times as fast beyond the caches of a Zen 3 (f64: 1.0) and 1.65 times in them. And nothing at
    // all for a product of a few microseconds in short rows, where a cut that counts entries gained nothing
    // with six small matrices and lost up to 11 %.
    constexpr std::int64_t kSmall = 16'384, kVeryLongRow = 96;
    const bool is_f32 = space.parameters().at(kSimd).values.front().number == element_bits(DType::f32);
    const std::int64_t long_row = is_f32 ? 24 : 32;
    const std::int64_t stored = a.stored();
    const auto rows_have = [&](std::int64_t entries) { return stored > 0 && stored >= entries * a.rows; };
    if (stored <= kSmall && !rows_have(long_row)) return naive_variant(space, target);
    const char* const unroll = rows_have(kVeryLongRow) ? "4" : rows_have(long_row) ? "2" : "1";
    const auto with = [&](const char* partition, const char* simd, const char* sums, const char* prefetch) {
        return assemble(space, {"csr", "", "", "", "32", std::to_string(target.threads), partition, simd,
                                sums, "1", prefetch, "owner"});
    };
    // A row that is longer than a thread's share keeps all others waiting.
    const std::vector<ParameterValue>& partitions = space.parameters().at(kPartition).values;
    if (partitions.back().text == "split" && target.threads > 1) {
        if (const Variant cut = with("split", "scalar", unroll, "0"); space.valid(cut)) return cut;
    }
    // AVX-512 without gathers (Zen 4, two threads, 26 matrices): in f64, of rows of 19 entries and more,
    // vectors of 256 bits are 1.0 to 1.4 times as fast as the sums above; no such rows were slower, and
    // nothing between 7 and 19 was measured. In f32 they are 1.0 to 1.3 times as fast from 39 entries on, and
    // 0.8 to 1.0 times at 27. 512 bits are behind in most, the more the shorter rows are. A second sum loses
    // up to 13 % in caches; prefetching gains up to a fifth beyond them and loses as much in them. Zen 5 was
    // not measured.
    const std::vector<int>& widths = target.width_bits;
    if (target.slow_gathers && !widths.empty() && widths.back() >= 512 &&
        std::find(widths.begin(), widths.end(), 256) != widths.end() && rows_have(is_f32 ? 39 : 18)) {
        if (const Variant loaded = with("nnz", "256", "1", "0"); space.valid(loaded)) return loaded;
    }
    // Of 103 to 430 MB on a Zen 3, whose vectors of x are loaded one by one, vectors with prefetching
    // are 1.17 and 1.20 times as fast as compressed rows in plain C++ with 27 entries a row (80^3, 110^3)
    // and 1.23 times with 81, where scalar ones are level with them, and no slower with 16 of a graph, in
    // f64; in f32 0.88 times as fast as scalar sums. With scalar code prefetching lost up to half.
    constexpr std::int64_t kBeyondCaches = std::int64_t{16} << 20;
    const bool loads_one_by_one = !target.width_bits.empty() && target.width_bits.back() == 256;
    if (!is_f32 && loads_one_by_one && rows_have(24) && !rows_have(kVeryLongRow) &&
        12 * stored > kBeyondCaches) {
        if (const Variant fetched = with("nnz", "256", "2", "2048"); space.valid(fetched)) return fetched;
    }
    return with("nnz", "scalar", unroll, "0");
}

}  // namespace rooftune::spmv
