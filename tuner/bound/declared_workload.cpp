#include "tuner/bound/declared_workload.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "kernels/runtime/error.h"
#include "models/workloads/keys.h"
#include "tuner/external/problem.h"

namespace rooftune {
namespace {

// What the traffic that is declared refers to, for as long as somebody asks for it.
struct DeclaredModel {
    std::unique_ptr<Problem> problem;
    Space space;
    std::unique_ptr<WorkModel> model;
    std::shared_ptr<const DeclaredTraffic> traffic;
};

class DeclaredWorkload final : public WorkloadKind {
public:
    DeclaredWorkload(const Family& family, std::string source, const Machine& machine)
        : family_(family), source_(std::move(source)) {
        target_.backend = family_.backends_of({{"source", source_}}).front();
        target_.width_bits = machine.topology.width_bits;
        target_.threads = std::max(1, machine.topology.threads);
        target_.numa_nodes = std::max(1, machine.topology.numa_nodes);
        target_.device.compute_units = target_.threads;
        const auto problem = family_.problem({{"source", source_}});
        std::vector<WorkloadKey> own;
        for (const auto& [name, value] : problem->spec()) {
            if (name != "source") own.push_back(size_key(name, "a size that the source declares", value));
        }
        // What it computes in is declared as well.
        keys_ = with_common_keys(std::move(own));
        for (WorkloadKey& key : keys_) {
            if (key.name == "dtype") key.fallback = to_text(problem->dtype());
        }
    }

    std::string_view name() const override { return "external"; }
    std::string_view summary() const override { return "what a source declares"; }
    std::vector<WorkloadKey> keys() const override { return keys_; }
    bool may_lack_flops() const override { return true; }

    Workload make(const WorkloadSpec& spec) const override {
        const WorkloadReader key(spec, keys_);
        auto problem = family_.problem(declared_problem(*this, source_, spec));
        const auto state = spec.find("state");
        // What caches hold when a program begins is up to it: nothing more is claimed of it than warm.
        const auto* const own = dynamic_cast<const external::ExternalProblem*>(problem.get());
        const bool program =
            own != nullptr && own->instance().declaration.language == external::Language::program;
        const bool cold = !program && state != spec.end() && state->second == "cold";
        Space space = family_.space(*problem, target_);
        const auto kept = std::make_shared<DeclaredModel>(
            DeclaredModel{std::move(problem), std::move(space), nullptr, nullptr});
        kept->model =
            family_.work_model(*kept->problem, kept->space, target_, cold ? State::cold : State::warm);
        const Work least = kept->model->work(PartialVariant());
        kept->traffic = least.traffic.declared;
        Workload w;
        w.title = kept->problem->title();
        w.dtype = kept->problem->dtype();
        w.flops = least.total.ops;
        w.work.traffic.reads = least.traffic.reads;
        w.work.traffic.writes = least.traffic.writes;
        if (kept->traffic) w.work.traffic.declared = {kept, kept->traffic.get()};
        if (w.flops.value + w.work.traffic.sum_beyond(Bytes(0.0)).value <= 0.0)
            throw InputError(
                w.title +
                ": it declares no work that bounds it; add `flops`, `reads`, `writes` or what is beyond a "
                "cache (`reads_beyond`), mark arrays `all`, or say by `arithmetic` what it computes in");
        for (const auto& [fact, value] : kept->problem->facts()) {
            if (fact == "array_bytes") w.footprint = Bytes(value);
        }
        key.finish(w);
        return w;
    }

private:
    const Family& family_;
    std::string source_;
    Target target_;
    std::vector<WorkloadKey> keys_;
};

}  // namespace

bool is_declared(const std::string& word) {
    return find_workload(word) == nullptr && word.find_first_of("./") != std::string::npos;
}

namespace {

const Family& family_of_sources(const Registry& registry, const std::string& source) {
    const Family* const family = registry.find("external");
    if (family == nullptr) throw InputError(source + ": no family takes sources here");
    return *family;
}

}  // namespace

void check_declared(const Registry& registry, const std::string& source) {
    family_of_sources(registry, source).problem({{"source", source}});
}

std::unique_ptr<WorkloadKind> declared_workload(const Registry& registry, const std::string& source,
                                                const Machine& machine) {
    return std::make_unique<DeclaredWorkload>(family_of_sources(registry, source), source, machine);
}

ProblemSpec declared_problem(const WorkloadKind& kind, const std::string& source, const WorkloadSpec& spec) {
    ProblemSpec problem{{"source", source}};
    for (const WorkloadKey& key : kind.keys()) {
        const auto given = spec.find(key.name);
        if (key.size && given != spec.end()) problem[key.name] = given->second;
    }
    return problem;
}

}  // namespace rooftune
