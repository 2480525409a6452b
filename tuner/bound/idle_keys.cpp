#include "tuner/bound/idle_keys.h"

#include <vector>

#include "tuner/base/joined.h"

namespace rooftune {
namespace {

std::string text_of(const std::vector<std::string>& nothing, const std::vector<std::string>& more) {
    std::vector<std::string> parts;
    if (!nothing.empty())
        parts.push_back(joined(nothing) + (nothing.size() == 1 ? " does" : " do") +
                        " not change the least work, and so not the bound");
    if (!more.empty())
        parts.push_back(joined(more) + (more.size() == 1 ? " means" : " mean") +
                        " more work, which the bound leaves out");
    return joined(parts, "; ", "; ");
}

}  // namespace

IdleKeys take_idle_keys(const Registry& registry, const std::string& family, WorkloadSpec& spec) {
    IdleKeys idle;
    const Family* known = registry.find(family);
    if (known == nullptr) return idle;
    std::vector<IdleKey> keys;
    for (IdleKey& key : known->idle_keys()) {
        const auto at = spec.find(key.name);
        if (at == spec.end()) continue;
        idle.taken.insert(spec.extract(at));
        keys.push_back(std::move(key));
    }
    if (keys.empty()) return idle;
    // The family judges their values, of a problem whose sizes cost nothing.
    ProblemSpec judged = known->examples().front();
    for (const auto& [key, value] : idle.taken) judged[key] = value;
    (void)known->problem(judged);
    std::vector<std::string> nothing, more;
    for (const IdleKey& key : keys) {
        const std::string& value = idle.taken.at(key.name);
        (key.adds_work(value) ? more : nothing).push_back(key.name + "=" + value);
    }
    idle.text = text_of(nothing, more);
    return idle;
}

}  // namespace rooftune
