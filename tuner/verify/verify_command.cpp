// `rooftune verify DIR|CONFIG…`: is what was tuned still valid? Machine, build, problem and answer, speed
// against the roof as it is now, and the winner against its runner-up.
#include <map>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "kernels/runtime/error.h"
#include "tuner/base/interrupt.h"
#include "tuner/ceilings/probe_machine.h"
#include "tuner/command/common_flags.h"
#include "tuner/engine/machine_model.h"
#include "tuner/formats/machine_file.h"
#include "tuner/formats/result_json.h"
#include "tuner/formats/setting_words.h"
#include "tuner/track/measuring_screen.h"
#include "tuner/verify/commands.h"
#include "tuner/verify/files.h"
#include "tuner/verify/verify_config.h"
#include "tuner/verify/verify_measure.h"
#include "tuner/verify/verify_text.h"

namespace rooftune {
namespace {

using verify::Claim;
using verify::Verified;
using verify::VerifyReport;

struct VerifyArguments {
    CommonFlags common;
    std::vector<std::string> paths;
    VerifyRules rules;
    double delta = 0.0;  ///< 0: by the machine's history
    std::string file;    ///< for the text, besides
};

Machine machine_here(const CommonOptions& common) {
    return common.machine.empty() ? new_machine() : read_machine_file(machine_path(common.machine));
}

// What is known before it is measured: whom it meets is about as fast.
Cost cost_of(const TuneResult& tuned) {
    const VariantCost known{tuned.seconds.median, tuned.prepare_seconds};
    Cost cost = cost_of_variants(known, known);
    cost.before = checking_seconds(known);
    return cost;
}

// What stops the verifying of one config must not take the others' verdicts.
Verified stopped(const Claim& claim, const std::string& why) {
    return verify::verified(
        claim, "", {{verify::Question::answer, verify::Status::undecided, "", "", why, false}}, std::nullopt);
}

std::optional<Verified> verify_one(const Claim& claim, const VerifyArguments& a, const Machine& here,
                                   const Registry& registry, MeasuringScreen& screen) {
    try {
        return verify_config(claim, a.common, a.rules, here, registry, screen);
    } catch (const InputError& error) {
        return stopped(claim, error.what());
    } catch (const EnvironmentError& error) {
        return stopped(claim, error.what());
    } catch (const std::bad_alloc&) {
        return stopped(claim, "not enough memory");
    }
}

VerifyReport verify_all(const VerifyArguments& a, const Registry& registry) {
    VerifyReport report;
    report.quick = a.rules.quick;
    const verify::Found found = verify::find_claims(a.paths);
    chosen_cpus(a.common);  // a mistake in --cpus or --threads is nobody's verdict
    const Machine here = machine_here(a.common);
    report.machine = here.id;
    report.passed_over = found.passed_over;
    for (const auto& [file, why] : found.unreadable) report.configs.push_back(verify::unreadable(file, why));
    std::set<verify::Identity> different;
    std::vector<Cost> costs;
    for (const Claim& claim : found.claims) {
        if (different.insert(identity(claim)).second) costs.push_back(cost_of(claim.tuned));
    }
    MeasuringScreen screen("verifying", "tuned config", different.size(), a.common.quiet);
    screen.expects(std::move(costs));
    std::map<verify::Identity, Verified> known;
    for (const Claim& claim : found.claims) {
        if (const auto same = known.find(identity(claim)); same != known.end()) {
            Verified again = same->second;
            again.same_as = again.file;
            again.file = claim.file;
            again.of_set = claim.of_set;
            report.configs.push_back(std::move(again));
            continue;
        }
        std::optional<Verified> verified;
        if (!interrupted()) {
            screen.next(claim.tuned.title + setting_words(claim.tuned.backend, claim.tuned.state));
            verified = verify_one(claim, a, here, registry, screen);
        }
        // What Ctrl-C cut short says nothing about its config.
        if (!verified || (interrupted() && verified->verdict == verify::Validity::undecided)) {
            std::vector<std::string>& left = report.not_verified;
            if (left.empty() || left.back() != claim.file) left.push_back(claim.file);
            continue;
        }
        known.emplace(identity(claim), *verified);
        report.configs.push_back(std::move(*verified));
    }
    return report;
}

int verify_configs(VerifyArguments a, const Registry& registry) {
    if (a.delta > 0.0) a.rules.delta = a.delta;
    check_text_file(a.file);
    const VerifyReport report = verify_all(a, registry);
    // What Ctrl-C left nothing of must not take the place of an earlier answer.
    const bool nothing = interrupted() && report.configs.empty();
    answer(a.common, nothing ? "" : a.file, json_text(to_json(report)), verify_text(report));
    return exit_status(report);
}

}  // namespace

void add_verify_command(Command& program, const Registry& registry) {
    auto a = std::make_shared<VerifyArguments>();
    Command app = program.command(
        "verify",
        "Is what was tuned still valid? Tuned configs against machine, build and problem as they are now");
    app.footer(
        "Examples:\n"
        "  rooftune verify results/local/tuned           all configs that tunes left there, measured\n"
        "  rooftune verify --quick results/local/tuned   what can be seen without measuring\n"
        "  rooftune verify a.json set.json               these two; of a tuned set each of its problems\n"
        "The winner's answer is compared on new data, its speed with the roof as probed beside it, and it "
        "meets "
        "its\n"
        "runner-up in interleaved rounds of fresh processes. VALID. STALE: compiler, kernels, problem or "
        "roof "
        "changed.\n"
        "SLOWER: it reaches less of the machine. BEATEN: its runner-up wins. WRONG: no right answer. NOT "
        "HERE: "
        "another\n"
        "machine, programs take the default. UNDECIDED: measuring gave no answer. UNREADABLE: torn, or no "
        "config.\n"
        "Exit status: 0 all VALID; 1 WRONG, BEATEN, SLOWER or STALE; 2 bad usage, UNREADABLE; 3 NOT HERE, "
        "UNDECIDED.");
    add_common(app, a->common);
    app.option("paths", a->paths, "Tuned configs, tuned sets, or folders of them").required();
    app.flag("--quick", a->rules.quick, "Measure nothing: machine, build, problem and variant only");
    app.option("--limit", a->rules.limit, "Seconds that one turn of a variant may take")
        .positive()
        .shows_default();
    add_delta(app, a->delta);
    add_text_file(app, a->file);
    app.runs([a, &registry] { return verify_configs(*a, registry); });
}

}  // namespace rooftune
