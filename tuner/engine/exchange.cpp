#include "tuner/engine/exchange.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tuner/choose/closest_variant.h"
#include "tuner/measure/sampling.h"
#include "tuner/measure/statistics.h"

namespace rooftune {
namespace {

constexpr int kRounds = 12;
constexpr int kSlots = 2;          // of each before the rotation
constexpr double kNear = 1.04;     // of the winner's time then: two slots can be wrong by as much
constexpr double kHopeless = 2.0;  // times the winner's time: one repetition is enough
constexpr std::size_t kMost = 3;   // in rotation with the winner
constexpr double kStart = 0.5;     // seconds: a fresh process loads the problem and checks all answers
// A search that goes on costs seconds, for which less is no return.
constexpr double kWorth = 0.995;

struct Offer {
    std::size_t place;
    Variant variant;
    double seconds = INFINITY;  ///< until it has been tried
};

double slot_seconds(double repetition) {
    const SamplingRules rules;
    return repetition + rules.batches * std::max(rules.batch_seconds, repetition);
}

// Of two slots the faster: whatever disturbs makes slower.
double fastest(const Record& record) {
    double least = INFINITY;
    for (const Slot& slot : record.slots) least = std::min(least, slot.seconds);
    return least;
}

std::vector<Offer> new_ones(const Space& space, const Variant& best,
                            std::span<const std::map<std::string, std::string>> offers,
                            const std::set<Variant>& known) {
    std::vector<Offer> result;
    std::set<Variant> seen = known;
    seen.insert(best);
    for (std::size_t i = 0; i < offers.size(); ++i) {
        const std::optional<ClosestVariant> here = closest_variant(space, offers[i]);
        if (here && seen.insert(here->variant).second) result.push_back({i, here->variant});
    }
    return result;
}

}  // namespace

Exchange measure_exchange(Evaluator& evaluator, const Space& space, const Variant& best, double best_seconds,
                          std::span<const std::map<std::string, std::string>> offers,
                          const std::set<Variant>& known, double seconds_left) {
    Exchange exchange;
    std::vector<Offer> tried = new_ones(space, best, offers, known);
    const double slot = slot_seconds(1.5 * best_seconds);
    const double singles = static_cast<double>(kSlots * (tried.size() + 1)) * slot;
    const double rotation = kStart + static_cast<double>(kRounds * (kMost + 1)) * slot;
    if (tried.empty() || seconds_left < kStart + singles + rotation) return exchange;
    const double begun = evaluator.now();
    // Beside the winner as it is now: clocks drift between one process and the next.
    const Record own = evaluator.evaluate(best, {.role = "exchange", .slots = kSlots});
    const double now = fastest(own);
    if (is_failure(own.outcome) || !std::isfinite(now)) return exchange;
    const auto time_for_rotation = [&] { return evaluator.now() - begun + rotation <= seconds_left; };
    for (Offer& offer : tried) {
        if (evaluator.interrupted()) return exchange;
        if (!time_for_rotation()) break;
        const Record record = evaluator.evaluate(offer.variant, {.role = "exchange",
                                                                 .incumbent_high = kNear * now,
                                                                 .slots = kSlots,
                                                                 .abandon_above = kHopeless * now});
        if (!is_failure(record.outcome)) offer.seconds = fastest(record);
        ++exchange.tried;
    }
    std::erase_if(tried, [&](const Offer& offer) { return !(offer.seconds <= kNear * now); });
    std::stable_sort(tried.begin(), tried.end(),
                     [](const Offer& a, const Offer& b) { return a.seconds < b.seconds; });
    if (tried.size() > kMost) tried.resize(kMost);
    if (tried.empty() || !time_for_rotation()) return exchange;
    std::vector<Variant> together{best};
    for (const Offer& offer : tried) together.push_back(offer.variant);
    const std::vector<Record> records =
        evaluator.rotate(together, kRounds, std::max(rotation, 1.0), "exchange");
    const auto timed = [](const Record& r) { return r.outcome == Outcome::measured && !r.slots.empty(); };
    if (!timed(records[0])) return exchange;
    for (std::size_t i = 0; i < tried.size(); ++i) {
        if (!timed(records[i + 1])) continue;
        const TimeInterval ratio = ratio_interval(records[i + 1].slots, records[0].slots);
        const double least = exchange.better ? exchange.better->ratio.median : kWorth;
        if (ratio.high < 1.0 && ratio.median < least &&
            decisive_ratio(records[i + 1].slots, records[0].slots) < 1.0)
            exchange.better = {.offer = tried[i].place, .variant = tried[i].variant, .ratio = ratio};
    }
    return exchange;
}

}  // namespace rooftune
