#include "kernels/spmv/product.h"

#include <algorithm>
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
    const KernelKey key{choice.format.format,     dtype,        choice.format.block,
                        choice.format.index_bits, choice.lanes, choice.unroll};
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
    const std::vector<std::int64_t> cuts = split_groups(matrix_->layout(), choice.threads, choice.partition);
    for (std::size_t t = 0; t < walks_.size(); ++t) {
        const std::vector<Walk> walks = walks_of(matrix_->layout(), cuts[t], cuts[t + 1], choice.streams);
        std::copy(walks.begin(), walks.end(), walks_[t].walks);
        walks_[t].count = static_cast<int>(walks.size());
    }
}

void Product::run(const void* x, void* y) {
    arguments_.x = x;
    arguments_.y = y;
    team_->run(static_cast<int>(walks_.size()), &Product::body, this);
}

void Product::body(void* context, int thread) {
    const auto& self = *static_cast<const Product*>(context);
    const ThreadWalks& mine = self.walks_[static_cast<std::size_t>(thread)];
    if (mine.count > 0) self.kernel_(self.arguments_, mine.walks, mine.count);
}

}  // namespace rooftune::spmv
