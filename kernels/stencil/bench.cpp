#include "kernels/stencil/bench.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <stdexcept>
#include <string>

#include "kernels/runtime/error.h"
#include "kernels/stencil/arrays.h"
#include "kernels/stencil/oracle.h"
#include "kernels/stencil/sweep.h"

namespace rooftune::stencil {
namespace {

constexpr std::int64_t kKeptBytes = std::int64_t{1} << 30;  ///< of arrays, beyond those of one layout
constexpr std::size_t kKeptOracles = 3;

class StencilPrepared final : public Prepared {
public:
    StencilPrepared(const Grid& grid, const Coefficients& coefficients, const Choice& choice,
                    const Kernels& kernels, std::shared_ptr<Arrays> arrays, Team& team)
        : grid_(grid), coefficients_(coefficients), arrays_(std::move(arrays)), team_(&team) {
        for (int t = 0; t < choice.cut.threads; ++t) {
            blocks_.push_back(blocks_of(grid_, choice.cut, t));
            const std::int64_t scratch =
                scratch_bytes(grid_, arrays_->layout(), choice.depth, choice.cut.block_y);
            if (scratch > 0) scratch_.emplace_back(static_cast<std::size_t>(scratch), choice.pages);
        }
        Pass pass;
        pass.grid = &grid_;
        pass.layout = &arrays_->layout();
        pass.coefficients = coefficients_.data();
        pass.streams = choice.streams;
        pass.prefetch = choice.prefetch;
        pass.kernels = kernels;
        pass.fence = choice.store == Store::nontemporal;
        const std::int64_t passes = blocks_in(grid_.steps, choice.depth);
        for (std::int64_t p = 0; p < passes; ++p) {
            pass.depth =
                static_cast<int>(std::min<std::int64_t>(choice.depth, grid_.steps - p * choice.depth));
            pass.last = p + 1 == passes;
            // Backwards from the answer, the two arrays take turns; the input is never written.
            pass.to = (passes - 1 - p) % 2 == 0 ? arrays_->output().data() : arrays_->between(team).data();
            passes_.push_back(pass);
            pass.from = pass.to;
        }
        for (Buffer& scratch : scratch_) scratch.arm();
    }

    void run() override {
        if (!passes_.front().from) reset(0);
        for (const Pass& pass : passes_) {
            now_ = &pass;
            team_->run(static_cast<int>(blocks_.size()), &StencilPrepared::body, this);
        }
    }

    void reset(std::uint64_t seed) override {
        use_input(seed);
        arrays_->poison(*team_);
        if (scratch_.empty()) return;
        team_->run(static_cast<int>(scratch_.size()), [&](int t) {
            const Buffer& scratch = scratch_[static_cast<std::size_t>(t)];
            std::memset(scratch.data(), 0xFF, scratch.bytes());
        });
    }

    std::vector<double> output() const override {
        std::vector<double> values(static_cast<std::size_t>(grid_.volume()));
        each_row([&](const auto* row, std::size_t first) {
            for (std::size_t x = 0; x < static_cast<std::size_t>(grid_.nx); ++x)
                values[first + x] = static_cast<double>(row[x]);
        });
        return values;
    }

    bool guards_intact() const override {
        const auto holds = [](const Buffer& b) { return b.intact(); };
        return std::all_of(scratch_.begin(), scratch_.end(), holds) &&
               arrays_->intact(passes_.size() > 1, *team_);
    }

    void flush() override {
        arrays_->flush();
        for (const Buffer& scratch : scratch_) flush_lines(scratch.data(), scratch.bytes());
    }

    /// The furthest element of the answer from `oracle`.
    Worst worst(const Oracle& oracle) const {
        std::vector<Worst> found(static_cast<std::size_t>(team_->size()));
        team_->run(team_->size(), [&](int t) {
            const Range planes = share_of(grid_.nz, t, team_->size());
            Worst worst;
            double most = -1.0;  // largest difference so far: what is not above it needs no second look
            rows_of(planes, [&](const auto* row, std::size_t first) {
                for (std::size_t x = 0; x < static_cast<std::size_t>(grid_.nx); ++x) {
                    const double expected = oracle.expected[first + x];
                    const auto value = static_cast<double>(row[x]);
                    const double difference = value < expected ? expected - value : value - expected;
                    if (difference <= most) continue;
                    const double error = error_of(value, expected, oracle.tolerance[0]);
                    if (most >= 0.0 && !(error > worst.error)) continue;
                    most = difference;
                    worst = {error, first + x, expected, oracle.tolerance[0], value};
                }
            });
            found[static_cast<std::size_t>(t)] = worst;
        });
        return *std::max_element(found.begin(), found.end(),
                                 [](const Worst& a, const Worst& b) { return a.error < b.error; });
    }

private:
    static void body(void* context, int thread) {
        auto& self = *static_cast<StencilPrepared*>(context);
        const auto t = static_cast<std::size_t>(thread);
        sweep(*self.now_, self.blocks_[t], self.scratch_.empty() ? nullptr : self.scratch_[t].data());
    }

    void use_input(std::uint64_t seed) {
        const std::byte* input = arrays_->input(seed, *team_).data();
        for (Pass& pass : passes_) pass.given = input;
        passes_.front().from = input;
    }

    /// Visits the answer's rows with the number of their first element.
    template <typename Visit>
    void rows_of(const Range& planes, Visit&& visit) const {
        for (std::int64_t z = planes.begin; z < planes.end; ++z) {
            for (std::int64_t y = 0; y < grid_.ny; ++y) {
                const std::byte* row = arrays_->output().data() + arrays_->layout().at(y, z);
                const auto first = static_cast<std::size_t>((z * grid_.ny + y) * grid_.nx);
                if (grid_.dtype == DType::f64) {
                    visit(reinterpret_cast<const double*>(row), first);
                } else {
                    visit(reinterpret_cast<const float*>(row), first);
                }
            }
        }
    }
    template <typename Visit>
    void each_row(Visit&& visit) const {
        rows_of({0, grid_.nz}, visit);
    }

    Grid grid_;
    Coefficients coefficients_;
    std::shared_ptr<Arrays> arrays_;
    std::vector<std::vector<Block>> blocks_;
    std::vector<Buffer> scratch_;
    std::vector<Pass> passes_;
    const Pass* now_ = nullptr;
    Team* team_;
};

class StencilBench final : public Bench {
public:
    StencilBench(const Grid& grid, const Coefficients& coefficients, const Space& space, const Target& target)
        : grid_(grid), coefficients_(coefficients), space_(&space), target_(target) {}

    std::unique_ptr<Prepared> prepare(const Variant& variant, Team& team) override {
        const Choice choice = decode(*space_, variant, grid_);
        if (choice.cut.threads > team.size()) {
            throw EnvironmentError("the variant wants " + std::to_string(choice.cut.threads) +
                                   " threads and the team has " + std::to_string(team.size()) +
                                   "; run with --threads " + std::to_string(choice.cut.threads));
        }
        team_ = &team;
        return std::make_unique<StencilPrepared>(grid_, coefficients_, choice, kernels(variant, choice),
                                                 arrays(choice, team), team);
    }

    const Oracle& oracle(std::uint64_t seed) override {
        const auto it = std::find_if(oracles_.begin(), oracles_.end(),
                                     [&](const auto& known) { return known.first == seed; });
        if (it != oracles_.end()) return it->second;
        while (oracles_.size() >= kKeptOracles) oracles_.pop_front();
        oracles_.emplace_back(seed, make_oracle(grid_, seed, team_));
        return oracles_.back().second;
    }

    std::optional<Worst> compare(const Prepared& prepared, std::uint64_t seed, Team& team) override {
        team_ = &team;
        return dynamic_cast<const StencilPrepared&>(prepared).worst(oracle(seed));
    }

private:
    /// Arrays of this layout that no prepared variant holds, or new ones.
    std::shared_ptr<Arrays> arrays(const Choice& choice, Team& team) {
        ArrayKey key{choice.padding, choice.pages, choice.placement, team.size(), Partition::z};
        if (target_.numa_nodes > 1 && choice.placement == Placement::owner) {
            key.threads = choice.cut.threads;
            if (choice.cut.partition == Partition::y) key.partition = Partition::y;
        }
        const auto it = std::find_if(kept_.begin(), kept_.end(),
                                     [&](const auto& k) { return k->key() == key && k.use_count() == 1; });
        if (it != kept_.end()) {
            std::rotate(kept_.begin(), it, it + 1);
            return kept_.front();
        }
        // Drop the oldest before new ones are made: memory must not hold one set more than we keep.
        const std::int64_t each = layout_of(grid_, key.padding).bytes * (grid_.steps > 1 ? 3 : 2);
        while (!kept_.empty() && each * static_cast<std::int64_t>(kept_.size() + 1) > kKeptBytes)
            kept_.pop_back();
        kept_.push_front(std::make_shared<Arrays>(grid_, key, team));
        return kept_.front();
    }

    Kernels kernels(const Variant& variant, const Choice& choice) const {
        Kernels k;
        if (choice.plain) {
            k.bundle = k.single = k.scratch_bundle = k.scratch_single =
                plain_kernel(grid_.points, grid_.dtype);
            return k;
        }
        const Isa isa = choose_isa(target_.width_bits);
        const auto find = [&](RegisterBlock rows, int unroll, Store store) {
            const Kernel found =
                find_kernel(isa, {grid_.points, grid_.dtype, choice.lanes, rows, unroll, store});
            if (!found) throw std::logic_error("stencil: no kernel for " + space_->to_text(variant));
            return found;
        };
        k.block = choice.rows;
        k.bundle = find(choice.rows, choice.unroll, choice.store);
        k.single = find({1, 1}, choice.unroll, choice.store);
        k.scratch_bundle = find(choice.rows, choice.unroll, Store::regular);
        k.scratch_single = find({1, 1}, choice.unroll, Store::regular);
        return k;
    }

    Grid grid_;
    Coefficients coefficients_;
    const Space* space_;
    Target target_;
    Team* team_ = nullptr;  ///< of the last prepared variant
    std::deque<std::shared_ptr<Arrays>> kept_;
    std::deque<std::pair<std::uint64_t, Oracle>> oracles_;
};

}  // namespace

std::unique_ptr<Bench> make_bench(const Grid& grid, const Coefficients& coefficients, const Space& space,
                                  const Target& target) {
    return std::make_unique<StencilBench>(grid, coefficients, space, target);
}

}  // namespace rooftune::stencil
