#include <unistd.h>

#include <algorithm>
#include <set>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "kernels/runtime/kernels_build.h"
#include "kernels/runtime/memory.h"
#include "kernels/runtime/nearest.h"
#include "kernels/runtime/opencl.h"
#include "models/conditions.h"
#include "models/emptied_by.h"
#include "tuner/base/quoted_parts.h"
#include "tuner/ceilings/ages.h"
#include "tuner/ceilings/plan.h"
#include "tuner/ceilings/plan_opencl.h"
#include "tuner/engine/setting.h"
#include "tuner/search/enumerate/expression.h"

namespace rooftune {
namespace {

// The parts of a list that a separator divides; one at its end divides nothing.
std::vector<std::string> parts_of(const std::string& text, char separator) {
    std::vector<std::string> parts = quoted_parts(text, separator);
    if (!parts.empty() && parts.back().empty()) parts.pop_back();
    return parts;
}

// A cut by one value that has a comma itself, as it should have been written; empty where it is none.
std::string in_quotes(const Space& space, const std::string& whole) {
    const std::size_t equals = whole.find('=');
    const int at = space.find(whole.substr(0, equals));
    if (equals == std::string::npos || at < 0 || whole.find(',') == std::string::npos) return "";
    const std::string value = whole.substr(equals + 1);
    const std::vector<ParameterValue>& values = space.parameters()[static_cast<std::size_t>(at)].values;
    const bool is_one =
        std::any_of(values.begin(), values.end(), [&](const ParameterValue& v) { return v.text == value; });
    return is_one ? whole.substr(0, equals) + "='\"" + value + "\"'" : "";
}

// Where the parameters of the job's space are shown: by its family, or by the file of the user's own kernel.
// A program that flags describe has neither.
std::string where_listed(const Job& job) {
    std::string name(job.family->name());
    if (name == "external") {
        const auto source = job.problem.find("source");
        name = source == job.problem.end() ? "" : source->second;
    }
    const bool is_word = !name.empty() && name.find_first_of("{ \n") == std::string::npos;
    return is_word ? "; `rooftune list parameters " + name + "` shows them" : "";
}

// "parameter=value|value" as a constraint on the job's space; `whole` is what the user wrote, which may be a
// list of them.
void cut(Space& space, const Job& job, const std::string& text, const std::string& whole) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const int parameter = space.find(name);
    if (equals == std::string::npos && text.size() < whole.size()) {
        std::string meant = whole;
        std::replace(meant.begin(), meant.end(), ',', '|');
        if (const std::string quoted = in_quotes(space, whole); !quoted.empty()) meant = quoted;
        throw InputError("--only " + whole + ": '" + text +
                         "' is no parameter=value; values are separated by '|'" +
                         (std::count(whole.begin(), whole.end(), '=') == 1 ? ": did you mean " + meant + "?"
                                                                           : ", parameters by commas"));
    }
    if (parameter < 0 || equals == std::string::npos) {
        std::vector<std::string> names;
        for (const Parameter& p : space.parameters()) names.push_back(p.name);
        const std::string near = nearest(name, names);
        throw InputError("--only " + whole + ": there is no parameter '" + name + "'" +
                         (near.empty() ? "" : "; did you mean '" + near + "'?") +
                         " Write parameter=value|value, like prefetch=0|256, and commas between several" +
                         where_listed(job));
    }
    const Parameter& p = space.parameters()[static_cast<std::size_t>(parameter)];
    std::set<std::int8_t> allowed{PartialVariant::kAbsent};
    for (const std::string& part : parts_of(text.substr(equals + 1), '|')) {
        const std::string value = unquoted(part);
        const auto at = std::find_if(p.values.begin(), p.values.end(),
                                     [&](const ParameterValue& v) { return v.text == value; });
        if (at == p.values.end()) {
            std::string known;
            for (const ParameterValue& v : p.values) known += " " + v.text;
            const std::string quoted = in_quotes(space, whole);
            throw InputError("--only " + whole + ": '" + value + "' is not a value of " + name +
                             " here; it is one of" + known +
                             (quoted.empty() ? "" : "; did you mean " + quoted + "?"));
        }
        allowed.insert(static_cast<std::int8_t>(at - p.values.begin()));
    }
    space.add(
        Constraint{"--only " + text,
                   parameter,
                   [parameter, allowed](const PartialVariant& v) { return allowed.contains(v[parameter]); },
                   {parameter}});
}

std::string empty_text(const Problem& problem, const Space& space) {
    std::string by;
    const std::vector<std::string> rules = emptied_by(space);
    for (const std::string& rule : rules) by += (by.empty() ? "'" : ", '") + rule + "'";
    return "the space of " + problem.title() + " is empty: " +
           (rules.size() == 1 ? by + " leaves nothing of it" : "together " + by + " leave nothing of it") +
           "; loosen " + (rules.size() == 1 ? "it" : "one of them");
}

// The family's space under --only and the job's own constraints.
struct CutSpace {
    Space space;
    ParameterSet named;  ///< by those cuts: the user's to choose
};

CutSpace cut_space(const Job& job, const std::vector<std::string>& only, const Problem& problem,
                   const Target& target) {
    Space space = job.family->space(problem, target);
    const std::size_t own = space.constraints().size();
    for (const std::string& whole : only) {
        for (const std::string& text : parts_of(whole, ',')) cut(space, job, text, whole);
    }
    for (const JobConstraint& c : job.constraints) space.add(constraint_from(space, c.expression, c.where));
    if (space.count(PartialVariant{}) == 0) throw InputError(empty_text(problem, space));
    ParameterSet named;
    for (std::size_t i = own; i < space.constraints().size(); ++i)
        named = named | space.constraints()[i].depends_on;
    return {std::move(space), named};
}

// The first rule that a variant breaks, as its user wrote it.
std::string broken_rule(const Space& space, const Variant& variant) {
    for (const Constraint& c : space.constraints()) {
        if (!c.holds(variant)) return "'" + c.text + "'";
    }
    return "the space";
}

// Says which of the references a cut leaves out: they are measured beside the winner all the same.
std::string left_out_text(const Setting& s) {
    std::string names, rule;
    for (const auto& [variant, name] : {std::pair{s.naive, "naive"}, std::pair{s.fallback, "default"}}) {
        if (s.space->valid(variant)) continue;
        names += (names.empty() ? "the " : " and the ") + std::string(name) + " variant";
        if (rule.empty()) rule = broken_rule(*s.space, variant);
    }
    if (names.empty()) return "";
    return rule + " leaves out " + names + ": measured beside the finalists all the same, never the winner";
}

void add_unprobed(std::vector<Ceiling>& ceilings, const ProbePlan& plan) {
    for (const auto& group : plan.groups) {
        for (const probe::Target& target : group) {
            Ceiling c;
            c.resource = target.resource;
            c.when = target.when;
            c.excludes = may_exclude(c.resource, c.when);
            ceilings.push_back(c);
        }
    }
}

Target target_of(const Job& job, const CommonOptions& options, const std::vector<int>& cpus,
                 const Topology& topology) {
    Target target = target_on(topology, usable_widths(), static_cast<int>(cpus.size()));
    target.backend = backend_of(job, options);
    if (target.backend == Backend::opencl) {
        target.device = chosen_device(options, cpus);
        target.threads = target.device.compute_units;
    }
    return target;
}

}  // namespace

Backend backend_of(const Job& job, const CommonOptions& options) {
    const std::vector<Backend> known = job.family->backends_of(job.problem);
    const std::string text = !options.backend.empty() ? options.backend
                             : !job.backend.empty()   ? job.backend
                                                      : std::string(to_text(known.front()));
    const std::optional<Backend> named = backend_from(text);
    if (!named) throw InputError("the backend '" + text + "' is none; write cpu or opencl");
    const Backend backend = *named;
    if (std::find(known.begin(), known.end(), backend) == known.end()) {
        std::string list;
        for (const Backend b : known) list += (list.empty() ? "" : ", ") + std::string(to_text(b));
        throw InputError("--backend " + text + ": the family " + std::string(job.family->name()) +
                         " has no variants for it; it has them for " + list);
    }
    return backend;
}

Device chosen_device(const CommonOptions& options, const std::vector<int>& cpus) {
    return pick_device(opencl_devices(cpus), options.device);
}

std::vector<Ceiling> own_ceilings(const Setting& s, const Topology& topology) {
    const Bytes memory(available_memory());
    const bool device = s.target.backend == Backend::opencl;
    const DType dtype = s.problem->dtype();
    std::vector<ProbePlan> plans;
    if (device) plans.push_back(opencl_conditions_for(s.target.device, topology, s.footprint(), memory));
    // A device that is this CPU is bounded by the native peaks as well.
    if (device && s.target.device.is_cpu)
        plans.push_back(peak_conditions_for(topology, dtype, s.target.threads));
    if (!device)
        plans.push_back(probe_conditions_for(topology, s.footprint(), dtype, s.target.threads, memory));
    if (!device && s.state == State::cold)
        plans.push_back(memory_conditions_for(topology, s.target.threads, memory));
    std::vector<Ceiling> ceilings;
    for (const ProbePlan& plan : plans) add_unprobed(ceilings, plan);
    return ceilings;
}

std::vector<Ceiling> joint_ceilings(const Setting& s, const Topology& topology) {
    // What a second-level cache holds is bound by in-core terms, and its tune may take no longer than these
    // probes.
    constexpr double kLeast = 1024.0 * 1024.0;
    std::vector<Ceiling> ceilings;
    const bool gathers = s.model->traits(PartialVariant{}).gather_footprint.value > 0.0;
    if (s.target.backend != Backend::cpu || s.state != State::warm || s.footprint().value < kLeast ||
        s.model->work(PartialVariant{}).traffic.products > 0.0)
        return ceilings;
    add_unprobed(ceilings, joint_conditions_for(topology, s.footprint(), s.target.threads,
                                                Bytes(available_memory()), gathers));
    // Gathers of f32 may load more elements a cycle than those that are probed, and without AVX-512, or where
    // it gathers slowly, no kernel gathers; where one does none loads so few scalars.
    constexpr int kFewScalars = 6;
    const bool gather = kernels_gather(s.target);
    std::erase_if(ceilings, [&](const Ceiling& c) {
        const LoadsBesides& b = c.when.besides;
        if (b.gathered > 0) return !gather || s.problem->dtype() != DType::f64;
        return gather && b.scalars > 0 && b.scalars <= kFewScalars;
    });
    return ceilings;
}

std::vector<Ceiling> ranking_ceilings(const Setting& s, const Machine& machine, const std::string& now) {
    std::vector<Ceiling> ceilings;
    if (s.target.backend != Backend::cpu) return ceilings;
    const Bytes gathered = s.model->traits(PartialVariant{}).gather_footprint;
    const ProbePlan plan =
        ranking_conditions_for(machine.topology, s.footprint(), gathered, s.problem->dtype(),
                               s.target.threads, Bytes(available_memory()));
    add_unprobed(ceilings, missing_or_old(machine, plan, now));
    return ceilings;
}

Bytes Setting::footprint() const {
    const Work work = model->work(PartialVariant{});
    return work.traffic.reads + work.traffic.writes;
}

void check_cuts(const Job& job, const CommonOptions& options, const std::vector<std::string>& only,
                const Problem& problem) {
    if (only.empty() && job.constraints.empty()) return;
    const Target target = target_of(job, options, chosen_cpus(options), read_topology());
    cut_space(job, only, problem, target);
}

Setting make_setting(const Job& job, const CommonOptions& options, const std::vector<std::string>& only,
                     const Machine& machine) {
    Setting s;
    s.family = job.family;
    s.cpus = chosen_cpus(options);
    s.target = target_of(job, options, s.cpus, machine.topology);
    const std::string& state = job.state.empty() ? options.state : job.state;
    if (!state_from(state)) throw InputError("the state '" + state + "' is none; write warm or cold");
    s.state = *state_from(state);
    s.problem = job.loaded ? job.loaded : job.family->problem(job.problem);
    CutSpace cut = cut_space(job, only, *s.problem, s.target);
    s.space = std::make_unique<Space>(std::move(cut.space));
    s.offer = SpaceOffer::first(*s.space, cut.named);
    s.model = job.family->work_model(*s.problem, *s.space, s.target, s.state);
    s.naive = job.family->naive_variant(*s.problem, *s.space, s.target);
    s.fallback = job.family->default_variant(*s.problem, *s.space, s.target);
    s.references_left_out = left_out_text(s);
    return s;
}

JobKey key_of(const Setting& s, const Machine& machine) {
    JobKey key;
    key.family = s.family->name();
    key.problem = s.problem->spec();
    key.digest = s.problem->digest();
    key.dtype = to_text(s.problem->dtype());
    key.state = to_text(s.state);
    key.threads = s.target.threads;
    if (s.target.backend == Backend::opencl) key.backend = "opencl " + s.target.device.id;
    key.machine_id = machine.id;
    key.space_version = s.space->version();
    key.build = kernels_build();
    key.title = s.problem->title();
    return key;
}

WorkerSetup worker_setup(const Setting& s, const Job& job) {
    WorkerSetup setup;
    setup.family = s.family->name();
    setup.spec = job.problem;
    setup.target = s.target;
    setup.state = s.state;
    setup.cpus = s.cpus;
    setup.compilers = {s.family->compile_seconds(), s.family->rebuild_seconds(*s.problem)};
    return setup;
}

SharedProblem::SharedProblem(const Setting& setting) : descriptor_(setting.family->share(*setting.problem)) {}

SharedProblem::~SharedProblem() {
    if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace rooftune
