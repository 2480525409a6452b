#include "kernels/spmv/bench.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <limits>
#include <map>
#include <string>

#include "kernels/spmv/oracle.h"
#include "kernels/spmv/placed_matrix.h"
#include "kernels/spmv/product.h"

namespace rooftune::spmv {
namespace {

constexpr std::size_t kKeptMatrices = 3;
/// A block column at the right edge may reach this far beyond x.
constexpr std::size_t kOverhang = 8;

class SpmvPrepared final : public Prepared {
public:
    SpmvPrepared(std::shared_ptr<const PlacedMatrix> matrix, double conversion_seconds, std::int64_t cols,
                 DType dtype, const Choice& choice, Kernel kernel, Team& team)
        : conversion_seconds_(conversion_seconds),
          dtype_(dtype),
          cols_(static_cast<std::size_t>(cols)),
          rows_(static_cast<std::size_t>(matrix->layout().rows)),
          x_((cols_ + kOverhang) * size_of(dtype)),
          y_(rows_ * size_of(dtype)),
          product_(std::move(matrix), choice, kernel, team),
          team_(&team) {
        touch_pages(x_, choice.placement, team);
        touch_pages(y_, choice.placement, team);
        reset(0);
        x_.arm();
        y_.arm();
    }

    void run() override { product_.run(x_.data(), y_.data()); }

    void reset(std::uint64_t seed) override {
        if (dtype_ == DType::f64) {
            reset_as<double>(seed);
        } else {
            reset_as<float>(seed);
        }
    }

    std::vector<double> output() const override {
        if (dtype_ == DType::f64) return {y_.as<double>(), y_.as<double>() + rows_};
        return {y_.as<float>(), y_.as<float>() + rows_};
    }

    double shared_preparation_seconds() const override { return conversion_seconds_; }

    bool guards_intact() const override { return x_.intact() && y_.intact() && product_.matrix().intact(); }

    void flush() override {
        product_.flush();
        flush_lines(x_.data(), x_.bytes());
        flush_lines(y_.data(), y_.bytes());
    }

private:
    /// Slices of x and y by the threads that run: on the first call this places the pages.
    template <typename T>
    void reset_as(std::uint64_t seed) {
        const auto threads = static_cast<std::size_t>(product_.threads());
        team_->run(static_cast<int>(threads), [&](int thread) {
            const auto t = static_cast<std::size_t>(thread);
            for (std::size_t j = cols_ * t / threads; j < cols_ * (t + 1) / threads; ++j) {
                x_.as<T>()[j] = static_cast<T>(input_element(seed, static_cast<std::int64_t>(j)));
            }
            std::fill(y_.as<T>() + rows_ * t / threads, y_.as<T>() + rows_ * (t + 1) / threads,
                      std::numeric_limits<T>::quiet_NaN());
        });
        std::fill_n(x_.as<T>() + cols_, kOverhang, T{0});
    }

    double conversion_seconds_;
    DType dtype_;
    std::size_t cols_;
    std::size_t rows_;
    Buffer x_;
    Buffer y_;
    Product product_;
    Team* team_;
};

class SpmvBench final : public Bench {
public:
    SpmvBench(const CsrView& matrix, DType dtype, const Space& space, const Target& target)
        : matrix_(matrix), dtype_(dtype), space_(&space), target_(target) {}

    std::unique_ptr<Prepared> prepare(const Variant& variant, Team& team) override {
        const Choice choice = decode(*space_, variant, dtype_);
        team.check_has(choice.threads);
        const Kept& kept = place(choice, team);
        const Kernel kernel = kernel_of(*space_, variant, target_, dtype_);
        return std::make_unique<SpmvPrepared>(kept.matrix, kept.seconds, matrix_.cols, dtype_, choice, kernel,
                                              team);
    }

    const Oracle& oracle(std::uint64_t seed) override {
        const auto it = oracles_.find(seed);
        if (it != oracles_.end()) return it->second;
        return oracles_.emplace(seed, make_oracle(matrix_, dtype_, seed)).first->second;
    }

private:
    /// What decides a converted matrix and where it lies. On one node every page is as near as any
    /// other, so the threads that share it out do not matter.
    struct PlaceKey {
        FormatKey format;
        Placement placement = Placement::owner;
        int threads = 0;
        Partition partition = Partition::rows;
        auto operator<=>(const PlaceKey&) const = default;
    };

    struct Kept {
        PlaceKey key;
        std::shared_ptr<const PlacedMatrix> matrix;
        double seconds = 0.0;  ///< that the conversion took
    };

    const Kept& place(const Choice& choice, Team& team) {
        PlaceKey key{choice.format, choice.placement, 0, Partition::rows};
        if (owners_matter(choice, target_.numa_nodes)) {
            key.threads = choice.threads;
            key.partition = choice.partition;
        }
        const auto it = std::find_if(kept_.begin(), kept_.end(), [&](const auto& k) { return k.key == key; });
        if (it != kept_.end()) {
            std::rotate(kept_.begin(), it, it + 1);
            return kept_.front();
        }
        // Drop the oldest before the new one is made: memory must not hold one more than we keep.
        while (kept_.size() >= kKeptMatrices) kept_.pop_back();
        const auto start = std::chrono::steady_clock::now();
        auto placed = place_matrix(matrix_, dtype_, choice, target_.numa_nodes, team);
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        kept_.push_front({key, std::move(placed), taken.count()});
        return kept_.front();
    }

    CsrView matrix_;
    DType dtype_;
    const Space* space_;
    Target target_;
    std::deque<Kept> kept_;
    std::map<std::uint64_t, Oracle> oracles_;
};

}  // namespace

std::unique_ptr<Bench> make_bench(const CsrView& matrix, DType dtype, const Space& space,
                                  const Target& target) {
    return std::make_unique<SpmvBench>(matrix, dtype, space, target);
}

}  // namespace rooftune::spmv
