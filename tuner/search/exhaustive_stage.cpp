// Every variant of a space, excluded ones too: the truth that certificates and strategies are judged by.
//
// It takes minutes, in which a shared machine runs at many speeds: within one, the same variant took 1.4
// times as long seconds later, more than what lies between the first and the hundredth. So the default
// variant is timed every few variants, what it takes is the pace that each record notes, and variants are
// raced at the pace of the moment. Then the best by that measure are timed in rotation, where they compare
// with each other.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <deque>
#include <limits>

#include "tuner/measure/statistics.h"
#include "tuner/search/run_state.h"

namespace rooftune {
namespace {

constexpr int kPaceEvery = 4;          // variants
constexpr std::size_t kPaceSlots = 3;  // whose median is the pace: one of them may be disturbed

constexpr std::size_t kSettled = 192;
constexpr int kSettleRounds = 16;
constexpr double kSettleSeconds = 90.0;
constexpr double kFinalsSeconds = 5.0;

// What the default variant takes just now.
class Pace {
public:
    explicit Pace(RunState& run) : run_(&run) {}

    void probe() {
        const Record record = run_->evaluator.evaluate(run_->input.fallback,
                                                       {.role = "pace", .incumbent_high = 0.0, .slots = 1});
        const double seconds = fastest(record);
        if (is_failure(record.outcome) || !std::isfinite(seconds)) return;
        last_.push_back(seconds);
        if (last_.size() > kPaceSlots) last_.pop_front();
    }
    /// Seconds; 0 where the default variant does not run.
    double now() const { return median(std::vector<double>(last_.begin(), last_.end())); }
    std::string note() const {
        char text[60];
        std::snprintf(text, sizeof text, "pace %.6g s", now());
        return now() > 0.0 ? text : "";
    }

private:
    RunState* run_;
    std::deque<double> last_;
};

struct Paced {
    Variant variant;
    double share = 0.0;  ///< its time over the pace, or its time where there is no pace
};

std::vector<Paced> measure_all(RunState& run) {
    Pace pace(run);
    std::vector<Paced> all;
    double best = std::numeric_limits<double>::infinity();  // least upper end over the pace
    int since = kPaceEvery;
    run.input.space->each(PartialVariant{}, [&](const Variant& variant) {
        if (run.evaluator.interrupted()) return false;
        if (run.input.known.contains(variant)) return true;  // an interrupted run's: as good as it was
        if (++since > kPaceEvery) {
            pace.probe();
            since = 0;
        }
        const double unit = pace.now() > 0.0 ? pace.now() : 1.0;
        // Those that are clearly slower show it in one slot; the others get a full interval.
        const Record& record =
            run.evaluate(variant, {.role = "exhaustive",
                                   .incumbent_high = std::isfinite(best) ? best * unit : 0.0,
                                   .slots = 8,
                                   .note = pace.note()});
        if (is_failure(record.outcome) || record.slots.empty()) return true;
        const TimeInterval seconds = interval_of(record.slots);
        all.push_back({variant, seconds.median / unit});
        if (record.outcome == Outcome::measured) best = std::min(best, seconds.high / unit);
        return true;
    });
    return all;
}

void settle_best(RunState& run, std::vector<Paced> all) {
    std::sort(all.begin(), all.end(), [](const Paced& a, const Paced& b) {
        return a.share != b.share ? a.share < b.share : a.variant < b.variant;
    });
    // The default is in the field, so that the rotation's pace is known as well.
    std::vector<Variant> field{run.input.fallback};
    for (const Paced& p : all) {
        if (field.size() > kSettled) break;
        if (p.variant != run.input.fallback) field.push_back(p.variant);
    }
    if (field.size() < 2 || run.evaluator.interrupted()) return;
    run.stage = "finals";
    const std::vector<Record> records = run.evaluator.rotate(field, kSettleRounds, kSettleSeconds, "settle");
    std::size_t best = field.size();
    const auto median_of = [&](std::size_t i) { return interval_of(records[i].slots).median; };
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (records[i].outcome == Outcome::environment) continue;
        run.ledger.add_known(field[i], records[i]);
        if (records[i].outcome != Outcome::measured || records[i].slots.empty()) continue;
        if (best == field.size() || median_of(i) < median_of(best)) best = i;
    }
    if (best < field.size()) run.ledger.crown(field[best], interval_of(records[best].slots));
}

}  // namespace

void exhaustive_stage(RunState& run) {
    settle_best(run, measure_all(run));
    if (!run.evaluator.interrupted() && run.ledger.incumbent()) finals_stage(run, kFinalsSeconds);
}

}  // namespace rooftune
