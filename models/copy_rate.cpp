#include "models/copy_rate.h"

#include <algorithm>
#include <array>
#include <limits>

namespace rooftune {
namespace {

// Mixes whose stores go to other lines than their loads.
constexpr std::array<Mix, 6> kApart{Mix::load,  Mix::two_loads_store, Mix::copy,
                                    Mix::store, Mix::nt_copy,         Mix::nt_store};

bool copies(Mix mix) {
    return mix == Mix::copy || mix == Mix::nt_copy;
}

struct Speed {
    double read = 0.0, write = 0.0;  ///< byte/s
};

// What the mixes reached from `from` upward.
struct Reached {
    std::array<Speed, kApart.size()> speeds{};
    int undisturbed = 0;  ///< windows of copies
};

Reached reached(const Machine& machine, int threads, double from) {
    Reached r;
    for (const Ceiling& c : machine.ceilings) {
        const auto* const mix = std::find(kApart.begin(), kApart.end(), c.when.mix);
        if (c.resource != Resource::bandwidth || !c.excludes || mix == kApart.end()) continue;
        const double part = share_of(c.when, threads);
        if (part * c.when.footprint.value < from) continue;
        Speed& speed = r.speeds[static_cast<std::size_t>(mix - kApart.begin())];
        const ReadWriteShare share = read_write_share(c.when.mix);
        speed.read = std::max(speed.read, part * share.read * c.max);
        speed.write = std::max(speed.write, part * share.write * c.max);
        if (copies(c.when.mix) && threads_of(c.when) == threads)
            r.undisturbed += c.undisturbed < 0 ? kUndisturbedWindows : c.undisturbed;
    }
    return r;
}

// Bytes a second, both directions together, of two mixes in turn that read as much as they write; 0 where
// both read more, or both write more.
double in_turn(const Speed& reads, const Speed& writes) {
    const double surplus = reads.read - reads.write, lack = writes.write - writes.read;
    if (surplus < 0.0 || lack < 0.0 || surplus + lack <= 0.0) return 0.0;
    const double first = lack / (surplus + lack);  // of the time
    return 2.0 * (first * reads.read + (1.0 - first) * writes.read);
}

// The smallest footprint at which a mix was probed on so many threads; infinite where it was not.
double first_probed(const Machine& machine, int threads, Mix mix) {
    double least = std::numeric_limits<double>::infinity();
    for (const Ceiling& c : machine.ceilings) {
        if (c.resource == Resource::bandwidth && c.excludes && c.when.mix == mix &&
            threads_of(c.when) == threads)
            least = std::min(least, c.when.footprint.value);
    }
    return least;
}

}  // namespace

void add_copy_rates(const Machine& machine, int threads, std::vector<BandwidthStep>& steps) {
    const double first =
        std::max(first_probed(machine, threads, Mix::copy), first_probed(machine, threads, Mix::nt_copy));
    for (BandwidthStep& step : steps) {
        if (step.from < first) continue;
        const Reached r = reached(machine, threads, step.from);
        if (r.undisturbed < kUndisturbedWindows) continue;
        for (std::size_t i = 0; i < kApart.size(); ++i) {
            if (copies(kApart[i])) step.apart = std::max(step.apart, r.speeds[i].read + r.speeds[i].write);
            for (const Speed& other : r.speeds)
                step.apart = std::max(step.apart, in_turn(r.speeds[i], other));
        }
    }
}

}  // namespace rooftune
