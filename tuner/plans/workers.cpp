#include "tuner/plans/workers.h"

#include <pthread.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "kernels/runtime/control_group.h"
#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "kernels/runtime/forks.h"
#include "kernels/runtime/node_share.h"
#include "tuner/base/ranges_text.h"
#include "tuner/plans/workers_inside.h"

namespace rooftune {
namespace {

// Looked at once: every plan asks.
const OwnUnits& here() {
    static const OwnUnits own =
        own_units(usable_cpus(), processing_units_allowed(),
                  local_rank([](const char* name) { return std::getenv(name); }), processor_quota());
    return own;
}

int checked(int threads) {
    const OwnUnits& own = here();
    if (threads < 0 || threads > static_cast<int>(own.cpus.size())) {
        throw InputError("plans: " + std::to_string(threads) + " threads were asked for and " +
                         std::to_string(own.cpus.size()) +
                         " processing units may be used; ask for 1 to that many, or for 0, which takes " +
                         std::to_string(own.threads));
    }
    return threads > 0 ? threads : own.threads;
}

Team team_of(int threads) {
    const OwnUnits& own = here();
    const int number = checked(threads);
    if (own.anywhere) return Team::anywhere_on(own.cpus, number);
    return Team({own.cpus.begin(), own.cpus.begin() + number}, Team::Caller::free);
}

std::vector<int> checked(std::vector<int> cpus) {
    if (cpus.empty()) throw InputError("plans: workers on no processing unit; name one at least");
    std::vector<int> sorted = cpus;
    std::sort(sorted.begin(), sorted.end());
    const std::vector<int> usable = usable_cpus();
    for (const int cpu : sorted) {
        if (std::find(usable.begin(), usable.end(), cpu) == usable.end())
            throw InputError("plans: this process may not use the processing unit " + std::to_string(cpu) +
                             "; it may use " + ranges_text(usable));
    }
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end())
        throw InputError("plans: the processing unit " + std::to_string(*twice) +
                         " was named twice: two threads there would wait for each other");
    return cpus;
}

// Those that all plans share, by their number. A child of fork() has none of them.
struct Shared {
    std::mutex mutex;
    std::map<int, std::weak_ptr<Workers>> known;
    unsigned generation = fork_generation();
};

Shared& shared_workers() {
    // Never destroyed: plans in globals may come later and go later.
    static Shared& all = *new Shared;
    return all;
}

}  // namespace

Workers::Workers(int threads) : inside_(new Inside{team_of(threads)}) {}
Workers::Workers(const int* cpus, std::size_t number)
    : inside_(new Inside{Team(checked({cpus, cpus + number}), Team::Caller::free)}) {}
Workers::~Workers() = default;

int Workers::size() const {
    return inside_->team.size();
}

std::shared_ptr<Workers> Workers::shared(int threads) {
    Shared& all = shared_workers();
    // A thread that made workers while another one forked would leave the child a mutex that nobody opens.
    static const int registered =
        pthread_atfork([] { shared_workers().mutex.lock(); }, [] { shared_workers().mutex.unlock(); },
                       [] { shared_workers().mutex.unlock(); });
    static_cast<void>(registered);
    // Asked before the mutex is taken that fork() waits for: what looks at the machine may itself fork.
    const int size = checked(threads);
    // One thread has nothing to share.
    if (size == 1) return std::make_shared<Workers>(1);
    const std::lock_guard lock(all.mutex);
    if (all.generation != fork_generation()) {
        all.known.clear();
        all.generation = fork_generation();
    }
    std::weak_ptr<Workers>& mine = all.known[size];
    if (auto alive = mine.lock()) return alive;
    auto fresh = std::make_shared<Workers>(size);
    mine = fresh;
    return fresh;
}

}  // namespace rooftune
