#include "kernels/probe/joint.h"

#include "kernels/runtime/error.h"

namespace rooftune::probe {

bool can_join(const JointWay& way, Bytes footprint, int threads) {
    return find_joint(way) != nullptr && layout_of(way.walk, footprint, threads).bytes > 0;
}

Work joint_work(const JointWay& way, Bytes footprint, int threads, Pages pages, const Memory& memory) {
    const JointKernel kernel = find_joint(way);
    const StreamLayout layout = layout_of(way.walk, footprint, threads);
    if (kernel == nullptr || layout.bytes == 0)
        throw EnvironmentError("no probe of walks with such loads besides, or a footprint too small for it");
    Work work;
    work.threads = threads;
    work.amount = static_cast<double>(layout.bytes) * layout.streams * layout.arrays * threads;
    const auto ahead = static_cast<std::size_t>(way.walk.prefetch_bytes);
    work.run = [kernel, layout, pages, ahead, &memory](int thread, std::int64_t repetitions) {
        kernel(memory.region(pages, thread), layout, ahead, repetitions);
    };
    return work;
}

}  // namespace rooftune::probe
