// One variant of a stencil on anybody's arrays: what a tune measures is what a program runs.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/runtime/isa.h"
#include "kernels/runtime/memory.h"
#include "kernels/runtime/team.h"
#include "kernels/stencil/space.h"
#include "kernels/stencil/sweep.h"

namespace rooftune::stencil {

/// The compiled kernels of a variant. Throws std::logic_error when the space offers one that does not exist.
Kernels kernels_of(const Grid& grid, const Choice& choice, Isa isa);

/// What the last pass leaves at x = −1 and x = nx of the answer.
enum class AfterLast {
    left_open,  ///< nothing: the answer is only read
    closed,     ///< what the boundary says, so that the answer can be the next input
};

class Stepper {
public:
    /// `layout` is that of all arrays and must outlive it, as the team must. Throws EnvironmentError when the
    /// variant wants more threads than the team has, and std::bad_alloc.
    Stepper(const Grid& grid, const Coefficients& coefficients, const Choice& choice, const Kernels& kernels,
            const Layout& layout, AfterLast after, Team& team);
    Stepper(const Stepper&) = delete;  // its pass points into it
    Stepper& operator=(const Stepper&) = delete;

    /// Advances the grid's steps, from `input` into `output`. `between` is needed where passes() > 1. All
    /// begin on a cache line and are layout.bytes long; `input` has the boundary's values in its outer layer,
    /// and none of the three is another.
    void run(const std::byte* input, std::byte* between, std::byte* output);
    std::size_t passes() const;

    /// For whoever goes on from each answer, by any number of steps: one pass of `steps` of them, from 1 to
    /// depth(), with these coefficients, from one array into another. Both have the boundary's values in
    /// their outer layers where the grid is not periodic; where it is, AfterLast::closed is needed.
    void advance(int steps, const Coefficients& coefficients, const std::byte* from, std::byte* to);
    /// Steps that a pass takes at most.
    int depth() const { return depth_; }

    /// Bytes of memory that the scratch planes take, at most.
    std::size_t buffer_bytes() const;
    /// Those that the scratch planes of such a stepper would take.
    static std::size_t buffer_bytes(const Grid& grid, const Choice& choice, const Layout& layout);

    int threads() const { return static_cast<int>(blocks_.size()); }
    /// Fills the scratch planes with NaN.
    void poison();
    bool intact() const;
    void flush() const;

private:
    static void body(void* context, int thread);
    void sweep_all();

    Grid grid_;
    Coefficients coefficients_;
    std::vector<std::vector<Block>> blocks_;  ///< of each thread
    std::vector<Buffer> scratch_;
    int depth_;
    AfterLast after_;
    Team* team_;
    /// The one that is under way, or was the last. On lines of its own: it changes with each, and what lies
    /// before it is read by all threads.
    alignas(kCacheLine) Pass pass_;
};

}  // namespace rooftune::stencil
