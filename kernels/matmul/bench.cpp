#include "kernels/matmul/bench.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "kernels/matmul/engine.h"
#include "kernels/matmul/fill.h"
#include "kernels/matmul/naive.h"
#include "kernels/matmul/oracle.h"
#include "kernels/runtime/error.h"
#include "kernels/runtime/isa.h"

namespace rooftune::matmul {
namespace {

Plan plan_of(const MatmulProblem& problem, const Choice& choice, Isa isa) {
    Plan plan;
    plan.grid = choice.grid;
    plan.mr = choice.tile.mr;
    plan.nr = choice.nr;
    plan.mc = choice.mc;
    plan.nc = choice.nc;
    plan.kc = choice.kc;
    plan.pack_a = choice.pack_a;
    plan.pack_b = choice.pack_b;
    plan.a_outer = choice.a_outer;
    plan.ahead = choice.ahead;
    plan.prefetch_c = choice.prefetch_c;
    plan.pages = choice.huge_pages ? Pages::huge : Pages::small;

    const auto kernel = [&](int mr, RowsOfA rows) {
        const auto tiles = tiles_of(problem.dtype(), choice.width_bits);
        const auto shape = std::find_if(tiles.begin(), tiles.end(), [&](const TileShape& t) {
            return t.mr == mr && t.vectors == choice.tile.vectors;
        });
        const int most = shape == tiles.end() ? 1 : shape->most_unroll;
        const TileKey key{
            problem.dtype(), choice.lanes, mr, choice.tile.vectors, std::min(choice.unroll, most), rows};
        const TileKernel found = find_tile_kernel(isa, key);
        if (!found) throw std::logic_error("matmul: no tile kernel of " + std::to_string(mr) + " rows");
        return found;
    };
    const bool unit = choice.pack_a || problem.transpose_a();
    plan.tile = kernel(choice.tile.mr, unit ? RowsOfA::unit : RowsOfA::strided);
    plan.short_tile.resize(static_cast<std::size_t>(choice.tile.mr));
    plan.short_height.resize(static_cast<std::size_t>(choice.tile.mr));
    for (int rows = 1; rows < choice.tile.mr; ++rows) {
        const int height = height_for(tiles_of(problem.dtype(), choice.width_bits), choice.tile, rows);
        plan.short_height[static_cast<std::size_t>(rows)] = height;
        plan.short_tile[static_cast<std::size_t>(rows)] = kernel(height, RowsOfA::unit);
    }
    plan.packers = find_packers(isa, problem.dtype());
    return plan;
}

/// Comparing in place needs no element type.
class InPlace : public Prepared {
public:
    virtual Worst worst(const Oracle& oracle, std::size_t begin, std::size_t end) const = 0;
};

template <typename T>
class MatmulPrepared final : public InPlace {
public:
    MatmulPrepared(const MatmulProblem& problem, const Choice& choice, Isa isa, Team& team)
        : problem_(problem),
          pages_(choice.huge_pages ? Pages::huge : Pages::small),
          a_(bytes(problem.m(), problem.k()), pages_),
          b_(bytes(problem.k(), problem.n()), pages_),
          c_(bytes(problem.m(), problem.n()), pages_),
          threads_(choice.threads),
          team_(&team) {
        if (!choice.naive) {
            engine_ = std::make_unique<Engine<T>>(problem_, plan_of(problem, choice, isa), a_.as<T>(),
                                                  b_.as<T>(), c_.as<T>());
            team.run(threads_, [&](int thread) { engine_->touch(thread); });
            engine_->arm();
        }
        reset(0);
        a_.arm();
        b_.arm();
        c_.arm();
    }

    void run() override {
        if (engine_) {
            team_->run(
                threads_, [](void* engine, int t) { static_cast<Engine<T>*>(engine)->run(t); },
                engine_.get());
            return;
        }
        team_->run(threads_, [this](int thread) {
            const Range rows = part(problem_.m(), threads_, thread);
            naive_rows(problem_, a_.as<T>(), b_.as<T>(), c_.as<T>(), rows.begin, rows.end);
        });
    }

    /// Slices by the threads that run: on the first call this places the pages. With beta other than 0
    /// each run() goes on from the C of the one before.
    void reset(std::uint64_t seed) override {
        team_->run(threads_, [&](int thread) {
            const auto fill = [&](Operand operand, const Buffer& buffer) {
                const auto count = static_cast<std::int64_t>(buffer.bytes() / sizeof(T));
                const Range mine = part(count, threads_, thread);
                fill_slice(buffer.as<T>(), operand, seed, mine.begin, mine.end);
            };
            fill(Operand::a, a_);
            fill(Operand::b, b_);
            if (problem_.beta() != 0.0) {
                fill(Operand::c, c_);
                return;
            }
            const Range mine = part(problem_.m() * problem_.n(), threads_, thread);
            std::fill(c_.as<T>() + mine.begin, c_.as<T>() + mine.end, std::numeric_limits<T>::quiet_NaN());
        });
    }

    std::vector<double> output() const override {
        return {c_.as<T>(), c_.as<T>() + problem_.m() * problem_.n()};
    }

    bool guards_intact() const override {
        return a_.intact() && b_.intact() && c_.intact() && (!engine_ || engine_->intact());
    }

    void flush() override {
        for (const Buffer* buffer : {&a_, &b_, &c_}) flush_lines(buffer->data(), buffer->bytes());
        if (engine_) engine_->flush();
    }

    Worst worst(const Oracle& oracle, std::size_t begin, std::size_t end) const override {
        return worst_of(c_.as<T>(), oracle, begin, end);
    }

private:
    static std::size_t bytes(std::int64_t rows, std::int64_t columns) {
        return static_cast<std::size_t>(rows * columns) * sizeof(T);
    }

    MatmulProblem problem_;
    Pages pages_;
    Buffer a_, b_, c_;
    int threads_;
    Team* team_;
    std::unique_ptr<Engine<T>> engine_;  ///< none for the naive loops
};

class MatmulBench final : public Bench {
public:
    MatmulBench(const MatmulProblem& problem, const Space& space, const Target& target)
        : problem_(problem), space_(&space), target_(target), oracles_(problem) {}

    std::unique_ptr<Prepared> prepare(const Variant& variant, Team& team) override {
        const Choice choice = decode(*space_, variant, problem_);
        if (choice.threads > team.size()) {
            throw EnvironmentError("the variant wants " + std::to_string(choice.threads) +
                                   " threads and the team has " + std::to_string(team.size()) +
                                   "; run with --threads " + std::to_string(choice.threads));
        }
        const Isa isa = choose_isa(target_.width_bits);
        if (problem_.dtype() == DType::f64)
            return std::make_unique<MatmulPrepared<double>>(problem_, choice, isa, team);
        return std::make_unique<MatmulPrepared<float>>(problem_, choice, isa, team);
    }

    const Oracle& oracle(std::uint64_t seed) override { return oracles_.at(seed); }

    std::optional<Worst> compare(const Prepared& prepared, std::uint64_t seed, Team& team) override {
        const auto* in_place = dynamic_cast<const InPlace*>(&prepared);
        if (!in_place) return std::nullopt;
        const Oracle& expected = oracle(seed);
        std::vector<Worst> worst(static_cast<std::size_t>(team.size()));
        team.run(team.size(), [&](int thread) {
            const Range mine = part(static_cast<std::int64_t>(expected.expected.size()), team.size(), thread);
            worst[static_cast<std::size_t>(thread)] = in_place->worst(
                expected, static_cast<std::size_t>(mine.begin), static_cast<std::size_t>(mine.end));
        });
        // A thread without elements reports an error of 0 at element 0, which never wins over one that has.
        Worst most = worst.back();
        for (const Worst& w : worst) {
            if (w.error > most.error) most = w;
        }
        return most;
    }

private:
    MatmulProblem problem_;
    const Space* space_;
    Target target_;
    Oracles oracles_;
};

}  // namespace

std::unique_ptr<Bench> make_bench(const MatmulProblem& problem, const Space& space, const Target& target) {
    return std::make_unique<MatmulBench>(problem, space, target);
}

}  // namespace rooftune::matmul
