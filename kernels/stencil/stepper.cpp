#include "kernels/stencil/stepper.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace rooftune::stencil {

Kernels kernels_of(const Grid& grid, const Choice& choice, Isa isa) {
    Kernels k;
    if (choice.plain) {
        k.bundle = k.single = k.scratch_bundle = k.scratch_single = plain_kernel(grid.points, grid.dtype);
        return k;
    }
    const auto find = [&](RegisterBlock rows, int unroll, Store store) {
        const Kernel found = find_kernel(isa, {grid.points, grid.dtype, choice.lanes, rows, unroll, store});
        if (!found) throw std::logic_error("stencil: the variant has no kernel in this build");
        return found;
    };
    k.block = choice.rows;
    k.bundle = find(choice.rows, choice.unroll, choice.store);
    k.single = find({1, 1}, choice.unroll, choice.store);
    k.scratch_bundle = find(choice.rows, choice.unroll, Store::regular);
    k.scratch_single = find({1, 1}, choice.unroll, Store::regular);
    return k;
}

Stepper::Stepper(const Grid& grid, const Coefficients& coefficients, const Choice& choice,
                 const Kernels& kernels, const Layout& layout, AfterLast after, Team& team)
    : grid_(grid), coefficients_(coefficients), team_(&team) {
    team.check_has(choice.cut.threads);
    for (int t = 0; t < choice.cut.threads; ++t) {
        blocks_.push_back(blocks_of(grid_, choice.cut, t));
        const std::int64_t scratch = scratch_bytes(grid_, layout, choice.depth, choice.cut.block_y);
        if (scratch > 0) scratch_.emplace_back(static_cast<std::size_t>(scratch), choice.pages);
    }
    Pass pass;
    pass.grid = &grid_;
    pass.layout = &layout;
    pass.coefficients = coefficients_.data();
    pass.streams = choice.streams;
    pass.prefetch = choice.prefetch;
    pass.kernels = kernels;
    pass.fence = choice.store == Store::nontemporal;
    const std::int64_t passes = blocks_in(grid_.steps, choice.depth);
    for (std::int64_t p = 0; p < passes; ++p) {
        pass.depth = static_cast<int>(std::min<std::int64_t>(choice.depth, grid_.steps - p * choice.depth));
        pass.last = p + 1 == passes && after == AfterLast::left_open;
        passes_.push_back(pass);
    }
    for (Buffer& scratch : scratch_) scratch.arm();
}

void Stepper::run(const std::byte* input, std::byte* between, std::byte* output) {
    const std::byte* from = input;
    for (std::size_t p = 0; p < passes_.size(); ++p) {
        Pass& pass = passes_[p];
        pass.from = from;
        pass.given = input;
        // Backwards from the answer, the two arrays take turns; the input is never written.
        pass.to = (passes_.size() - 1 - p) % 2 == 0 ? output : between;
        from = pass.to;
        now_ = &pass;
        team_->run(static_cast<int>(blocks_.size()), &Stepper::body, this);
    }
}

void Stepper::body(void* context, int thread) {
    auto& self = *static_cast<Stepper*>(context);
    const auto t = static_cast<std::size_t>(thread);
    sweep(*self.now_, self.blocks_[t], self.scratch_.empty() ? nullptr : self.scratch_[t].data());
}

void Stepper::poison() {
    if (scratch_.empty()) return;
    team_->run(static_cast<int>(scratch_.size()), [&](int t) {
        const Buffer& scratch = scratch_[static_cast<std::size_t>(t)];
        std::memset(scratch.data(), 0xFF, scratch.bytes());
    });
}

bool Stepper::intact() const {
    return std::all_of(scratch_.begin(), scratch_.end(), [](const Buffer& b) { return b.intact(); });
}

void Stepper::flush() const {
    for (const Buffer& scratch : scratch_) flush_lines(scratch.data(), scratch.bytes());
}

}  // namespace rooftune::stencil
