#include "kernels/matmul/bench.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "kernels/matmul/fill.h"
#include "kernels/matmul/operands.h"
#include "kernels/matmul/oracle.h"
#include "kernels/matmul/product.h"

namespace rooftune::matmul {
namespace {

/// Comparing in place needs no element type.
class InPlace : public Prepared {
public:
    virtual Worst worst(const Oracle& oracle, std::size_t begin, std::size_t end) const = 0;
};

template <typename T>
class MatmulPrepared final : public InPlace {
public:
    MatmulPrepared(const MatmulProblem& problem, const Choice& choice, Isa isa,
                   std::shared_ptr<Operands> operands, Team& team)
        : problem_(problem),
          operands_(std::move(operands)),
          c_(static_cast<std::size_t>(problem.m() * problem.n()) * sizeof(T),
             choice.huge_pages ? Pages::huge : Pages::small),
          product_(problem, choice, isa, team),
          threads_(choice.threads),
          team_(&team) {
        fill_c(0);
        c_.arm();
    }

    void run() override {
        if (!input_) reset(0);
        product_.run(input_->a.template as<T>(), input_->b.template as<T>(), c_.as<T>());
    }

    /// With beta other than 0 each run() goes on from the C of the one before.
    void reset(std::uint64_t seed) override {
        input_ = &operands_->input(seed, *team_);
        fill_c(seed);
    }

    std::vector<double> output() const override {
        return {c_.as<T>(), c_.as<T>() + problem_.m() * problem_.n()};
    }

    bool guards_intact() const override {
        return c_.intact() && product_.intact() && (!input_ || operands_->intact(*input_, *team_));
    }

    void flush() override {
        if (input_) Operands::flush(*input_);
        flush_lines(c_.data(), c_.bytes());
        product_.flush();
    }

    Worst worst(const Oracle& oracle, std::size_t begin, std::size_t end) const override {
        return worst_of(c_.as<T>(), oracle, begin, end);
    }

private:
    /// By the threads that run, each its part: on the first call this places the pages.
    void fill_c(std::uint64_t seed) {
        team_->run(threads_, [&](int thread) {
            const Range mine = part(problem_.m() * problem_.n(), threads_, thread);
            if (problem_.beta() != 0.0) {
                fill_slice(c_.as<T>(), Operand::c, seed, mine.begin, mine.end);
            } else {
                std::fill(c_.as<T>() + mine.begin, c_.as<T>() + mine.end,
                          std::numeric_limits<T>::quiet_NaN());
            }
        });
    }

    MatmulProblem problem_;
    std::shared_ptr<Operands> operands_;
    const Input* input_ = nullptr;
    Buffer c_;
    Product<T> product_;
    int threads_;
    Team* team_;
};

class MatmulBench final : public Bench {
public:
    MatmulBench(const MatmulProblem& problem, const Space& space, const Target& target)
        : problem_(problem), space_(&space), target_(target), oracles_(problem) {}

    std::unique_ptr<Prepared> prepare(const Variant& variant, Team& team) override {
        const Choice choice = decode(*space_, variant, problem_);
        const Isa isa = choose_isa(target_.width_bits);
        if (problem_.dtype() == DType::f64)
            return std::make_unique<MatmulPrepared<double>>(problem_, choice, isa, operands(choice, team),
                                                            team);
        return std::make_unique<MatmulPrepared<float>>(problem_, choice, isa, operands(choice, team), team);
    }

    const Oracle& oracle(std::uint64_t seed) override { return oracles_.at(seed, nullptr); }

    std::optional<Worst> compare(const Prepared& prepared, std::uint64_t seed, Team& team) override {
        const auto* in_place = dynamic_cast<const InPlace*>(&prepared);
        if (!in_place) return std::nullopt;
        const Oracle& expected = oracles_.at(seed, &team);
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
    /// Those of this key, which any number of variants may read at once, or new ones.
    std::shared_ptr<Operands> operands(const Choice& choice, const Team& team) {
        constexpr std::size_t kKept = 2;
        const OperandKey key{choice.huge_pages ? Pages::huge : Pages::small,
                             target_.numa_nodes > 1 ? choice.threads : team.size()};
        std::erase_if(live_, [](const auto& one) { return one.expired(); });
        std::shared_ptr<Operands> found;
        for (const std::weak_ptr<Operands>& one : live_) {
            if (const auto live = one.lock(); live && live->key() == key) found = live;
        }
        std::erase(kept_, found);
        // The oldest goes before new ones are made, unless a variant still needs it.
        if (kept_.size() == kKept) kept_.pop_back();
        if (!found) {
            found = std::make_shared<Operands>(problem_, key);
            live_.push_back(found);
        }
        kept_.push_front(found);
        return found;
    }

    MatmulProblem problem_;
    const Space* space_;
    Target target_;
    Oracles oracles_;
    std::vector<std::weak_ptr<Operands>> live_;
    std::deque<std::shared_ptr<Operands>>
        kept_;  ///< those that stay while no variant has them; the last used first
};

}  // namespace

std::unique_ptr<Bench> make_bench(const MatmulProblem& problem, const Space& space, const Target& target) {
    return std::make_unique<MatmulBench>(problem, space, target);
}

}  // namespace rooftune::matmul
