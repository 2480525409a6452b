#include "tuner/engine/roof_notice.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "models/roofs.h"
#include "tuner/base/joined.h"
#include "tuner/base/suggested.h"

namespace rooftune {
namespace {

constexpr const char* kWhyNoRoof = "its probes were disturbed or do not agree yet";

bool has_arithmetic(const Work& least) {
    return least.total.ops.value > 0.0 || least.heaviest.ops.value > 0.0 || least.flops_nominal.value > 0.0;
}

// A device's compiler may put work items side by side, so that nothing limits its width.
int widest_of_target(const Target& target, DType dtype) {
    if (target.backend == Backend::opencl) return kAnyWidth;
    return target.width_bits.empty() ? static_cast<int>(8 * size_of(dtype)) : target.width_bits.back();
}

// What bounds arithmetic where the peak over all operations at this width does not: the peak of narrower
// vectors, and what does nothing but additions or multiply-adds, each at any width that a variant may be
// limited to. None of a device is.
std::vector<std::string> roofs_that_stand(const Machine& machine, const Roofs& roofs, DType dtype,
                                          int width_bits, int threads) {
    std::set<int> widths{width_bits};
    for (const Ceiling& c : machine.ceilings) {
        const bool is_narrower = c.when.width_bits > 0 && c.when.width_bits < width_bits;
        if (width_bits != kAnyWidth && is_narrower && c.resource == Resource::compute &&
            c.when.dtype == dtype)
            widths.insert(c.when.width_bits);
    }
    int narrower = 0;
    bool added = false, fused = false;
    for (const int width : widths) {
        if (width < width_bits && roofs.compute(dtype, width, threads)) narrower = width;
        added = added || roofs.added(dtype, width, threads);
        fused = fused || roofs.fused(dtype, width, threads);
    }
    std::vector<std::string> parts;
    if (narrower > 0) parts.push_back(fmt::format("the peak of vectors of up to {} bits", narrower));
    if (added) parts.emplace_back("additions alone");
    if (fused) parts.emplace_back("multiply-adds alone");
    return parts;
}

}  // namespace

std::string roof_notice(const Machine& machine, const Target& target, DType dtype, const Work& least,
                        int narrowest_bits) {
    if (!has_arithmetic(least)) return "";
    const bool device = target.backend == Backend::opencl;
    const int width_bits = widest_of_target(target, dtype), threads = target.threads;
    const Roofs roofs(machine);
    const bool doubtful = std::any_of(roofs.unsaturated().begin(), roofs.unsaturated().end(), [&](int index) {
        const Ceiling& ceiling = machine.ceilings[static_cast<std::size_t>(index)];
        const Conditions& when = ceiling.when;
        return ceiling.resource == Resource::compute && when.dtype == dtype && when.threads <= threads &&
               when.width_bits <= width_bits;
    });
    if (!doubtful) return "";
    const std::string again = suggested(device ? "machine --backend opencl" : "machine") +
                              " probes it again when the machine is quiet";
    const Roof roof = roofs.compute(dtype, width_bits, threads);
    if (!roof) {
        const std::vector<std::string> stand = roofs_that_stand(machine, roofs, dtype, width_bits, threads);
        return fmt::format("the peak of {} arithmetic over all operations{} is not known ({}): {}; {}",
                           to_text(dtype), device ? " of this device" : "", kWhyNoRoof,
                           stand.empty() ? std::string("no bound rests on such a peak, and a share of a roof "
                                                       "without arithmetic says little")
                                         : "bounds of arithmetic rest on " + joined(stand) +
                                               ", and a share of such a roof may say little",
                           again);
    }
    if (!device && !roofs.compute(dtype, width_bits, threads, narrowest_bits)) {
        std::vector<std::string> stand;
        if (roofs.added(dtype, width_bits, threads, narrowest_bits)) stand.emplace_back("additions alone");
        if (roofs.fused(dtype, width_bits, threads, narrowest_bits))
            stand.emplace_back("multiply-adds alone");
        return fmt::format(
            "the peak of {} arithmetic by narrower vectors is not known ({}): the problem's roof {}, and a "
            "share of such a roof may say little; {}",
            to_text(dtype), kWhyNoRoof,
            stand.empty() ? std::string("leaves arithmetic out")
                          : "has arithmetic by " + joined(stand) + " only",
            again);
    }
    if (threads > 1 && machine.ceilings[static_cast<std::size_t>(roof.ceiling)].when.threads == 1) {
        return fmt::format(
            "the peak of {} arithmetic on {} {} is not known ({}): it counts as {} times that of one; {}",
            to_text(dtype), threads, device ? "compute units" : "threads", kWhyNoRoof, threads, again);
    }
    return "";
}

}  // namespace rooftune
