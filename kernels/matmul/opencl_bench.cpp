#include "kernels/matmul/opencl_bench.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "kernels/matmul/fill.h"
#include "kernels/matmul/geometry.h"
#include "kernels/matmul/oracle.h"
#include "kernels/runtime/error.h"
#include "kernels/runtime/opencl_context.h"

namespace rooftune::matmul {
namespace {

constexpr unsigned char kCanary = 0xC5;
constexpr std::size_t kNaiveItems = 64;

std::size_t rounded_up(std::size_t size, std::size_t step) {
    return (size + step - 1) / step * step;
}

std::string whole(double number) {
    return std::to_string(static_cast<long long>(number));
}

opencl::Range range_of(const MatmulProblem& problem, const OpenclChoice& choice, const Device& device) {
    if (choice.naive) {
        const std::size_t items =
            std::min<std::size_t>(kNaiveItems, static_cast<std::size_t>(device.max_work_group));
        return {{rounded_up(static_cast<std::size_t>(problem.n()), items),
                 static_cast<std::size_t>(problem.m()), 1},
                {items, 1, 1}};
    }
    const OpenclTile& tile = choice.tile;
    const auto items = static_cast<std::size_t>(tile.items());
    auto first = static_cast<std::size_t>(tile.groups_across(problem.n()));
    auto second = static_cast<std::size_t>(tile.groups_down(problem.m()));
    if (tile.rows_first) std::swap(first, second);
    return {{first * items, second, 1}, {items, 1, 1}};
}

/// Comparing on the host needs no element type.
class OpenclInPlace : public Prepared {
public:
    virtual std::vector<Worst> worst(const Oracle& oracle, Team& team) const = 0;
};

template <typename T>
class OpenclPrepared final : public OpenclInPlace {
public:
    OpenclPrepared(const MatmulProblem& problem, const OpenclChoice& choice,
                   std::shared_ptr<opencl::Context> context, Team& team)
        : problem_(problem), context_(std::move(context)), team_(&team) {
        const Device& device = context_->device();
        if (!choice.naive && choice.tile.local_bytes() > device.local_memory.value) {
            throw VariantError(VariantError::Kind::resources,
                               "the variant wants " + whole(choice.tile.local_bytes()) +
                                   " bytes of local memory and the device has " +
                                   whole(device.local_memory.value));
        }
        const std::string source =
            choice.naive ? opencl_naive_source(problem.dtype(), problem.transpose_a(), problem.transpose_b())
                         : opencl_source(choice.tile);
        kernel_ = context_->kernel(source, "-cl-std=CL1.2", "product");
        range_ = range_of(problem, choice, device);
        a_ = context_->buffer(bytes(Operand::a));
        b_ = context_->buffer(bytes(Operand::b));
        c_ = context_->buffer(bytes(Operand::c) + 2 * kGuardBytes);
        kernel_.arguments(a_, b_, c_, cl_ulong{kGuardBytes / sizeof(T)}, static_cast<cl_int>(problem.m()),
                          static_cast<cl_int>(problem.n()), static_cast<cl_int>(problem.k()),
                          static_cast<T>(problem.alpha()), static_cast<T>(problem.beta()));
        reset(0);
    }

    /// A clock may be too coarse for the smallest problems.
    void run() override { seconds_ = std::max(1e-9, context_->run(kernel_, range_)); }

    std::optional<double> device_seconds() const override { return seconds_; }

    /// With beta other than 0 each run() goes on from the C of the one before.
    void reset(std::uint64_t seed) override {
        send(Operand::a, seed, a_, 0);
        send(Operand::b, seed, b_, 0);
        const std::vector<unsigned char> guard(kGuardBytes, kCanary);
        context_->write(c_, guard.data(), kGuardBytes, 0);
        context_->write(c_, guard.data(), kGuardBytes, kGuardBytes + bytes(Operand::c));
        if (problem_.beta() != 0.0) {
            send(Operand::c, seed, c_, kGuardBytes);
            return;
        }
        const std::vector<T> poison(elements(Operand::c), std::numeric_limits<T>::quiet_NaN());
        context_->write(c_, poison.data(), bytes(Operand::c), kGuardBytes);
    }

    std::vector<double> output() const override {
        const std::vector<T> found = result();
        return {found.begin(), found.end()};
    }

    bool guards_intact() const override {
        std::vector<unsigned char> guard(kGuardBytes);
        for (const std::size_t at : {std::size_t{0}, kGuardBytes + bytes(Operand::c)}) {
            context_->read(c_, guard.data(), kGuardBytes, at);
            if (std::any_of(guard.begin(), guard.end(), [](unsigned char x) { return x != kCanary; }))
                return false;
        }
        return true;
    }

    void flush() override {
        const opencl::Buffer* const all[] = {&a_, &b_, &c_};
        context_->evict(all);
    }

    std::vector<Worst> worst(const Oracle& oracle, Team& team) const override {
        const std::vector<T> found = result();
        std::vector<Worst> of_thread(static_cast<std::size_t>(team.size()));
        team.run(team.size(), [&](int thread) {
            const Range mine = part(static_cast<std::int64_t>(found.size()), team.size(), thread);
            of_thread[static_cast<std::size_t>(thread)] =
                worst_of(found.data(), oracle, static_cast<std::size_t>(mine.begin),
                         static_cast<std::size_t>(mine.end));
        });
        return of_thread;
    }

private:
    std::size_t elements(Operand operand) const {
        const std::int64_t count = operand == Operand::a   ? problem_.m() * problem_.k()
                                   : operand == Operand::b ? problem_.k() * problem_.n()
                                                           : problem_.m() * problem_.n();
        return static_cast<std::size_t>(count);
    }
    std::size_t bytes(Operand operand) const { return elements(operand) * sizeof(T); }

    void send(Operand operand, std::uint64_t seed, const opencl::Buffer& to, std::size_t offset) {
        std::vector<T> values(elements(operand));
        team_->run(team_->size(), [&](int thread) {
            const Range mine = part(static_cast<std::int64_t>(values.size()), team_->size(), thread);
            fill_slice(values.data(), operand, seed, mine.begin, mine.end);
        });
        context_->write(to, values.data(), bytes(operand), offset);
    }

    std::vector<T> result() const {
        std::vector<T> found(elements(Operand::c));
        context_->read(c_, found.data(), bytes(Operand::c), kGuardBytes);
        return found;
    }

    MatmulProblem problem_;
    std::shared_ptr<opencl::Context> context_;
    Team* team_;
    opencl::Kernel kernel_;
    opencl::Range range_;
    opencl::Buffer a_, b_, c_;
    double seconds_ = 0.0;
};

class OpenclBench final : public Bench {
public:
    OpenclBench(const MatmulProblem& problem, const Space& space, const Target& target)
        : problem_(problem), space_(&space), target_(target), oracles_(problem) {}

    bool runs_on_team() const override { return false; }
    std::unique_ptr<Prepared> prepare(const Variant& variant, Team& team) override {
        if (!context_) open(team);
        const OpenclChoice choice = decode_opencl(*space_, variant, problem_);
        if (problem_.dtype() == DType::f64)
            return std::make_unique<OpenclPrepared<double>>(problem_, choice, context_, team);
        return std::make_unique<OpenclPrepared<float>>(problem_, choice, context_, team);
    }

    const Oracle& oracle(std::uint64_t seed) override { return oracles_.at(seed, nullptr); }

    std::optional<Worst> compare(const Prepared& prepared, std::uint64_t seed, Team& team) override {
        const auto* in_place = dynamic_cast<const OpenclInPlace*>(&prepared);
        if (!in_place) return std::nullopt;
        const std::vector<Worst> worst = in_place->worst(oracles_.at(seed, &team), team);
        return *std::max_element(worst.begin(), worst.end(),
                                 [](const Worst& a, const Worst& b) { return a.error < b.error; });
    }

private:
    void open(Team& team) {
        context_ = opencl::open(target_.device.id, team.cpus());
        if (!context_) {
            throw EnvironmentError("the OpenCL device '" + target_.device.name +
                                   "' is not here; `rooftune list devices` shows those that are");
        }
        const double size = static_cast<double>(size_of(problem_.dtype()));
        const auto m = static_cast<double>(problem_.m());
        const auto n = static_cast<double>(problem_.n());
        const auto k = static_cast<double>(problem_.k());
        const double largest = size * std::max({m * k, k * n, m * n}) + 2.0 * kGuardBytes;
        if (largest > static_cast<double>(context_->largest_buffer()) ||
            size * (m * k + k * n + m * n) > context_->device().global_memory.value) {
            throw EnvironmentError("the problem's matrices do not fit into the memory of " +
                                   target_.device.name + "; give smaller sizes");
        }
    }

    MatmulProblem problem_;
    const Space* space_;
    Target target_;
    Oracles oracles_;
    std::shared_ptr<opencl::Context> context_;
};

}  // namespace

std::unique_ptr<Bench> make_opencl_bench(const MatmulProblem& problem, const Space& space,
                                         const Target& target) {
    return std::make_unique<OpenclBench>(problem, space, target);
}

}  // namespace rooftune::matmul
