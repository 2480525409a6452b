#include "tests/peers/program/program.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "kernels/registry.h"
#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "kernels/runtime/memory.h"
#include "kernels/runtime/nearest.h"
#include "tests/peers/harness/child.h"
#include "tests/peers/harness/family_arm.h"
#include "tests/peers/harness/rounds.h"
#include "tuner/base/atomic_file.h"
#include "tuner/base/interrupt.h"
#include "tuner/base/si.h"
#include "tuner/command/command_line.h"
#include "tuner/engine/job.h"
#include "tuner/engine/options.h"
#include "tuner/formats/tuned_config.h"
#include "tuner/store/machine_lock.h"

namespace rooftune::peers {
namespace {

struct Options {
    std::vector<std::string> problem;
    std::vector<std::string> configs;
    std::string arms;
    CommonOptions where;  ///< --cpus and --threads
    RoundRules rounds;
    double turn_seconds = 0.06;
    std::uint64_t seed = 1;
    std::string out;
    bool json = false;
    bool quiet = false;
};

void declare(Command& app, Options& o) {
    app.option("problem", o.problem, "key=value pairs, as for `rooftune tune`");
    // One file an option, so that problem keys may follow it.
    app.option("--config", o.configs, "Tuned config to compare (JSON); may be repeated").one_value_each();
    app.option("--arms", o.arms, "Only these arms, separated by commas");
    app.option("--threads", o.where.threads, "Most threads to use (default: all)").range(1, 65536);
    app.option("--cpus", o.where.cpus, "Processors to use, like 0,2-3 (default: all this process may use)");
    app.option("--rounds", o.rounds.least, "Least rounds").range(1, 1000).shows_default();
    app.option("--seconds", o.rounds.seconds, "Time for further rounds").not_negative().shows_default();
    app.option("--turn", o.turn_seconds, "Least seconds of an arm's turn").positive().shows_default();
    app.option("--seed", o.seed, "Seed of the input that answers are checked on").shows_default();
    app.flag("--json", o.json, "One JSON document on standard output");
    app.option("--out", o.out, "File for the same document, beside what is printed");
    app.flag("--quiet", o.quiet, "No notices");
}

// The command line's problem, filled up from the suite's where it says nothing of a key.
ProblemSpec problem_of(const Options& o, const Suite& suite) {
    ProblemSpec spec;
    for (const std::string& piece : o.problem) add_to_spec(piece, spec);
    for (const auto& [key, value] : suite.fallback) spec.emplace(key, value);
    return spec;
}

Arm arm_of_config(const std::string& path, const Suite& suite, const Problem& problem, bool several) {
    const TuneResult tuned = read_tuned_config(path).result;
    if (tuned.family != suite.family || tuned.digest != problem.digest()) {
        throw InputError(path + ": tuned for " + tuned.title + ", not for " + problem.title() +
                         "; give the same problem on the command line");
    }
    const std::string name = several ? "tuned:" + std::filesystem::path(path).stem().string() : "tuned";
    return family_arm(name, suite.family, problem.spec(), Choice::given, tuned.best);
}

std::vector<Arm> arms_of(const Options& o, const Suite& suite, const Problem& problem) {
    std::vector<Arm> arms = suite.peers(problem.spec());
    for (Arm& arm : arms) arm.peer = true;
    for (const std::string& path : o.configs)
        arms.push_back(arm_of_config(path, suite, problem, o.configs.size() > 1));
    arms.push_back(family_arm("default", suite.family, problem.spec(), Choice::fallback));
    arms.push_back(family_arm("naive", suite.family, problem.spec(), Choice::naive));
    if (o.arms.empty()) return arms;
    std::vector<std::string> names;
    for (const Arm& arm : arms) names.push_back(arm.name);
    std::vector<Arm> chosen;
    std::stringstream list(o.arms);
    for (std::string name; std::getline(list, name, ',');) {
        const auto at = std::find(names.begin(), names.end(), name);
        if (at == names.end()) {
            std::string known;
            for (const std::string& n : names) known += " " + n;
            const std::string near = nearest(name, names);
            throw InputError("--arms: there is no arm '" + name + "'" +
                             (near.empty() ? "" : "; did you mean '" + near + "'?") + " There are" + known);
        }
        chosen.push_back(arms[static_cast<std::size_t>(at - names.begin())]);
    }
    return chosen;
}

void require_memory(const Suite& suite, const Problem& problem, std::size_t arms) {
    const double needed = static_cast<double>(arms) * suite.bytes(problem);
    const double available = available_memory();
    if (needed > available) {
        throw EnvironmentError("the " + std::to_string(arms) + " arms would need " + format_capacity(needed) +
                               " and " + format_capacity(available) +
                               " are free; take a smaller problem or fewer arms (--arms)");
    }
}

// Measures all arms that are ready, in rounds; fills the lines' slots.
void measure(const Options& o, std::vector<std::unique_ptr<Child>>& children, Comparison& comparison) {
    std::vector<std::size_t> ready;
    for (std::size_t i = 0; i < children.size(); ++i) {
        if (comparison.lines[i].ready.ok) ready.push_back(i);
    }
    TurnRules rules;
    rules.seconds = o.turn_seconds;
    constexpr double kLongestSettle = 2.0;
    SystemStopwatch clock;
    const auto turn = [&](int arm) {
        Child& child = *children[ready[static_cast<std::size_t>(arm)]];
        const Slot slot = child.turn(rules);
        const double settled = child.settle(kLongestSettle);
        comparison.longest_settle = std::max(comparison.longest_settle, settled);
        comparison.restless = comparison.restless || settled >= kLongestSettle;
        return slot;
    };
    RoundRules rounds = o.rounds;
    rounds.most = std::max(rounds.most, rounds.least);
    const auto slots = rotate(
        static_cast<int>(ready.size()), rounds, turn, [&] { return clock.now(); },
        [] { return interrupted(); });
    for (std::size_t i = 0; i < ready.size(); ++i) comparison.lines[ready[i]].slots = slots[i];
}

int compare(const Options& o, const Suite& suite) {
    const std::vector<int> cpus = chosen_cpus(o.where);
    const Registry registry = built_in_families();
    const auto problem = family_named(registry, suite.family).problem(problem_of(o, suite));
    const std::vector<Arm> arms = arms_of(o, suite, *problem);
    require_memory(suite, *problem, arms.size());
    if (!o.out.empty()) check_can_be_written(o.out);
    const auto notice = [&](const std::string& text) {
        if (!o.quiet) std::cerr << "rooftune: " << text << "\n";
    };
    Comparison comparison{problem->title(),
                          read_topology().cpu,
                          problem->spec(),
                          cpus,
                          {{"flop/s", problem->flops_nominal()}},
                          {},
                          0.0,
                          false};
    for (const Rate& rate : suite.rates(*problem)) comparison.rates.push_back(rate);

    // All processes first: nothing is forked, loaded or placed once timing has begun.
    std::vector<std::unique_ptr<Child>> children;
    for (const Arm& arm : arms) children.push_back(std::make_unique<Child>(arm, cpus));
    const MachineLock lock([] { return !interrupted(); });
    bool right = true;
    for (const auto& child : children) {
        if (interrupted()) return 130;
        const Ready ready = child->prepare(o.seed);
        child->settle();
        if (!ready.ok) notice("arm " + child->arm().name + ": " + ready.detail);
        right = right && ready.ok;
        comparison.lines.push_back({child->arm().name, child->arm().peer, ready, {}});
    }
    measure(o, children, comparison);
    if (interrupted()) return 130;
    if (o.json) {
        std::cout << to_json(comparison).dump(2) << "\n";
    } else {
        std::cout << to_text(comparison);
    }
    std::cout.flush();
    if (!o.out.empty()) write_atomically(o.out, to_json(comparison).dump(2) + "\n");
    return right ? 0 : 1;
}

int complain(const std::string& text, int status) {
    std::cerr << "rooftune: " << text << "\n";
    return status;
}

}  // namespace

int run_suite(int argc, char** argv, const Suite& suite) {
    constexpr int kUsage = 2;
    constexpr int kEnvironment = 3;
    Options options;
    CommandLine line(
        "rooftune peers " + suite.family,
        "Measures " + suite.family +
            " against other people's code: one process an arm, interleaved rounds, every answer checked.",
        {});
    Command app = line.root();
    declare(app, options);
    app.runs([&] { return compare(options, suite); });
    try {
        int answered = 0;
        const Action action = line.parse(argc, argv, answered);
        if (!action) return answered;
        watch_for_interrupt();
        return action();
    } catch (const InputError& error) {
        return complain(error.what(), kUsage);
    } catch (const EnvironmentError& error) {
        return complain(error.what(), kEnvironment);
    } catch (const std::exception& error) {
        return complain(std::string("internal error: ") + error.what(), kEnvironment);
    }
}

}  // namespace rooftune::peers
