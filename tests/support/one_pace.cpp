#include "tests/support/one_pace.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tuner/measure/pace_note.h"
#include "tuner/measure/statistics.h"

namespace rooftune {
namespace {

// Neighbours on either side whose median is the pace: at 8 ms a slot, a tenth of a second.
constexpr std::size_t kReach = 8;
constexpr int kPasses = 8;

double median_seconds(const Record& record) {
    std::vector<double> seconds;
    for (const Slot& slot : record.slots) seconds.push_back(slot.seconds);
    return median(seconds);
}

double fastest_seconds(const Record& record) {
    double least = std::numeric_limits<double>::infinity();
    for (const Slot& slot : record.slots) least = std::min(least, slot.seconds);
    return std::isfinite(least) ? least : 0.0;
}

// Records of one rotation, in its order. Pace and medians need each other: a few passes settle both.
void steady(std::vector<Record*>& rotation) {
    if (rotation.size() < 2) return;
    const std::vector<Record> raw = [&] {
        std::vector<Record> copies;
        for (const Record* record : rotation) copies.push_back(*record);
        return copies;
    }();
    std::vector<double> medians;
    // At first the fastest slots: each variant has some outside slow spells, while a median may lie in one.
    for (const Record& record : raw) medians.push_back(fastest_seconds(record));
    for (int pass = 0; pass < kPasses; ++pass) {
        for (std::size_t i = 0; i < raw.size(); ++i) {
            for (std::size_t round = 0; round < raw[i].slots.size(); ++round) {
                std::vector<double> ratios;
                const std::size_t first = i > kReach ? i - kReach : 0;
                for (std::size_t j = first; j < std::min(raw.size(), i + kReach + 1); ++j) {
                    if (round < raw[j].slots.size() && medians[j] > 0.0)
                        ratios.push_back(raw[j].slots[round].seconds / medians[j]);
                }
                const double pace = median(ratios);
                if (pace > 0.0) rotation[i]->slots[round].seconds = raw[i].slots[round].seconds / pace;
            }
        }
        for (std::size_t i = 0; i < raw.size(); ++i) medians[i] = median_seconds(*rotation[i]);
    }
}

}  // namespace

std::vector<Record> at_one_pace(std::vector<Record> records) {
    std::vector<std::pair<std::size_t, Record*>> places;
    for (Record& record : records) {
        const std::optional<std::size_t> place = noted_place(record);
        if (record.role == "settle" && place) places.emplace_back(*place, &record);
    }
    std::sort(places.begin(), places.end());
    std::vector<Record*> rotation;
    for (const auto& [place, record] : places) rotation.push_back(record);
    steady(rotation);
    // The rotation begins with the variant that set the pace: what was the default when it was recorded.
    const double unit =
        !places.empty() && places.front().first == 0 ? median_seconds(*rotation.front()) : 0.0;
    if (unit <= 0.0) return records;
    for (Record& record : records) {
        const double pace = noted_pace(record);
        if (!(pace > 0.0)) continue;
        if (record.slots.empty()) continue;
        // Its slots went through spells of their own, which the pace of the whole does not take out of each.
        const double seconds = interval_of(record.slots).median * unit / pace;
        record.slots = {{seconds, record.slots.front().repetitions, false}};
    }
    return records;
}

}  // namespace rooftune
