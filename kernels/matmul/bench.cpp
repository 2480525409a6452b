#include "kernels/matmul/bench.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "kernels/matmul/fill.h"
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
    MatmulPrepared(const MatmulProblem& problem, const Choice& choice, Isa isa, Team& team)
        : problem_(problem),
          pages_(choice.huge_pages ? Pages::huge : Pages::small),
          a_(bytes(problem.m(), problem.k()), pages_),
          b_(bytes(problem.k(), problem.n()), pages_),
          c_(bytes(problem.m(), problem.n()), pages_),
          product_(problem, choice, isa, team),
          threads_(choice.threads),
          team_(&team) {
        reset(0);
        a_.arm();
        b_.arm();
        c_.arm();
    }

    void run() override { product_.run(a_.as<T>(), b_.as<T>(), c_.as<T>()); }

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
        return a_.intact() && b_.intact() && c_.intact() && product_.intact();
    }

    void flush() override {
        for (const Buffer* buffer : {&a_, &b_, &c_}) flush_lines(buffer->data(), buffer->bytes());
        product_.flush();
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
