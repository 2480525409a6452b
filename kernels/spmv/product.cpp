#include "kernels/spmv/product.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "kernels/runtime/isa.h"
#include "kernels/spmv/partition.h"

namespace rooftune::spmv {

Kernel kernel_of(const Space& space, const Variant& variant, const Target& target, DType dtype) {
    const Choice choice = decode(space, variant, dtype);
    // Rows that are walked one after the other without anything are the textbook loop however they are shared
    // out. Code made for all walks took up to 1.5 times as long on rows of five entries.
    const bool textbook = choice.format.format == Format::csr && choice.format.index_bits == 32 &&
                          choice.lanes == 1 && choice.unroll == 1 && choice.streams == 1 &&
                          choice.prefetch == 0;
    if (textbook) return naive_kernel(dtype);
    const KernelKey key{choice.format.format, dtype,         choice.format.block,   choice.format.index_bits,
                        choice.lanes,         choice.unroll, kernels_gather(target)};
    const Kernel found = find_kernel(choose_isa(target.width_bits), key);
    if (!found) throw std::logic_error("spmv: no kernel for " + space.to_text(variant));
    return found;
}

Product::Product(std::shared_ptr<const PlacedMatrix> matrix, const Choice& choice, Kernel kernel, Team& team)
    : matrix_(std::move(matrix)),
      walks_(static_cast<std::size_t>(choice.threads)),
      kernel_(kernel),
      arguments_(matrix_->arguments()),
      team_(&team) {
    team.check_has(choice.threads);
    arguments_.prefetch = choice.prefetch;
    const Layout& layout = matrix_->layout();
    const std::vector<ThreadRange> ranges = ranges_of(layout, choice.threads, choice.partition);
    for (std::size_t t = 0; t < walks_.size(); ++t) {
        const ThreadRange& range = ranges[t];
        const std::vector<Walk> walks = walks_of(layout, range.g0, range.g1, choice.streams);
        std::copy(walks.begin(), walks.end(), walks_[t].walks);
        walks_[t].count = static_cast<int>(walks.size());
        if (!range.head.empty()) walks_[t].head = part_of(layout, range.g0 - 1, range.head);
        if (!range.tail.empty()) walks_[t].tail = part_of(layout, range.g1, range.tail);
    }
    cuts_rows_ = cuts_groups(ranges);
    if (matrix_->views_values()) follow_values();
}

Product::Part Product::part_of(const Layout& layout, std::int64_t group, Steps steps) {
    Part part;
    part.row = group;
    part.pointer.push_back(static_cast<std::uint32_t>(steps.begin));
    each_part(layout, group, steps, [&](std::int64_t s, std::int64_t, std::int64_t end) {
        part.pointer.push_back(static_cast<std::uint32_t>(end));
        if (!layout.base.empty()) part.base.push_back(layout.base[static_cast<std::size_t>(s)]);
    });
    const std::size_t segments = part.pointer.size() - 1;
    if (!layout.group.empty()) part.group.assign(segments, 0);
    part.walk = {static_cast<std::uint64_t>(steps.begin), 0, static_cast<std::uint32_t>(segments)};
    return part;
}

void Product::run(const void* x, void* y) {
    arguments_.x = x;
    arguments_.y = y;
    team_->run(static_cast<int>(walks_.size()), &Product::body, this);
    if (!cuts_rows_) return;
    if (matrix_->dtype() == DType::f64) {
        add_head_sums(static_cast<double*>(y));
    } else {
        add_head_sums(static_cast<float*>(y));
    }
}

// In the order of the threads, so that an answer does not depend on who was done first.
template <typename T>
void Product::add_head_sums(T* y) const {
    for (const ThreadWalks& thread : walks_) {
        if (!thread.head.exists()) continue;
        T sum;
        std::memcpy(&sum, thread.head_sum, sizeof sum);
        y[thread.head.row] += sum;
    }
}

void Product::flush() const {
    matrix_->flush();
    for (const ThreadWalks& thread : walks_) {
        for (const Part* part : {&thread.head, &thread.tail}) {
            for (const std::vector<std::uint32_t>* words : {&part->pointer, &part->base, &part->group})
                flush_lines(words->data(), words->size() * sizeof(std::uint32_t));
        }
    }
}

void Product::follow_values() {
    arguments_.values = matrix_->arguments().values;
    const auto most = static_cast<std::uint64_t>(matrix_->seen_steps());
    for (ThreadWalks& thread : walks_) {
        for (Part* part : {&thread.head, &thread.tail}) {
            if (!part->exists()) continue;
            std::uint64_t step = part->walk.step;
            std::uint32_t before = part->pointer.front();
            for (std::uint32_t& end : part->pointer) {
                const std::uint32_t length = end - before;
                before = end;
                step += length;
                end = static_cast<std::uint32_t>(std::min(step, most));
            }
        }
    }
}

void Product::run_part(const Part& part, void* y) const {
    KernelArguments arguments = arguments_;
    arguments.pointer = part.pointer.data();
    arguments.base = part.base.empty() ? nullptr : part.base.data();
    arguments.group = part.group.empty() ? nullptr : part.group.data();
    arguments.y = y;
    kernel_(arguments, &part.walk, 1);
}

void Product::body(void* context, int thread) {
    auto& self = *static_cast<Product*>(context);
    ThreadWalks& mine = self.walks_[static_cast<std::size_t>(thread)];
    if (mine.head.exists()) self.run_part(mine.head, mine.head_sum);
    if (mine.count > 0) self.kernel_(self.arguments_, mine.walks, mine.count);
    if (mine.tail.exists()) {
        auto* const y = static_cast<unsigned char*>(self.arguments_.y);
        self.run_part(mine.tail,
                      y + mine.tail.row * static_cast<std::int64_t>(size_of(self.matrix_->dtype())));
    }
}

}  // namespace rooftune::spmv
