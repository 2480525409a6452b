#include "kernels/runtime/worker_room.h"

#include <oneapi/tbb/global_control.h>

#include <memory>
#include <mutex>

namespace rooftune {
namespace {

using oneapi::tbb::global_control;

struct Shared {
    std::mutex mutex;
    std::size_t without_teams = 0;
    int workers = 0;
    std::unique_ptr<global_control> limit;
};

Shared& shared() {
    // Never destroyed: a program may keep teams in globals, which go after what was made in main.
    static Shared& all = *new Shared;
    return all;
}

void change(int by) {
    Shared& s = shared();
    const std::lock_guard lock(s.mutex);
    if (s.workers == 0)
        s.without_teams = global_control::active_value(global_control::max_allowed_parallelism);
    s.workers += by;
    // The new one first: between two limits there would be none, and workers would come and go.
    auto limit = s.workers == 0 ? nullptr
                                : std::make_unique<global_control>(
                                      global_control::max_allowed_parallelism,
                                      s.without_teams + static_cast<std::size_t>(s.workers));
    s.limit = std::move(limit);
}

}  // namespace

WorkerRoom::WorkerRoom(int workers) : workers_(workers) {
    if (workers_ > 0) change(workers_);
}

WorkerRoom::~WorkerRoom() {
    if (workers_ > 0) change(-workers_);
}

}  // namespace rooftune
