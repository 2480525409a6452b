// Every variant of a space, excluded ones too: the truth that certificates and strategies are judged by.
//
// It takes minutes, in which a shared machine runs at many speeds: within one, the same variant took 1.4
// times as long seconds later, more than what lies between the first and the hundredth. So the default
// variant is timed every few variants, what it takes is the pace that each record notes, and variants are
// raced at the pace of the moment. That measure rests on single slots, and the best by it are those that
// were lucky. So more than could be the best run in batches, small rotations with the default in each, and
// the best of these in one rotation, where they compare with each other.
#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <span>

#include "tuner/measure/pace_note.h"
#include "tuner/measure/statistics.h"
#include "tuner/search/run_state.h"

namespace rooftune {
namespace {

constexpr int kPaceEvery = 4;          // variants
constexpr std::size_t kPaceSlots = 3;  // whose median is the pace: one of them may be disturbed

// In matmul's space, before there were batches, 189 of the best 200 had never been in the rotation.
constexpr std::size_t kBatched = 1536, kBatchField = 24;  // a batch takes two seconds: spells last as long
constexpr int kBatchRounds = 8;
constexpr double kBatchSeconds = 20.0;
constexpr int kRecheckRounds = 3;
constexpr double kDoubtful = 2.0;  // of the best's share: slots of 1.8 times the truth were recorded

constexpr std::size_t kSettled = 192;
constexpr int kSettleRounds = 40;
constexpr double kSettleSeconds = 180.0;
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
    const auto measure = [&](const Variant& variant, std::vector<Variant> next) {
        if (run.evaluator.interrupted()) return false;
        // An interrupted run's are as good as they were, if the pace of that time is known.
        if (const auto at = run.input.known.find(variant); at != run.input.known.end()) {
            const Record& known = at->second;
            if (is_failure(known.outcome)) return true;
            double then = noted_pace(known);
            if (then == 0.0 && known.role == "exhaustive" && known.detail.empty()) then = 1.0;
            if (then > 0.0 && !known.slots.empty()) {
                const TimeInterval seconds = interval_of(known.slots);
                all.push_back({variant, seconds.median / then});
                if (known.outcome == Outcome::measured) best = std::min(best, seconds.high / then);
                return true;
            }
        }
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
                                   .note = pace_note(pace.now()),
                                   .next = std::move(next)});
        if (is_failure(record.outcome) || record.slots.empty()) return true;
        const TimeInterval seconds = interval_of(record.slots);
        all.push_back({variant, seconds.median / unit});
        if (record.outcome == Outcome::measured) best = std::min(best, seconds.high / unit);
        return true;
    };
    // A few at a time, so that each knows which come next.
    std::vector<Variant> some;
    const auto measure_some = [&] {
        bool go_on = true;
        for (std::size_t i = 0; i < some.size() && go_on; ++i)
            go_on = measure(some[i], {some.begin() + static_cast<std::ptrdiff_t>(i) + 1, some.end()});
        some.clear();
        return go_on;
    };
    bool go_on = true;
    run.space().each(PartialVariant{}, [&](const Variant& variant) {
        some.push_back(variant);
        if (static_cast<int>(some.size()) > run.input.look_ahead) go_on = measure_some();
        return go_on;
    });
    if (go_on) measure_some();
    return all;
}

void sort_by_share(std::vector<Paced>& all) {
    std::sort(all.begin(), all.end(), [](const Paced& a, const Paced& b) {
        return a.share != b.share ? a.share < b.share : a.variant < b.variant;
    });
}

// One rotation, the default first; without it there is no pace, and what the variants had stands.
void run_batch(RunState& run, std::span<Paced> field, int rounds) {
    std::vector<Variant> variants{run.input.fallback};
    for (const Paced& p : field) variants.push_back(p.variant);
    const std::vector<Record> records = run.evaluator.rotate(variants, rounds, kBatchSeconds, "heat");
    if (records.front().outcome != Outcome::measured) return;
    for (std::size_t i = 0; i < field.size(); ++i) {
        const Record& record = records[i + 1];
        if (record.outcome == Outcome::environment) continue;
        run.ledger.add_known(field[i].variant, record);
        const double share = ratio_interval(record.slots, records.front().slots).median;
        const bool timed = record.outcome == Outcome::measured && share > 0.0;
        field[i].share = timed ? share : std::numeric_limits<double>::infinity();
    }
    run.show_progress();
}

void run_batches(RunState& run, std::span<Paced> all, int rounds) {
    for (std::size_t from = 0; from < all.size() && !run.evaluator.interrupted(); from += kBatchField)
        run_batch(run, all.subspan(from, std::min(kBatchField, all.size() - from)), rounds);
}

// One disturbed slot makes a variant look twice as slow, and it would never be in a batch: whatever is not
// clearly slower than that gets a second look.
void look_again(RunState& run, std::vector<Paced>& all) {
    if (all.size() <= kBatched) return;
    sort_by_share(all);
    const double limit = kDoubtful * all[kBatchField].share;
    std::vector<Paced> doubtful, others;
    for (const Paced& p : all) {
        // An interrupted run may have looked already.
        const bool alone = run.ledger.records().at(p.variant).role == "exhaustive";
        (alone && p.share <= limit ? doubtful : others).push_back(p);
    }
    run_batches(run, doubtful, kRecheckRounds);
    all = std::move(others);
    all.insert(all.end(), doubtful.begin(), doubtful.end());
}

// The best by their shares in batches, in order.
std::vector<Paced> best_of(RunState& run, std::vector<Paced> all) {
    std::erase_if(all, [&](const Paced& p) { return p.variant == run.input.fallback; });
    run.stage = "batches";
    look_again(run, all);
    sort_by_share(all);
    if (all.size() <= kSettled) return all;
    all.resize(std::min(all.size(), kBatched));
    run_batches(run, all, kBatchRounds);
    sort_by_share(all);
    return all;
}

void settle_best(RunState& run, const std::vector<Paced>& all) {
    // The default is in the field, so that the rotation's pace is known as well.
    std::vector<Variant> field{run.input.fallback};
    for (const Paced& p : all) {
        if (field.size() > kSettled) break;
        if (p.variant != run.input.fallback && std::isfinite(p.share)) field.push_back(p.variant);
    }
    if (field.size() < 2 || run.evaluator.interrupted()) return;
    run.stage = "finals";
    const std::vector<Record> records = run.evaluator.rotate(field, kSettleRounds, kSettleSeconds, "settle");
    std::size_t best = field.size();
    const auto median_of = [&](std::size_t i) { return interval_of(records[i].slots).median; };
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (records[i].outcome == Outcome::environment || !run.space().valid(field[i])) continue;
        run.ledger.add_known(field[i], records[i]);
        if (records[i].outcome != Outcome::measured || records[i].slots.empty()) continue;
        if (best == field.size() || median_of(i) < median_of(best)) best = i;
    }
    if (best < field.size()) run.ledger.crown(field[best], interval_of(records[best].slots));
}

}  // namespace

void exhaustive_stage(RunState& run) {
    settle_best(run, best_of(run, measure_all(run)));
    if (!run.evaluator.interrupted() && run.ledger.incumbent()) finals_stage(run, kFinalsSeconds);
}

}  // namespace rooftune
