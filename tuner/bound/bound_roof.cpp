#include "tuner/bound/bound_roof.h"

#include <algorithm>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "models/roofs.h"

namespace rooftune {
namespace {

bool knows(const Family& family, const std::string& key) {
    const std::vector<ProblemKey> keys = family.keys();
    return std::any_of(keys.begin(), keys.end(), [&](const ProblemKey& k) { return k.name == key; });
}

// The most threads that both compute and bandwidth were measured with.
int measured_threads(const Machine& machine) {
    int most = 0;
    for (const Ceiling& c : machine.ceilings) {
        if (c.resource == Resource::bandwidth) most = std::max(most, c.when.threads);
    }
    return std::min(most, machine.topology.threads);
}

}  // namespace

ProblemSpec count_problem(const Registry& registry, const std::string& family, WorkloadSpec& spec) {
    const Family* known = registry.find(family);
    const auto names = [&](const std::string& key) {
        return spec.contains(key) && known != nullptr && knows(*known, key);
    };
    if (!names("gen") && !names("matrix")) return {};
    ProblemSpec own;
    for (auto it = spec.begin(); it != spec.end();) {
        const bool taken = knows(*known, it->first);
        if (taken) own.insert(*it);
        // Both need to know the element type.
        it = taken && it->first != "dtype" ? spec.erase(it) : std::next(it);
    }
    const std::unique_ptr<Problem> problem = known->problem(own);
    for (const auto& [fact, key] :
         {std::pair{"rows", "rows"}, {"touched_columns", "cols"}, {"stored", "nnz"}}) {
        for (const auto& [name, value] : problem->facts()) {
            if (name == fact) spec[key] = std::to_string(static_cast<long long>(value));
        }
    }
    spec["dtype"] = to_text(problem->dtype());
    return own;
}

std::optional<ProblemRoof> problem_roof(const Registry& registry, const std::string& family,
                                        const ProblemSpec& problem, State state, const Machine& machine) {
    const Family* known = registry.find(family);
    const int threads = measured_threads(machine);
    if (known == nullptr || threads == 0 || machine.topology.width_bits.empty()) return std::nullopt;
    // Ceilings of processing units say nothing of a device.
    if (known->backends_of(problem).front() != Backend::cpu) return std::nullopt;
    // A source declares sizes of its own.
    for (const auto& [key, value] : problem) {
        if (!problem.contains("source") && !knows(*known, key)) return std::nullopt;
    }
    ProblemRoof roof;
    try {
        const std::unique_ptr<Problem> loaded = known->problem(problem);
        const Target target = target_on(machine.topology, machine.topology.width_bits, threads);
        const Space space = known->space(*loaded, target);
        const std::unique_ptr<WorkModel> model = known->work_model(*loaded, space, target, state);
        const Roofs roofs(machine);
        roof.title = loaded->title();
        roof.flops = loaded->flops_nominal();
        roof.variants = space.count(PartialVariant{});
        roof.bound =
            BoundModel(roofs).explain(model->work(PartialVariant{}), model->traits(PartialVariant{}));
    } catch (const InputError& error) {
        roof.why_not = error.what();
    }
    return roof;
}

}  // namespace rooftune
