#include "tuner/measure/racing.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "tuner/measure/statistics.h"

namespace rooftune {
namespace {

// What disturbs takes a processor for a while, which comes to a factor of two or three and not always to the
// same side.
constexpr double kWhateverDisturbs = 4.0;

constexpr double kPerhapsBehind = 1.5;  ///< of as many threads, whatever disturbs

constexpr double kOneIsEnough = 0.5;  ///< seconds of a repetition that is not asked for twice

double limit_after(int clean) {
    return clean >= 3 ? 1.08 : 1.25;
}

// By disturbed pairs. A disturbance that comes or goes between the two turns of a pair makes either of them
// twice as slow, but rarely the same one in three or four pairs in a row, or in half of many. Simulated with
// bursts of 0.2 to 5 s (tests/unit/search/pace_test.cpp has a machine like it) and repetitions of 20 ms, a
// variant 1.1 times as slow is dropped after 4.7 pairs and one of twice the time after 3.1, an equal one in
// 500 at all. Asking for five pairs beyond 1.25 or eight beyond 1.12 kept the first for 11.7 of twelve pairs,
// which is what most of a disturbed minute went into. Where a repetition is nearly as long as a burst, one
// more pair is asked for: of 0.25 s, 8 % of equal variants are dropped, and 3 % of those that are a tenth
// faster.
bool slower_in_all(const std::vector<double>& ratios, double repetition) {
    struct Limit {
        std::size_t pairs;
        double least, median;
    };
    constexpr std::array<Limit, 5> kShort{
        {{2, 2.2, 2.2}, {3, 1.2, 1.2}, {4, 1.0, 1.08}, {5, 0.0, 1.12}, {8, 0.0, 1.06}}};
    constexpr std::array<Limit, 5> kLong{
        {{3, 1.5, 1.5}, {4, 1.2, 1.2}, {5, 1.0, 1.08}, {6, 0.0, 1.12}, {8, 0.0, 1.08}}};
    constexpr double kLongRepetition = 50e-3;  // seconds
    if (ratios.empty()) return false;
    const double least = *std::min_element(ratios.begin(), ratios.end());
    const double middle = median(ratios);
    const auto& limits = repetition < kLongRepetition ? kShort : kLong;
    return std::any_of(limits.begin(), limits.end(), [&](const Limit& limit) {
        return ratios.size() >= limit.pairs && least > limit.least && middle > limit.median;
    });
}

}  // namespace

bool raced_out(std::span<const Slot> slots, double incumbent_high) {
    if (incumbent_high <= 0.0) return false;
    int clean = 0;
    double fastest = 0.0;
    for (const Slot& slot : slots) {
        if (slot.disturbed) continue;
        fastest = clean == 0 ? slot.seconds : std::min(fastest, slot.seconds);
        ++clean;
    }
    if (clean == 0) return false;
    return fastest > limit_after(clean) * incumbent_high;
}

bool raced_out(std::span<const Slot> slots, std::span<const Slot> companion, bool alike) {
    // What disturbs both is no longer in the ratio. What one process is dealt still is, which the finals see;
    // and a machine that changes its pace within a pair, so that no single pair decides.
    constexpr double kAfterTwo = 1.2, kAfterThree = 1.05;
    std::vector<double> ratios, all, turns;
    int beyond = 0;  // pairs in a row
    for (std::size_t i = 0; i < std::min(slots.size(), companion.size()); ++i) {
        if (!is_time(companion[i].seconds) || !is_time(slots[i].seconds)) continue;
        turns.push_back(companion[i].seconds);
        const double ratio = slots[i].seconds / companion[i].seconds;
        beyond = ratio > kWhateverDisturbs ? beyond + 1 : 0;
        if (beyond >= 2) return true;
        all.push_back(ratio);
        if (!slots[i].disturbed && !companion[i].disturbed) ratios.push_back(ratio);
    }
    if (alike && slower_in_all(all, median(turns))) return true;
    if (ratios.size() < 2) return false;
    if (*std::min_element(ratios.begin(), ratios.end()) > kAfterTwo) return true;
    return ratios.size() >= 3 && median(ratios) > kAfterThree;
}

bool looks_far_behind(const Slot& slot, const Slot& companion, bool alike) {
    constexpr double kFarBehind = 1.35;
    if (companion.seconds <= 0.0) return false;
    const bool disturbed = slot.disturbed || companion.disturbed;
    const double beyond = !disturbed ? kFarBehind : alike ? kPerhapsBehind : kWhateverDisturbs;
    return slot.seconds > beyond * companion.seconds;
}

bool is_hopeless(const Slot& slot, const Slot& companion) {
    return is_time(slot.seconds) && is_time(companion.seconds) && slot.seconds >= kOneIsEnough &&
           slot.seconds > kFarSlower * companion.seconds;
}

bool is_far_slower(std::span<const Record> rotation, std::size_t variant, int turns) {
    if (turns <= 0) return false;
    const auto times_of = [](const Record& record) {
        std::vector<double> times;
        for (const Slot& slot : record.slots) {
            if (is_time(slot.seconds)) times.push_back(slot.seconds);
        }
        return times;
    };
    const std::vector<double> own = times_of(rotation[variant]);
    if (own.empty()) return false;
    const double least = *std::min_element(own.begin(), own.end());
    const auto enough = static_cast<std::size_t>(turns);
    const bool one_is_enough = least >= kOneIsEnough;
    if (own.size() < enough && !one_is_enough) return false;
    // One impossible slot of one of them must not send all the others home.
    const std::size_t of_others = one_is_enough ? std::min<std::size_t>(2, enough) : enough;
    double fastest = std::numeric_limits<double>::infinity();
    for (const Record& record : rotation) {
        const std::vector<double> times = times_of(record);
        if (times.size() >= of_others) fastest = std::min(fastest, median(times));
    }
    return least > kFarSlower * fastest;
}

}  // namespace rooftune
