#include "tuner/tune/arms.h"
#include "tuner/engine/worker_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tuner/base/command_words.h"
#include "tuner/base/interrupt.h"
#include "tuner/base/percent.h"
#include "tuner/base/si.h"
#include "tuner/base/suggested.h"
#include "tuner/base/table.h"
#include "tuner/chart/phrases.h"
#include "tuner/measure/counters.h"
#include "tuner/measure/statistics.h"
#include "tuner/measure/worker_evaluator.h"
#include "tuner/store/machine_lock.h"
#include "tuner/tune/headline.h"

namespace rooftune {
namespace {

constexpr int kRounds = 40;

std::vector<Record> rotate(const Setting& s, const Job& job, const std::vector<RunArm>& arms, double seconds,
                           std::uint64_t seed) {
    std::vector<Variant> variants;
    for (const RunArm& arm : arms) variants.push_back(arm.variant);
    const SharedProblem shared(s);
    WorkerEvaluator evaluator(*s.space, kThisProgram, worker_setup(s, job), shared.descriptor(), seed);
    const MachineLock lock([] { return !interrupted(); });
    return evaluator.rotate(variants, kRounds, seconds, "run");
}

}  // namespace

std::string add_arm(std::vector<RunArm>& arms, const RunArm& arm) {
    const auto there = std::find_if(arms.begin(), arms.end(),
                                    [&](const RunArm& other) { return other.variant == arm.variant; });
    if (there == arms.end()) {
        arms.push_back(arm);
        return "";
    }
    if (there->name == arm.name) return "";
    return fmt::format("The {} variant has no row of its own: it is the {} one.", arm.name, there->name);
}

std::string since_tuned(const TimeInterval& then, const TimeInterval& now, const std::string& config) {
    if (!is_time(then.median) || !is_time(now.median)) return "";
    const double change = now.median / then.median - 1.0;
    const bool meet = is_time(then.low) && is_time(now.low) && then.low <= now.high && now.low <= then.high;
    if (meet || std::abs(change) <= kNoiseShare)
        return "The tuned variant still runs as when it was tuned: what differs is within noise.";
    return fmt::format(
        "The tuned variant takes {} {} time than when it was tuned; {} tells whether the machine or the "
        "kernel changed.",
        percent(std::abs(change)), change < 0.0 ? "less" : "more", suggested("verify " + shell_word(config)));
}

ArmsReport measure_arms(const Setting& s, const Job& job, const std::vector<RunArm>& arms, double seconds,
                        std::uint64_t seed, const Notice& notice) {
    const std::vector<Record> records = rotate(s, job, arms, seconds, seed);
    ArmsReport report;
    report.variants = Json::array();
    if (interrupted()) return report;
    Table table({{"variant", Align::left},
                 {"time", Align::right},
                 {"flop/s", Align::right},
                 {"time over " + arms.front().name, Align::right},
                 {"error, share of what is tolerated", Align::right}});
    bool off_the_medians = false;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const Record& record = records[i];
        if (record.outcome != Outcome::measured) {
            report.first_works = report.first_works && i > 0;
            notice(arms[i].name + " variant: " + std::string(to_text(record.outcome)) + ": " + record.detail);
            continue;
        }
        const TimeInterval time = interval_of(record.slots);
        const TimeInterval ratio = ratio_interval(record.slots, records[0].slots);
        if (i == 0) report.first = time;
        off_the_medians =
            off_the_medians || (i > 0 && is_off_the_medians(ratio.median, time.median, report.first.median));
        table.add({arms[i].name + ": " + variant_assignment(s.space->to_map(arms[i].variant)),
                   format_seconds_interval(time.median, time.low, time.high),
                   format_si(s.problem->flops_nominal() / time.median, "flop/s"),
                   i == 0 ? "1" : format_ratio_interval(ratio.median, ratio.low, ratio.high),
                   format_percent_up(record.error)});
        report.variants.push_back(
            {{"name", arms[i].name},
             {"variant", s.space->to_map(arms[i].variant)},
             {"seconds",
              {{"median", time.median}, {"low", time.low}, {"high", time.high}, {"min", time.min}}},
             {"ratio", {{"median", ratio.median}, {"low", ratio.low}, {"high", ratio.high}}},
             {"error", record.error}});
        if (!record.traffic.source.empty()) {
            report.variants.back()["measured_traffic"] = {{"seen", record.traffic.seen},
                                                          {"bytes", record.traffic.bytes},
                                                          {"source", record.traffic.source}};
        }
    }
    report.table = table.to_text();
    if (off_the_medians)
        report.below = "Times over the " + arms.front().name +
                       " variant's are of paired rounds, not of the medians beside them.";
    if (!records[0].traffic.source.empty())
        report.traffic = traffic_sentence(records[0].traffic, s.problem->flops_nominal());
    return report;
}

}  // namespace rooftune
