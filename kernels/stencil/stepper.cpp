#include "kernels/stencil/stepper.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace rooftune::stencil {
namespace {

std::size_t scratch_of_a_thread(const Grid& grid, const Choice& choice, const Layout& layout) {
    return static_cast<std::size_t>(scratch_bytes(grid, layout, choice.depth, choice.cut.block_y));
}

}  // namespace

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
    : grid_(grid), coefficients_(coefficients), depth_(choice.depth), after_(after), team_(&team) {
    team.check_has(choice.cut.threads);
    const std::size_t scratch = scratch_of_a_thread(grid_, choice, layout);
    for (int t = 0; t < choice.cut.threads; ++t) {
        blocks_.push_back(blocks_of(grid_, choice.cut, t));
        if (scratch > 0) scratch_.emplace_back(scratch, pages_for(scratch, choice.pages));
    }
    pass_.grid = &grid_;
    pass_.layout = &layout;
    pass_.streams = choice.streams;
    pass_.prefetch = choice.prefetch;
    pass_.kernels = kernels;
    pass_.fence = choice.store == Store::nontemporal;
    for (Buffer& scratch_planes : scratch_) scratch_planes.arm();
}

std::size_t Stepper::passes() const {
    return static_cast<std::size_t>(blocks_in(grid_.steps, depth_));
}

void Stepper::sweep_all() {
    team_->run(static_cast<int>(blocks_.size()), &Stepper::body, this);
}

void Stepper::run(const std::byte* input, std::byte* between, std::byte* output) {
    const auto passes = static_cast<std::int64_t>(this->passes());
    pass_.coefficients = coefficients_.data();
    pass_.from = input;
    pass_.given = input;
    for (std::int64_t p = 0; p < passes; ++p) {
        pass_.depth = static_cast<int>(std::min<std::int64_t>(depth_, grid_.steps - p * depth_));
        pass_.last = p + 1 == passes && after_ == AfterLast::left_open;
        // Backwards from the answer, the two arrays take turns; the input is never written.
        pass_.to = (passes - 1 - p) % 2 == 0 ? output : between;
        sweep_all();
        pass_.from = pass_.to;
    }
}

void Stepper::advance(int steps, const Coefficients& coefficients, const std::byte* from, std::byte* to) {
    pass_.coefficients = coefficients.data();
    pass_.from = from;
    pass_.given = from;
    pass_.to = to;
    pass_.depth = steps;
    pass_.last = after_ == AfterLast::left_open;
    sweep_all();
}

std::size_t Stepper::buffer_bytes() const {
    std::size_t bytes = 0;
    for (const Buffer& scratch : scratch_) bytes += scratch.mapped_bytes();
    return bytes;
}

std::size_t Stepper::buffer_bytes(const Grid& grid, const Choice& choice, const Layout& layout) {
    const std::size_t scratch = scratch_of_a_thread(grid, choice, layout);
    if (scratch == 0) return 0;
    return static_cast<std::size_t>(choice.cut.threads) *
           Buffer::mapped_bytes(scratch, pages_for(scratch, choice.pages));
}

void Stepper::body(void* context, int thread) {
    auto& self = *static_cast<Stepper*>(context);
    const auto t = static_cast<std::size_t>(thread);
    sweep(self.pass_, self.blocks_[t], self.scratch_.empty() ? nullptr : self.scratch_[t].data());
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
