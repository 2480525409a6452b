#include "kernels/spmv/bench.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <limits>
#include <map>
#include <string>

#include "kernels/runtime/error.h"
#include "kernels/spmv/oracle.h"
#include "kernels/spmv/placed_matrix.h"

namespace rooftune::spmv {
namespace {

constexpr std::size_t kKeptMatrices = 3;
/// A block column at the right edge may reach this far beyond x.
constexpr std::size_t kOverhang = 8;

/// One thread's walks, on cache lines of its own.
struct alignas(64) ThreadWalks {
    Walk walks[kMaxStreams];
    int count = 0;
};

class SpmvPrepared final : public Prepared {
public:
    SpmvPrepared(std::shared_ptr<const PlacedMatrix> matrix, double conversion_seconds, std::int64_t cols,
                 DType dtype, const Choice& choice, const std::vector<std::int64_t>& cuts, Kernel kernel,
                 Team& team)
        : matrix_(std::move(matrix)),
          conversion_seconds_(conversion_seconds),
          dtype_(dtype),
          cols_(static_cast<std::size_t>(cols)),
          rows_(static_cast<std::size_t>(matrix_->layout().rows)),
          x_((cols_ + kOverhang) * size_of(dtype)),
          y_(rows_ * size_of(dtype)),
          walks_(static_cast<std::size_t>(choice.threads)),
          kernel_(kernel),
          arguments_(matrix_->arguments()),
          team_(&team) {
        arguments_.x = x_.data();
        arguments_.y = y_.data();
        arguments_.prefetch = choice.prefetch;
        for (std::size_t t = 0; t < walks_.size(); ++t) {
            const std::vector<Walk> walks = walks_of(matrix_->layout(), cuts[t], cuts[t + 1], choice.streams);
            std::copy(walks.begin(), walks.end(), walks_[t].walks);
            walks_[t].count = static_cast<int>(walks.size());
        }
        touch_pages(x_, choice.placement, team);
        touch_pages(y_, choice.placement, team);
        reset(0);
        x_.arm();
        y_.arm();
    }

    void run() override { team_->run(static_cast<int>(walks_.size()), &SpmvPrepared::body, this); }

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

    bool guards_intact() const override { return x_.intact() && y_.intact() && matrix_->intact(); }

    void flush() override {
        matrix_->flush();
        flush_lines(x_.data(), x_.bytes());
        flush_lines(y_.data(), y_.bytes());
    }

private:
    static void body(void* context, int thread) {
        const auto& self = *static_cast<const SpmvPrepared*>(context);
        const ThreadWalks& mine = self.walks_[static_cast<std::size_t>(thread)];
        if (mine.count > 0) self.kernel_(self.arguments_, mine.walks, mine.count);
    }

    /// Slices of x and y by the threads that run: on the first call this places the pages.
    template <typename T>
    void reset_as(std::uint64_t seed) {
        const std::size_t threads = walks_.size();
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

    std::shared_ptr<const PlacedMatrix> matrix_;
    double conversion_seconds_;
    DType dtype_;
    std::size_t cols_;
    std::size_t rows_;
    Buffer x_;
    Buffer y_;
    std::vector<ThreadWalks> walks_;
    Kernel kernel_;
    KernelArguments arguments_;
    Team* team_;
};

class SpmvBench final : public Bench {
public:
    SpmvBench(const CsrView& matrix, DType dtype, const Space& space, const Target& target)
        : matrix_(matrix),
          dtype_(dtype),
          space_(&space),
          target_(target),
          naive_(naive_variant(space, target)) {}

    std::unique_ptr<Prepared> prepare(const Variant& variant, Team& team) override {
        const Choice choice = decode(*space_, variant, dtype_);
        if (choice.threads > team.size()) {
            throw EnvironmentError("the variant wants " + std::to_string(choice.threads) +
                                   " threads and the team has " + std::to_string(team.size()) +
                                   "; run with --threads " + std::to_string(choice.threads));
        }
        const Kept& kept = place(choice, team);
        const std::shared_ptr<const PlacedMatrix>& placed = kept.matrix;
        const std::vector<std::int64_t> cuts =
            split_groups(placed->layout(), choice.threads, choice.partition);
        return std::make_unique<SpmvPrepared>(placed, kept.seconds, matrix_.cols, dtype_, choice, cuts,
                                              kernel(variant, choice), team);
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
        const bool by_owner = target_.numa_nodes > 1 && choice.placement == Placement::owner;
        if (by_owner) {
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
        Owners owners{choice.placement, by_owner ? choice.threads : team.size(), {}};
        Layout layout = make_layout(matrix_, choice.format);
        owners.cuts = split_groups(layout, owners.threads, by_owner ? choice.partition : Partition::nnz);
        auto placed = std::make_shared<const PlacedMatrix>(matrix_, std::move(layout), dtype_, owners, team);
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        kept_.push_front({key, std::move(placed), taken.count()});
        return kept_.front();
    }

    Kernel kernel(const Variant& variant, const Choice& choice) const {
        if (variant == naive_) return naive_kernel(dtype_);
        const KernelKey key{choice.format.format,     dtype_,       choice.format.block,
                            choice.format.index_bits, choice.lanes, choice.unroll};
        const Kernel found = find_kernel(choose_isa(target_.width_bits), key);
        if (!found) throw std::logic_error("spmv: no kernel for " + space_->to_text(variant));
        return found;
    }

    CsrView matrix_;
    DType dtype_;
    const Space* space_;
    Target target_;
    Variant naive_;
    std::deque<Kept> kept_;
    std::map<std::uint64_t, Oracle> oracles_;
};

}  // namespace

std::unique_ptr<Bench> make_bench(const CsrView& matrix, DType dtype, const Space& space,
                                  const Target& target) {
    return std::make_unique<SpmvBench>(matrix, dtype, space, target);
}

}  // namespace rooftune::spmv
