#include "tuner/external/opencl_bench.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "kernels/runtime/error.h"
#include "tuner/base/si.h"
#include "tuner/external/answers.h"
#include "tuner/external/arrays.h"
#include "tuner/external/declared_space.h"
#include "tuner/external/opencl_launch.h"
#include "tuner/external/reference_run.h"

namespace rooftune::external {
namespace {

constexpr unsigned char kCanary = 0xC5;
// Before and behind each array; parts of buffers begin at multiples of it.
constexpr std::size_t kGuard = opencl::kAlignment;

// An array on the device, with guards around it that a kernel has no business in.
struct DeviceArray {
    opencl::Buffer whole;
    std::size_t bytes = 0;
};

// All arrays of an instance on the device.
class DeviceArrays {
public:
    DeviceArrays(opencl::Context& context, const Instance& instance) : context_(context) {
        for (std::size_t a = 0; a < instance.counts.size(); ++a) {
            DeviceArray array;
            array.bytes = static_cast<std::size_t>(instance.counts[a]) *
                          bytes_of(instance.declaration.arrays[a].element);
            array.whole = context.buffer(2 * kGuard + std::max<std::size_t>(1, array.bytes));
            parts_.push_back(context.part(array.whole, kGuard, array.bytes));
            arrays_.push_back(std::move(array));
        }
    }

    /// What the kernel is given.
    const std::vector<opencl::Buffer>& parts() const { return parts_; }

    void write(std::size_t a, const void* from) { context_.write(parts_[a], from, arrays_[a].bytes); }
    void read(std::size_t a, void* to) const { context_.read(parts_[a], to, arrays_[a].bytes); }

    void arm(std::size_t a) {
        const std::vector<unsigned char> guard(kGuard, kCanary);
        context_.write(arrays_[a].whole, guard.data(), kGuard, 0);
        context_.write(arrays_[a].whole, guard.data(), kGuard, kGuard + arrays_[a].bytes);
    }
    bool intact(std::size_t a) const {
        std::vector<unsigned char> guard(kGuard);
        for (const std::size_t at : {std::size_t{0}, kGuard + arrays_[a].bytes}) {
            context_.read(arrays_[a].whole, guard.data(), kGuard, at);
            if (std::any_of(guard.begin(), guard.end(), [](unsigned char x) { return x != kCanary; }))
                return false;
        }
        return true;
    }
    bool holds(std::size_t a, const std::byte* expected) const {
        std::vector<std::byte> found(arrays_[a].bytes);
        context_.read(parts_[a], found.data(), found.size());
        return found.empty() || std::memcmp(found.data(), expected, found.size()) == 0;
    }
    void evict() {
        std::vector<const opencl::Buffer*> all;
        for (const DeviceArray& array : arrays_) all.push_back(&array.whole);
        context_.evict(all);
    }

private:
    opencl::Context& context_;
    std::vector<DeviceArray> arrays_;
    std::vector<opencl::Buffer> parts_;
};

class OpenclBench;

class OpenclPrepared final : public Prepared {
public:
    OpenclPrepared(OpenclBench& bench, OpenclLaunch launch) : bench_(bench), launch_(std::move(launch)) {}

    void run() override;
    std::optional<double> device_seconds() const override { return seconds_; }
    void reset(std::uint64_t seed) override;
    std::vector<double> output() const override;
    bool guards_intact() const override;
    void flush() override;

private:
    OpenclBench& bench_;
    OpenclLaunch launch_;
    double seconds_ = 0.0;
};

class OpenclBench final : public Bench {
public:
    OpenclBench(const Instance& instance, const Space& space, const Target& target)
        : instance_(instance), space_(space), target_(target) {}

    bool runs_on_team() const override { return false; }
    std::unique_ptr<Prepared> prepare(const Variant& variant, Team& team) override {
        team_ = &team;
        if (!arrays_) begin();
        OpenclLaunch launch = opencl_launch(*context_, instance_, space_, variant, device_->parts());
        // While a compiler may take its time, before anything runs that may hang.
        load_reference();
        return std::make_unique<OpenclPrepared>(*this, std::move(launch));
    }

    const Oracle& oracle(std::uint64_t seed) override {
        return oracles_.at(seed, [&] { return make_oracle(seed); });
    }
    void oracle_ahead(std::uint64_t seed) override {
        oracles_.at(seed, [&] {
            arrays_->reset(seed, *team_);  // whose inputs are the reference's
            return make_oracle(seed);
        });
    }

    std::optional<Worst> compare(const Prepared&, std::uint64_t seed, Team& team) override {
        const Oracle& expected = oracle(seed);
        fetch();
        return worst_of(instance_, *arrays_, expected, team);
    }

    double run(const OpenclLaunch& launch) {
        const auto& global = launch.range.global;
        if (std::find(global.begin(), global.end(), 0U) == global.end())
            return std::max(1e-9, context_->run(launch.kernel, launch.range));
        return 1e-9;  // nothing to do, which OpenCL refuses to launch; no clock is finer
    }

    void reset(std::uint64_t seed) {
        arrays_->reset(seed, *team_);
        for (std::size_t a = 0; a < instance_.counts.size(); ++a) {
            const bool read_only = direction(a) == Direction::in;
            if (!read_only || sent_ != seed) device_->write(a, arrays_->data(a));
            device_->arm(a);
        }
        sent_ = seed;
    }

    bool intact() {
        bool all = true;
        for (std::size_t a = 0; a < instance_.counts.size(); ++a) {
            const bool changed = direction(a) == Direction::in && !device_->holds(a, arrays_->data(a));
            all = all && !changed && device_->intact(a);
        }
        // Whatever was written elsewhere, the next variant must not be blamed for it.
        if (!all) sent_.reset();
        return all;
    }

    std::vector<double> output() {
        fetch();
        return output_of(instance_, *arrays_);
    }

    void flush() { device_->evict(); }

private:
    Direction direction(std::size_t a) const { return instance_.declaration.arrays[a].direction; }

    [[noreturn]] void accuse(const std::string& what) const { accuse_reference(instance_.declaration, what); }

    void begin() {
        context_ = opencl::open(target_.device.id, team_->cpus());
        if (!context_)
            throw EnvironmentError("the OpenCL device '" + target_.device.name +
                                   "' is not here; `rooftune list devices` shows those that are");
        double all = 0.0, largest = 0.0;
        for (std::size_t a = 0; a < instance_.counts.size(); ++a) {
            const double bytes = static_cast<double>(instance_.counts[a]) *
                                 static_cast<double>(bytes_of(instance_.declaration.arrays[a].element));
            // The reference has its own; and what a device that is this CPU has lies in the host's memory.
            all += (context_->device().is_cpu ? 3.0 : 2.0) * bytes;
            largest = std::max(largest, bytes + 2.0 * kGuard);
        }
        const double device_memory = context_->device().global_memory.value;
        const double memory = context_->device().is_cpu
                                  ? std::min(device_memory, static_cast<double>(available_memory()))
                                  : device_memory;
        const auto most = static_cast<double>(context_->largest_buffer());
        if (all > memory || largest > most)
            throw EnvironmentError(instance_.declaration.file + ": its arrays need " + format_si(all, "B") +
                                   ", the largest " + format_si(largest, "B") + ", and " +
                                   target_.device.name + " has " + format_si(memory, "B") + ", " +
                                   format_si(most, "B") + " at once; give smaller sizes");
        device_ = std::make_unique<DeviceArrays>(*context_, instance_);
        arrays_ = std::make_unique<Arrays>(instance_, *team_);
        reset(0);
    }

    void load_reference() {
        if (reference_is_built_ || answers_are_given(instance_)) return;
        try {
            opencl_reference(*context_, instance_, space_, first_variant(instance_, space_),
                             device_->parts());
        } catch (const VariantError& error) {
            accuse(std::string("the reference cannot be run: ") + error.what());
        }
        reference_is_built_ = true;  // and kept by its text
    }

    // What was written, from the device to where it is judged.
    void fetch() {
        for (std::size_t a = 0; a < instance_.counts.size(); ++a) {
            if (direction(a) != Direction::in) device_->read(a, arrays_->pointers()[a]);
        }
    }

    // The reference has arrays of its own for what it writes, for as long as it runs.
    Oracle make_oracle(std::uint64_t seed) {
        Arrays answers(instance_, *team_, arrays_.get());
        answers.reset(seed, *team_);
        if (answers_are_given(instance_)) {
            read_answers(instance_, answers);
            return oracle_of(instance_, answers, [&](const std::string& what) { accuse(what); });
        }
        DeviceArrays own(*context_, instance_);
        for (std::size_t a = 0; a < instance_.counts.size(); ++a) {
            own.write(a, answers.data(a));
            own.arm(a);
        }
        run_reference(*this, instance_.declaration, [&] {
            try {
                run(opencl_reference(*context_, instance_, space_, first_variant(instance_, space_),
                                     own.parts()));
            } catch (const VariantError& error) {
                accuse(std::string("the reference cannot be run: ") + error.what());
            }
        });
        for (std::size_t a = 0; a < instance_.counts.size(); ++a) {
            const bool changed = direction(a) == Direction::in && !own.holds(a, answers.data(a));
            if (changed || !own.intact(a))
                accuse(
                    "the reference writes outside of its arrays, or into one that is only read (`in`); mend "
                    "it, or declare as `inout` what it writes");
        }
        for (std::size_t a = 0; a < instance_.counts.size(); ++a) {
            if (direction(a) != Direction::in) own.read(a, answers.pointers()[a]);
        }
        return oracle_of(instance_, answers, [&](const std::string& what) { accuse(what); });
    }

    const Instance& instance_;
    const Space& space_;
    Target target_;
    Team* team_ = nullptr;  ///< of the last prepared variant
    std::shared_ptr<opencl::Context> context_;
    std::unique_ptr<Arrays> arrays_;  ///< of the host: what is sent, and what comes back
    std::unique_ptr<DeviceArrays> device_;
    std::optional<std::uint64_t> sent_;  ///< seed of what is only read, on the device
    bool reference_is_built_ = false;
    KeptOracles oracles_;
};

void OpenclPrepared::run() {
    seconds_ = bench_.run(launch_);
}

void OpenclPrepared::reset(std::uint64_t seed) {
    bench_.reset(seed);
}

std::vector<double> OpenclPrepared::output() const {
    return bench_.output();
}

bool OpenclPrepared::guards_intact() const {
    return bench_.intact();
}

void OpenclPrepared::flush() {
    bench_.flush();
}

}  // namespace

std::unique_ptr<Bench> make_opencl_bench(const Instance& instance, const Space& space, const Target& target) {
    return std::make_unique<OpenclBench>(instance, space, target);
}

}  // namespace rooftune::external
