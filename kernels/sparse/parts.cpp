#include "kernels/sparse/parts.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <mutex>
#include <new>

#include "kernels/runtime/control_group.h"
#include "kernels/runtime/cpu_mask.h"
#include "kernels/runtime/own_threads.h"

namespace rooftune::sparse {
namespace {

struct Parts {
    const std::vector<std::int64_t>& cuts;
    const std::function<void(std::size_t, std::int64_t, std::int64_t)>& body;
    std::mutex mutex;
    std::exception_ptr fault{};

    void run(std::size_t part) {
        try {
            body(part, cuts[part], cuts[part + 1]);
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!fault) fault = std::current_exception();
        }
    }
};

void run_part(void* parts, int part) {
    static_cast<Parts*>(parts)->run(static_cast<std::size_t>(part));
}

bool starts(OwnThreads& threads, int part, const std::vector<int>& cpus, Parts& parts) {
    try {
        return !cpus.empty() && threads.start(part, cpus, run_part, &parts) == 0;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

}  // namespace

std::int64_t usable_processors() {
    const auto here = static_cast<std::int64_t>(CpuMask::of_thread().cpus().size());
    const auto quota = static_cast<std::int64_t>(std::ceil(processor_quota().value_or(1e6)));
    return std::max<std::int64_t>(1, std::min(here, quota));
}

void for_parts(const std::vector<std::int64_t>& cuts,
               const std::function<void(std::size_t, std::int64_t, std::int64_t)>& body) {
    const std::size_t count = cuts.size() - 1;
    Parts parts{cuts, body, {}};
    OwnThreads threads(count);
    const std::vector<int> cpus = count > 1 ? CpuMask::of_thread().cpus() : std::vector<int>();
    std::size_t started = 1;  // the first is the caller's
    while (started < count && starts(threads, static_cast<int>(started), cpus, parts)) ++started;
    parts.run(0);
    for (std::size_t part = started; part < count; ++part) parts.run(part);
    threads.join();
    if (parts.fault) std::rethrow_exception(parts.fault);
}

}  // namespace rooftune::sparse
