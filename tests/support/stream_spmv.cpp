#include <algorithm>

#include "kernels/spmv/fill.h"
#include "kernels/spmv/kernel.h"
#include "tests/support/address_streams.h"

namespace rooftune::test {
namespace {

using namespace rooftune::spmv;

enum Array { kValues, kIndices, kPointers, kBases, kGroups, kRowOf, kX, kY, kParts, kSums };
constexpr std::int64_t kApart = std::int64_t{1} << 36;
constexpr std::int64_t kWordsApart = 4096;  // of what threads have for themselves

/// The walk over one converted matrix, with the names of walk-inl.h.
class Kernel {
public:
    Kernel(const CsrView& matrix, const Choice& choice, DType dtype)
        : choice_(choice), layout_(make_layout(matrix, choice.format)) {
        e_ = static_cast<int>(size_of(dtype));
        i_ = layout_.key.index_bits / 8;
        std::vector<double> values(static_cast<std::size_t>(layout_.steps() * layout_.key.step_values()));
        indices_.resize(static_cast<std::size_t>(layout_.steps() * layout_.key.step_indices()));
        if (i_ == 4) {
            fill_groups<double, std::uint32_t>(matrix, layout_, 0, layout_.groups, values.data(),
                                               indices_.data());
        } else {
            std::vector<std::uint16_t> narrow(indices_.size());
            fill_groups<double, std::uint16_t>(matrix, layout_, 0, layout_.groups, values.data(),
                                               narrow.data());
            std::copy(narrow.begin(), narrow.end(), indices_.begin());
        }
    }

    Run run() {
        Run run;
        run.phases.emplace_back();
        const std::vector<ThreadRange> ranges = ranges_of(layout_, choice_.threads, choice_.partition);
        for (std::size_t t = 0; t < ranges.size(); ++t) {
            const ThreadRange& range = ranges[t];
            const auto thread = static_cast<std::int64_t>(t);
            run.phases.back().emplace_back();
            now_ = &run.phases.back().back();
            if (!range.head.empty())
                part(range.g0 - 1, range.head, 2 * thread, [&](bool again) {
                    if (again) touch(kSums, kWordsApart * thread, e_);
                    touch(kSums, kWordsApart * thread, e_, true);
                });
            in_turn(walks_of(layout_, range.g0, range.g1, choice_.streams));
            if (!range.tail.empty())
                part(range.g1, range.tail, 2 * thread + 1, [&](bool again) { store(range.g1, again); });
        }
        if (!cuts_groups(ranges)) return run;
        // One thread adds the sums of cut rows up.
        run.phases.emplace_back(ranges.size());
        now_ = &run.phases.back().front();
        for (std::size_t t = 0; t < ranges.size(); ++t) {
            if (ranges[t].head.empty()) continue;
            touch(kSums, kWordsApart * static_cast<std::int64_t>(t), e_);
            store(ranges[t].g0 - 1, true);
        }
        return run;
    }

private:
    void touch(Array array, std::int64_t element, int bytes, bool write = false) {
        now_->push_back({array * kApart + element * bytes, bytes, write, false});
    }

    /// The part of a row that a thread computes; what it needs of the row's segments lies apart.
    template <typename Store>
    void part(std::int64_t group, Steps steps, std::int64_t place, Store&& store_sum) {
        std::int64_t word = kWordsApart * place;
        bool again = false;
        touch(kParts, word, 4);
        each_part(layout_, group, steps, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
            touch(kParts, ++word, 4);
            std::int64_t base = 0;
            if (!layout_.base.empty()) {
                touch(kParts, word + kWordsApart / 4, 4);
                base = layout_.base[static_cast<std::size_t>(s)];
            }
            if (!layout_.group.empty()) touch(kParts, word + kWordsApart / 2, 4);
            for (std::int64_t k = begin; k < end; k += choice_.lanes)
                gather(k, std::min<std::int64_t>(choice_.lanes, end - k), base);
            store_sum(again);
            again = true;
        });
    }

    void in_turn(std::vector<Walk> walks) {
        bool left = true;
        while (left) {
            left = false;
            for (Walk& w : walks) {
                if (w.segment == w.end) continue;
                const std::uint32_t stop = walks.size() == 1 ? w.end : w.segment + 1;
                touch(kPointers, w.segment, 4);
                for (; w.segment < stop; ++w.segment) {
                    const std::size_t s = w.segment;
                    touch(kPointers, w.segment + 1, 4);
                    segment(w.segment, layout_.step_begin[s],
                            layout_.step_begin[s + 1] - layout_.step_begin[s]);
                }
                left |= w.segment != w.end;
            }
        }
    }

    std::int64_t base_of(std::int64_t s) {
        if (layout_.base.empty()) return 0;
        touch(kBases, s, 4);
        return layout_.base[static_cast<std::size_t>(s)];
    }
    /// The group of a segment; `again`: it goes on with that of the segment before.
    std::int64_t group_of(std::int64_t s, bool& again) {
        again = false;
        if (layout_.group.empty()) return s;
        touch(kGroups, s, 4);
        const auto at = static_cast<std::size_t>(s);
        if (s > 0) {
            touch(kGroups, s - 1, 4);
            again = layout_.group[at - 1] == layout_.group[at];
        }
        return layout_.group[at];
    }
    void store(std::int64_t row, bool again) {
        if (again) touch(kY, row, e_);
        touch(kY, row, e_, true);
    }

    void segment(std::int64_t s, std::int64_t step, std::int64_t length) {
        switch (layout_.key.format) {
            case Format::csr:
                return csr(s, step, length);
            case Format::bcsr:
                return bcsr(s, step, length);
            case Format::sell:
                return sell(s, step, length);
        }
    }

    /// A vector of values, of indices, and what they point to.
    void gather(std::int64_t at, std::int64_t count, std::int64_t base) {
        for (std::int64_t l = 0; l < count; ++l) touch(kValues, at + l, e_);
        for (std::int64_t l = 0; l < count; ++l) touch(kIndices, at + l, i_);
        for (std::int64_t l = 0; l < count; ++l)
            touch(kX, base + indices_[static_cast<std::size_t>(at + l)], e_);
    }

    void csr(std::int64_t s, std::int64_t step, std::int64_t length) {
        const std::int64_t base = base_of(s);
        for (std::int64_t k = 0; k < length; k += choice_.lanes)
            gather(step + k, std::min<std::int64_t>(choice_.lanes, length - k), base);
        bool again = false;
        const std::int64_t row = group_of(s, again);
        store(row, again);
    }

    void bcsr(std::int64_t s, std::int64_t step, std::int64_t length) {
        const std::int64_t rows = layout_.key.block.rows;
        const std::int64_t cols = layout_.key.block.cols;
        const std::int64_t base = base_of(s);
        for (std::int64_t b = step; b < step + length; ++b) {
            touch(kIndices, b, i_);
            const std::int64_t column = (base + indices_[static_cast<std::size_t>(b)]) * cols;
            for (std::int64_t j = 0; j < cols; ++j) {
                // What a block at the right edge reaches beyond x is padding of x, which is there.
                touch(kX, column + j, e_);
                for (std::int64_t r = 0; r < rows; ++r) touch(kValues, (b * cols + j) * rows + r, e_);
            }
        }
        bool again = false;
        const std::int64_t first = group_of(s, again) * rows;
        for (std::int64_t r = first; r < std::min(first + rows, layout_.rows); ++r) store(r, again);
    }

    void sell(std::int64_t s, std::int64_t step, std::int64_t length) {
        const std::int64_t chunk = layout_.key.chunk;
        const std::int64_t wide = std::int64_t{choice_.lanes} * choice_.unroll;
        const std::int64_t base = base_of(s);
        bool again = false;
        const std::int64_t first = group_of(s, again) * chunk;
        for (std::int64_t v = 0; v < chunk; v += wide) {
            for (std::int64_t k = 0; k < length; ++k) gather((step + k) * chunk + v, wide, base);
            for (std::int64_t p = first + v; p < std::min(first + v + wide, layout_.rows); ++p) {
                if (layout_.row_of.empty()) {
                    store(p, again);
                } else {
                    touch(kRowOf, p, 4);
                    store(layout_.row_of[static_cast<std::size_t>(p)], again);
                }
            }
        }
    }

    Choice choice_;
    Layout layout_;
    int e_ = 8, i_ = 4;
    std::vector<std::uint32_t> indices_;
    Stream* now_ = nullptr;
};

}  // namespace

Run spmv_run(const CsrView& matrix, const Choice& choice, DType dtype) {
    return Kernel(matrix, choice, dtype).run();
}

}  // namespace rooftune::test
