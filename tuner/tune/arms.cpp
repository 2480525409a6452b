#include "tuner/tune/arms.h"
#include "tuner/engine/worker_program.h"

#include <nlohmann/json.hpp>

#include "tuner/base/interrupt.h"
#include "tuner/base/si.h"
#include "tuner/base/table.h"
#include "tuner/chart/phrases.h"
#include "tuner/measure/counters.h"
#include "tuner/measure/statistics.h"
#include "tuner/measure/worker_evaluator.h"
#include "tuner/store/machine_lock.h"

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
                 {"largest error, of tolerance", Align::right}});
    for (std::size_t i = 0; i < records.size(); ++i) {
        const Record& record = records[i];
        if (record.outcome != Outcome::measured) {
            report.first_works = report.first_works && i > 0;
            notice(arms[i].name + " variant: " + std::string(to_text(record.outcome)) + ": " + record.detail);
            continue;
        }
        const TimeInterval time = interval_of(record.slots);
        const TimeInterval ratio = ratio_interval(record.slots, records[0].slots);
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
    if (!records[0].traffic.source.empty())
        report.traffic = traffic_sentence(records[0].traffic, s.problem->flops_nominal());
    return report;
}

}  // namespace rooftune
