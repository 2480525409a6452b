#include "tuner/verify/winner_turns.h"

#include <algorithm>
#include <vector>

#include "tuner/measure/statistics.h"

namespace rooftune::verify {
namespace {

// What an interval of 95 % needs (median_ranks).
constexpr std::size_t kEnough = 6;

std::vector<Slot> slots_of(const std::vector<double>& times, const std::vector<bool>& crowded) {
    std::vector<Slot> slots;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const bool beside = i < crowded.size() && crowded[i];
        slots.push_back({times[i], 1, beside, beside});
    }
    return slots;
}

}  // namespace

WinnerTurns winner_turns(const track::Compared& compared) {
    const std::vector<Slot> own = slots_of(compared.times.base, compared.base_crowded);
    WinnerTurns turns;
    std::vector<double> alone;
    for (const Slot& slot : own) {
        if (!slot.crowded) alone.push_back(slot.seconds);
    }
    turns.count = static_cast<int>(own.size());
    turns.crowded = turns.count - static_cast<int>(alone.size());
    turns.enough = turns.crowded == 0 || alone.size() >= kEnough;
    turns.seconds = interval_of_values(turns.enough ? alone : compared.times.base);
    turns.rival_ratio = decisive_ratio(slots_of(compared.times.candidate, compared.candidate_crowded), own);
    return turns;
}

}  // namespace rooftune::verify
