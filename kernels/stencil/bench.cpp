#include "kernels/stencil/bench.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <stdexcept>
#include <string>

#include "kernels/stencil/arrays.h"
#include "kernels/stencil/furthest.h"
#include "kernels/stencil/oracle.h"
#include "kernels/stencil/stepper.h"

namespace rooftune::stencil {
namespace {

constexpr std::int64_t kKeptBytes = std::int64_t{1} << 30;  ///< of arrays, beyond those of one layout
constexpr std::size_t kKeptOracles = 3;

class StencilPrepared final : public Prepared {
public:
    StencilPrepared(const Grid& grid, const Coefficients& coefficients, const Choice& choice,
                    const Kernels& kernels, std::shared_ptr<Arrays> arrays, Team& team)
        : grid_(grid),
          arrays_(std::move(arrays)),
          stepper_(grid, coefficients, choice, kernels, arrays_->layout(), AfterLast::left_open, team),
          team_(&team) {
        if (stepper_.passes() > 1) between_ = arrays_->between(team).data();
    }

    void run() override {
        if (!input_) reset(0);
        stepper_.run(input_, between_, arrays_->output().data());
    }

    void reset(std::uint64_t seed) override {
        input_ = arrays_->input(seed, *team_).data();
        arrays_->poison(*team_);
        stepper_.poison();
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
        return stepper_.intact() && arrays_->intact(stepper_.passes() > 1, *team_);
    }

    void flush() override {
        arrays_->flush();
        stepper_.flush();
    }

    /// The furthest element of the answer from `oracle`.
    Worst worst(const Oracle& oracle) const {
        std::vector<Worst> found(static_cast<std::size_t>(team_->size()));
        team_->run(team_->size(), [&](int t) {
            const Range planes = share_of(grid_.nz, t, team_->size());
            Furthest furthest(oracle.tolerance[0]);
            rows_of(planes, [&](const auto* row, std::size_t first) {
                for (std::size_t x = 0; x < static_cast<std::size_t>(grid_.nx); ++x)
                    furthest.look(static_cast<double>(row[x]), oracle.expected[first + x], first + x);
            });
            found[static_cast<std::size_t>(t)] = furthest.worst();
        });
        return *std::max_element(found.begin(), found.end(),
                                 [](const Worst& a, const Worst& b) { return a.error < b.error; });
    }

private:
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
    std::shared_ptr<Arrays> arrays_;
    Stepper stepper_;
    const std::byte* input_ = nullptr;
    std::byte* between_ = nullptr;
    Team* team_;
};

class StencilBench final : public Bench {
public:
    StencilBench(const Grid& grid, const Coefficients& coefficients, const Space& space, const Target& target)
        : grid_(grid), coefficients_(coefficients), space_(&space), target_(target) {}

    std::unique_ptr<Prepared> prepare(const Variant& variant, Team& team) override {
        const Choice choice = decode(*space_, variant, grid_);
        team.check_has(choice.cut.threads);
        team_ = &team;
        return std::make_unique<StencilPrepared>(grid_, coefficients_, choice,
                                                 kernels_of(grid_, choice, choose_isa(target_.width_bits)),
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
        const ArrayKey key = array_key(choice, target_.numa_nodes, team.size());
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
