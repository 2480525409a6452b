// `rooftune run CONFIG`: measures a tuned config's winner again, against its default and naive
// variants, on this machine as it is now.
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tuner/cli/commands.h"
#include "tuner/cli/tune_job.h"
#include "tuner/config/tuned_config.h"
#include "tuner/measure/counters.h"
#include "tuner/measure/interrupt.h"
#include "tuner/measure/statistics.h"
#include "tuner/measure/worker_evaluator.h"
#include "tuner/report/si.h"
#include "tuner/report/table.h"
#include "tuner/store/machine_lock.h"

namespace rooftune {
namespace {

struct RunArguments {
    CommonOptions common;
    std::string config;
    std::string against;
    double seconds = 5.0;
};

int run_config(const RunArguments& a, const Registry& registry) {
    const TunedConfig config = read_tuned_config(a.config);
    const TuneResult& tuned = config.result;
    CommonOptions common = a.common;
    if (common.threads == 0 && common.cpus.empty()) common.threads = tuned.threads;
    Job job;
    job.family = &family_named(registry, tuned.family);
    job.problem = tuned.problem;
    job.state = tuned.state;
    job.backend = tuned.backend;
    const auto notice = [&](const std::string& text) {
        if (!common.quiet) std::cerr << "rooftune: " << text << "\n";
    };
    if (tuned.backend == "opencl") {
        if (common.device.empty()) common.device = tuned.device;
        chosen_device(common, chosen_cpus(common));
    }
    const MachineModel machine = machine_model(common, chosen_cpus(common), notice);
    const Setting s = make_setting(job, common, {}, machine.machine);
    if (s.problem->digest() != tuned.digest) {
        throw InputError(a.config + ": the problem " + s.problem->title() +
                         " is not the one that was tuned (its content changed); tune it again");
    }
    if (!applies_to(config, machine.machine.id)) {
        notice("this config was tuned on another machine (" + tuned.machine_name +
               "); the default variant is the safe choice here");
    }
    std::vector<Variant> variants;
    std::vector<std::string> names;
    const auto add = [&](const char* name, const std::map<std::string, std::string>& values,
                         bool again = false) {
        std::string why;
        const auto variant = s.space->from_map(values, why);
        if (!variant)
            throw InputError(a.config + ": the " + std::string(name) +
                             " variant does not exist here: " + why);
        if (!again && std::find(variants.begin(), variants.end(), *variant) != variants.end()) return;
        variants.push_back(*variant);
        names.emplace_back(name);
    };
    add("tuned", tuned.best);
    if (!a.against.empty()) {
        const TunedConfig other = read_tuned_config(a.against);
        if (other.result.digest != tuned.digest || other.result.family != tuned.family) {
            throw InputError(a.against + ": tuned for another problem (" + other.result.title + ") than " +
                             a.config + "; only configs of one problem can be compared");
        }
        // The same variant on both sides is measured on both: then the ratio shows the noise.
        add("other", other.result.best, true);
    }
    add("default", tuned.fallback);
    add("naive", tuned.naive);

    WorkerSetup setup{std::string(s.family->name()), job.problem, s.target, s.state, s.cpus, false};
    const int shared = s.family->share(*s.problem);
    std::vector<Record> records;
    {
        WorkerEvaluator evaluator(*s.space, this_program(), setup, shared, common.seed + 7919);
        const MachineLock lock([] { return !interrupted(); });
        records = evaluator.rotate(variants, 40, a.seconds, "run");
    }
    if (shared >= 0) close(shared);
    if (interrupted()) return 130;

    Table table({{"variant", Align::left},
                 {"time", Align::right},
                 {"flop/s", Align::right},
                 {"time over tuned", Align::right},
                 {"error", Align::right}});
    Json document = Json::array();
    bool right = true;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const Record& record = records[i];
        if (record.outcome != Outcome::measured) {
            right = right && i > 0;
            notice(names[i] + " variant: " + std::string(to_text(record.outcome)) + ": " + record.detail);
            continue;
        }
        const TimeInterval time = interval_of(record.slots);
        const TimeInterval ratio = ratio_interval(record.slots, records[0].slots);
        table.add({names[i] + ": " + s.space->to_text(variants[i]),
                   format_seconds_interval(time.median, time.low, time.high),
                   format_si(tuned.flops_nominal / time.median, "flop/s"),
                   i == 0 ? "1" : format_ratio_interval(ratio.median, ratio.low, ratio.high),
                   format_ratio(record.error)});
        document.push_back(
            {{"name", names[i]},
             {"variant", s.space->to_map(variants[i])},
             {"seconds",
              {{"median", time.median}, {"low", time.low}, {"high", time.high}, {"min", time.min}}},
             {"ratio", {{"median", ratio.median}, {"low", ratio.low}, {"high", ratio.high}}},
             {"error", record.error}});
        if (!record.traffic.source.empty()) {
            document.back()["measured_traffic"] = {{"seen", record.traffic.seen},
                                                   {"bytes", record.traffic.bytes},
                                                   {"source", record.traffic.source}};
        }
    }
    if (common.json) {
        std::cout << Json{{"schema", "rooftune/run/1"},
                          {"config", a.config},
                          {"seconds_when_tuned", tuned.seconds.median},
                          {"variants", document}}
                         .dump(2)
                  << "\n";
    } else {
        std::cout << s.problem->title() << ", tuned " << config.created << " at "
                  << format_seconds(tuned.seconds.median) << "; now, interleaved:\n\n"
                  << table.to_text();
        if (!records[0].traffic.source.empty())
            std::cout << "\n" << traffic_sentence(records[0].traffic, tuned.flops_nominal) << "\n";
    }
    return right ? 0 : 1;
}

}  // namespace

void add_run_command(CLI::App& program, const Registry& registry, Action& action) {
    auto a = std::make_shared<RunArguments>();
    CLI::App* run = program.add_subcommand(
        "run", "Measures a tuned config again, interleaved with its default and naive variants");
    add_common(*run, a->common);
    run->add_option("config", a->config, "Tuned config (JSON)")->required();
    run->add_option("--against", a->against,
                    "Another tuned config of the same problem, measured in the same rounds");
    run->add_option("--seconds", a->seconds, "Time to spend")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    run->callback([a, &registry, &action] { action = [a, &registry] { return run_config(*a, registry); }; });
}

}  // namespace rooftune
