#include "tuner/measure/head_room.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tuner/measure/statistics.h"

namespace rooftune::track {
namespace {

constexpr double kMostOfAttainable = 1.03;
constexpr double kRoofMoved = 0.05;

}  // namespace

std::string_view to_text(Moved moved) {
    switch (moved) {
        case Moved::kernel:
            return "kernel";
        case Moved::roof:
            return "roof";
        case Moved::both:
            return "both";
        case Moved::neither:
            return "neither";
        case Moved::unknown:
            return "unknown";
    }
    return "unknown";
}

std::optional<HeadRoom> head_room(const Roof& roof, double base_seconds, double candidate_seconds) {
    if (!is_time(roof.now) || !is_time(base_seconds) || !is_time(candidate_seconds)) return std::nullopt;
    HeadRoom room;
    room.base = roof.now / base_seconds;
    room.candidate = roof.now / candidate_seconds;
    room.lost = room.base - room.candidate;
    if (is_time(roof.then)) room.roof_change = roof.then / roof.now - 1.0;
    return room;
}

Moved moved_by(Verdict verdict, const std::optional<HeadRoom>& room) {
    if (verdict == Verdict::inconclusive || verdict == Verdict::invalid) return Moved::unknown;
    const bool kernel = verdict != Verdict::unchanged;
    const bool roof = room && std::fabs(room->roof_change) > kRoofMoved;
    if (kernel) return roof ? Moved::both : Moved::kernel;
    return roof ? Moved::roof : Moved::neither;
}

Judgement plausible(Judgement judgement, const Roof& roof, double base_seconds, double candidate_seconds) {
    if (judgement.verdict == Verdict::invalid || !is_time(roof.seconds)) return judgement;
    const double fraction = roof.seconds / std::min(base_seconds, candidate_seconds);
    if (!(fraction > kMostOfAttainable)) return judgement;
    judgement.verdict = Verdict::invalid;
    judgement.reason = fmt::format(
        "{} reached {:.0f} % of what is attainable, which no kernel can: the bound is under suspicion, tune "
        "the problem "
        "again",
        base_seconds < candidate_seconds ? "A" : "B", 100.0 * fraction);
    return judgement;
}

}  // namespace rooftune::track
