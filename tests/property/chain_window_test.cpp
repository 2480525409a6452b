// Batches of chains that follow each other, against a core that is limited by its reorder window alone: what
// the chain term counts is never more than such a core takes, in whatever order a compiler puts a batch.
#include <algorithm>
#include <random>
#include <vector>

#include "models/bound.h"
#include "tests/support/catch.h"
#include "tests/support/reorder_window.h"
#include "tests/support/toy.h"

using namespace rooftune;
using rooftune::test::Instruction;
using rooftune::test::time_in_window;

namespace {

/// Batches as a register tile makes them: chains side by side, one step of each a turn.
struct Program {
    std::vector<Instruction> instructions;
    double batches = 0.0, steps = 0.0, chains = 1.0;  ///< steps: of one chain, on average
    double least = 0.0;                               ///< instructions of a batch, with what is not a step
};

class Programs {
public:
    explicit Programs(unsigned seed) : random_(seed) {}

    int from(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

    /// A step takes 1; other instructions take up to `other`.
    Program any(double other) {
        Program p;
        const int chains = from(1, 12), batches = from(1, 8);
        const int unroll = from(1, 8), beside = from(0, 6);
        p.chains = chains;
        p.batches = batches;
        double steps = 0.0;
        for (int b = 0; b < batches; ++b) {
            const int length = from(1, 60);
            steps += length;
            std::vector<int> last(static_cast<std::size_t>(chains), -1);
            for (int done = 0; done < length; done += unroll)
                turn(p, last, std::min(unroll, length - done), beside, other);
            for (int i = from(0, 1) * from(0, 10); i > 0; --i) p.instructions.push_back({-1, other});
        }
        p.steps = steps / batches;
        p.least = p.steps * (chains + beside);
        return p;
    }

private:
    // The steps of a turn in any order that their chains allow, with other instructions in between.
    void turn(Program& p, std::vector<int>& last, int steps, int beside, double other) {
        std::vector<int> order;
        for (int s = 0; s < steps; ++s) {
            for (int c = 0; c < static_cast<int>(last.size()); ++c) order.push_back(c);
            for (int i = 0; i < beside; ++i) order.push_back(-1);
        }
        std::shuffle(order.begin(), order.end(), random_);
        // The most uneven orders: whatever is no step before all steps, or behind them.
        const int uneven = from(0, 2);
        if (uneven > 0) {
            std::stable_partition(order.begin(), order.end(),
                                  [&](int chain) { return uneven == 1 ? chain < 0 : chain >= 0; });
        }
        for (const int c : order) {
            if (c < 0) {
                p.instructions.push_back({-1, other});
                continue;
            }
            int& before = last[static_cast<std::size_t>(c)];
            p.instructions.push_back({before, 1.0});
            before = static_cast<int>(p.instructions.size()) - 1;
        }
    }

    std::mt19937 random_;
};

/// What the chain term says, in steps: one a second.
double counted(double window, double batches, double steps, double instructions) {
    Machine m;
    Conditions when;
    when.width_bits = 64;
    when.chains = 1;
    when.mix = Mix::add;
    m.ceilings = {toy::ceiling(Resource::compute, when, 1.0), toy::ceiling(Resource::window, {}, window)};
    const Roofs roofs(m);
    Work work;
    work.chain_steps = Operations(steps);
    work.chain_repeats = batches;
    work.chain_instructions = Operations(instructions);
    return BoundModel(roofs).seconds(work, {.dtype = DType::f64, .width_bits = 64, .threads = 1}).value;
}

constexpr int kPrograms = 4000;
constexpr double kRounding = 1.0 + 1e-12;

}  // namespace

TEST_CASE("property: batches of chains take at least what is counted, in any order of a batch") {
    Programs programs(1);
    int overlapped = 0, more_than_one = 0;
    for (int i = 0; i < kPrograms; ++i) {
        const Program p = programs.any(i % 2 == 0 ? 0.0 : 0.5);
        const int window = programs.from(1, 200);
        const double takes = time_in_window(p.instructions, static_cast<std::size_t>(window));
        const double bound = counted(window, p.batches, p.steps, p.steps * p.chains);
        REQUIRE(bound <= takes * kRounding);
        overlapped += takes < p.batches * p.steps ? 1 : 0;
        more_than_one += bound > p.steps * kRounding ? 1 : 0;
    }
    CHECK(overlapped > kPrograms / 10);
    CHECK(more_than_one > kPrograms / 3);
}

TEST_CASE("a count that is too high would be seen") {
    Programs programs(2);
    int without_window = 0, half_window = 0, all_instructions = 0;
    for (int i = 0; i < kPrograms; ++i) {
        const Program p = programs.any(0.0);
        const int window = programs.from(1, 200);
        const double takes = time_in_window(p.instructions, static_cast<std::size_t>(window)) * kRounding;
        // Nothing overlaps; half the window; instructions that are no steps, which a compiler may put
        // anywhere.
        without_window += p.batches * p.steps > takes ? 1 : 0;
        half_window += counted(window / 2.0, p.batches, p.steps, p.steps * p.chains) > takes ? 1 : 0;
        all_instructions += counted(window, p.batches, p.steps, p.least) > takes ? 1 : 0;
    }
    CHECK(without_window > 0);
    CHECK(half_window > 0);
    CHECK(all_instructions > 0);
}

TEST_CASE("what is counted is nearly what chains in turn take") {
    // One step of each in turn, nothing else: the window's share is the only thing that overlaps.
    for (const int chains : {1, 4, 12}) {
        for (const int window : {5 * chains, 20 * chains}) {
            constexpr int kBatches = 6, kSteps = 100;
            std::vector<Instruction> program;
            for (int b = 0; b < kBatches; ++b) {
                const int first = static_cast<int>(program.size());
                for (int i = 0; i < kSteps * chains; ++i)
                    program.push_back({i < chains ? -1 : first + i - chains, 1.0});
            }
            const double takes = time_in_window(program, static_cast<std::size_t>(window));
            const double bound = counted(window, kBatches, kSteps, kSteps * chains);
            INFO(chains << " chains, window " << window);
            CHECK(bound <= takes * kRounding);
            CHECK(bound > 0.9 * takes);
        }
    }
}
