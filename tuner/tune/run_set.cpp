#include "tuner/tune/run_set.h"

#include <fmt/format.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "kernels/runtime/error.h"
#include "tuner/base/interrupt.h"
#include "tuner/base/joined.h"
#include "tuner/base/standard_output.h"
#include "tuner/base/text_width.h"
#include "tuner/chart/phrases.h"
#include "tuner/choose/rule.h"
#include "tuner/command/notices.h"
#include "tuner/formats/tuned_set.h"
#include "tuner/tune/arms.h"

namespace rooftune {
namespace {

std::string described(const TunedGroup& g) {
    return g.family + " " + g.dtype + ", " + g.state + ", " + g.backend;
}

// The problem of the command line, of the named family or the only one that the set has.
Job job_of(const RunSetArguments& a, const TunedSet& set, const Registry& registry) {
    std::vector<std::string> pieces = a.pieces;
    std::string family;
    if (!pieces.empty() && pieces.front().find('=') == std::string::npos) {
        family = pieces.front();
        pieces.erase(pieces.begin());
    } else {
        std::set<std::string> families;
        for (const TunedGroup& g : set.groups) families.insert(g.family);
        if (families.empty()) throw InputError(a.set + ": the set holds no winner; tune its job again");
        if (families.size() > 1) {
            throw InputError(
                a.set + ": the set has several families; name one before the problem, like `rooftune run " +
                a.set + " " + *families.begin() + " KEY=VALUE`");
        }
        family = *families.begin();
    }
    if (pieces.empty())
        throw InputError(a.set + ": a tuned set needs a problem, like `rooftune run " + a.set +
                         " KEY=VALUE,KEY=VALUE`");
    Job job;
    name_problem(registry, family, job);
    for (const std::string& piece : pieces) add_to_spec(piece, job.problem);
    job.state = a.common.state;
    job.backend = a.common.backend;
    job.loaded = job.family->problem(job.problem);
    return job;
}

const TunedGroup& group_for(const std::string& file, const TunedSet& set, const Job& job,
                            const CommonOptions& options) {
    const std::string family(job.family->name()), dtype(to_text(job.loaded->dtype()));
    const std::string backend(to_text(backend_of(job, options)));
    std::string known;
    for (const TunedGroup& g : set.groups) {
        if (g.family == family && g.dtype == dtype && g.backend == backend && g.state == job.state) return g;
        known += (known.empty() ? "" : "; ") + described(g);
    }
    throw InputError(file + ": the set has no " + family + " " + dtype + ", " + job.state + ", " + backend +
                     "; it has " + known);
}

std::vector<double> features_for(const std::string& file, const TunedGroup& group, const Problem& problem,
                                 const Space& space) {
    std::vector<double> values;
    std::vector<std::string> names;
    for (const auto& [name, value] : problem.features()) {
        names.push_back(name);
        values.push_back(value);
    }
    if (names != group.features || space.version() != group.space_version) {
        throw InputError(file + ": the set was made for another version of the family " + group.family +
                         "; tune its job again");
    }
    return values;
}

std::string why(const TunedGroup& group, const RuleChoice& choice, bool elsewhere) {
    const TunedProblem& nearest = group.problems[choice.nearest];
    const std::string at = fmt::format(" (distance {:.3g}, reach {:.3g})", choice.distance, group.reach);
    if (elsewhere) return "the set was tuned on another machine: the default variant";
    if (choice.distance == 0.0 && choice.from) return "the winner of " + nearest.title + " itself";
    if (choice.from) {
        const int changed = choice.variant->changed;
        return "the winner of " + nearest.title + at +
               (changed == 0   ? ""
                : changed == 1 ? ", one parameter changed to fit"
                               : ", " + std::to_string(changed) + " parameters changed to fit");
    }
    if (choice.distance > group.reach)
        return "nothing is near, " + nearest.title + " is the nearest" + at + ": the default variant";
    return "no variant near the winner of " + nearest.title + " is valid here: the default variant";
}

}  // namespace

int run_set(const RunSetArguments& a, const Registry& registry) {
    const TunedSet set = read_tuned_set(a.set);
    CommonFlags common = a.common;
    const Job job = job_of(a, set, registry);
    const TunedGroup& group = group_for(a.set, set, job, common);
    if (common.threads == 0 && common.cpus.empty()) common.threads = group.threads;
    if (group.backend == "opencl") {
        common.threads = a.common.threads;
        if (common.device.empty()) common.device = group.device;
        chosen_device(common, chosen_cpus(common));
    }
    const Notice notice = notices(common.quiet);
    const MachineModel machine = machine_model(common, chosen_cpus(common), notice);
    const Setting s = make_setting(job, common, {}, machine.machine);
    const std::vector<double> features = features_for(a.set, group, *s.problem, *s.space);
    const bool elsewhere = set.machine_id != machine.machine.id;
    const RuleChoice choice = choose(group, features, *s.space);
    const bool by_rule = choice.from && !elsewhere;
    const Variant variant = by_rule ? choice.variant->variant : s.fallback;
    const std::string reason = why(group, choice, elsewhere);

    Json document = {{"schema", "rooftune/run-set/1"},
                     {"set", a.set},
                     {"problem", s.problem->spec()},
                     {"nearest", group.problems[choice.nearest].problem},
                     {"distance", choice.distance},
                     {"reach", group.reach},
                     {"by_rule", by_rule},
                     {"changed", by_rule ? choice.variant->changed : 0},
                     {"why", reason},
                     {"variant", s.space->to_map(variant)}};
    ArmsReport report;
    std::vector<std::string> sentences;  // below the table
    if (!a.choose) {
        std::vector<RunArm> arms{{by_rule ? "chosen" : "default", variant}};
        for (const RunArm& other : {RunArm{"default", s.fallback}, RunArm{"naive", s.naive}}) {
            if (const std::string same = add_arm(arms, other); !same.empty()) sentences.push_back(same);
        }
        report = measure_arms(s, job, arms, a.seconds, common.seed + 7919, notice);
        if (interrupted()) return 130;
        document["variants"] = report.variants;
    }
    std::string text =
        s.problem->title() + ": " + reason + "\n\n" + variant_assignment(s.space->to_map(variant)) + "\n";
    if (!a.choose) text += "\nInterleaved:\n\n" + report.table;
    if (!report.below.empty()) sentences.insert(sentences.begin(), report.below);
    if (!sentences.empty()) text += "\n" + wrap(joined(sentences, " ", " ")) + "\n";
    if (!report.traffic.empty()) text += "\n" + report.traffic + "\n";
    answer(common, a.file, document.dump(2) + "\n", text);
    return report.first_works ? 0 : 1;
}

}  // namespace rooftune
