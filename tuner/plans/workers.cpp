#include "tuner/plans/workers.h"

#include <map>
#include <string>
#include <vector>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "tuner/plans/workers_inside.h"

namespace rooftune {
namespace {

std::vector<int> first_cpus(int threads) {
    std::vector<int> cpus = usable_cpus();
    if (threads < 0 || threads > static_cast<int>(cpus.size())) {
        throw InputError("plans: " + std::to_string(threads) + " threads were asked for and " +
                         std::to_string(cpus.size()) +
                         " processing units may be used; ask for 1 to that many, or for 0, which takes all");
    }
    if (threads > 0) cpus.resize(static_cast<std::size_t>(threads));
    return cpus;
}

}  // namespace

Workers::Workers(int threads) : inside_(new Inside{Team(first_cpus(threads)), {}}) {}
Workers::Workers(const std::vector<int>& cpus) : inside_(new Inside{Team(cpus), {}}) {}
Workers::~Workers() = default;

int Workers::size() const {
    return inside_->team.size();
}

std::shared_ptr<Workers> Workers::shared(int threads) {
    static std::mutex mutex;
    static std::map<int, std::weak_ptr<Workers>> known;
    const std::lock_guard lock(mutex);
    const int size = static_cast<int>(first_cpus(threads).size());
    std::weak_ptr<Workers>& mine = known[size];
    if (auto alive = mine.lock()) return alive;
    auto fresh = std::make_shared<Workers>(size);
    mine = fresh;
    return fresh;
}

}  // namespace rooftune
