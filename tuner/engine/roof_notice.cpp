#include "tuner/engine/roof_notice.h"

#include <fmt/format.h>
#include <algorithm>

#include "models/roofs.h"

namespace rooftune {

std::string roof_notice(const Machine& machine, DType dtype, int width_bits, int threads) {
    const Roofs roofs(machine);
    const bool doubtful = std::any_of(roofs.unsaturated().begin(), roofs.unsaturated().end(), [&](int index) {
        const Ceiling& ceiling = machine.ceilings[static_cast<std::size_t>(index)];
        const Conditions& when = ceiling.when;
        return ceiling.resource == Resource::compute && when.dtype == dtype && when.threads <= threads &&
               when.width_bits <= width_bits;
    });
    if (!doubtful) return "";
    const std::string why = "other processes ran whenever it was probed";
    const Roof roof = roofs.compute(dtype, width_bits, threads);
    if (!roof)
        return fmt::format("the peak of {} arithmetic is not known ({}): no bound rests on it",
                           to_text(dtype), why);
    if (threads > 1 && machine.ceilings[static_cast<std::size_t>(roof.ceiling)].when.threads == 1) {
        return fmt::format(
            "the peak of {} arithmetic on {} threads is not known ({}): it counts as {} times that of one",
            to_text(dtype), threads, why, threads);
    }
    return "";
}

}  // namespace rooftune
