#include "tuner/results/store_view.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "tuner/formats/strict_json.h"
#include "tuner/measure/statistics.h"
#include "tuner/replay/recorded_job.h"
#include "tuner/results/joined_finals.h"

namespace rooftune {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

const Json& member(const Json& object, const char* key) {
    static const Json kAbsent;
    if (!object.is_object()) return kAbsent;
    const auto found = object.find(key);
    return found == object.end() ? kAbsent : *found;
}

double number(const Json& value) {
    return value.is_number() ? value.get<double>() : kUnknown;
}

// Older results lack the ends, and null stands for an end without limit.
Gap gap_of(const Json& certificate) {
    const double gap = number(member(certificate, "gap"));
    const auto end = [&](const char* key) {
        if (!certificate.contains(key)) return gap;
        const Json& value = member(certificate, key);
        return value.is_null() ? std::numeric_limits<double>::infinity() : number(value);
    };
    return {gap, end("gap_low"), end("gap_high")};
}

// Whether a later record of a finalist is of what its run measured in turn with others (an audit, an alarm):
// the run told the time of its finals all the same.
bool is_beside_finals(const StoredRecord& finals, const StoredRecord& later) {
    return finals.run && finals.run == later.run && finals.record.role == "finals" &&
           later.record.role != "finals" && !is_failure(later.record.outcome);
}

}  // namespace

std::optional<ResultGlance> glance_at(const std::string& result_json) {
    const Json result = Json::parse(result_json, nullptr, false);
    if (!result.is_object() || !result.contains("certificate")) return std::nullopt;
    const Json& best = member(result, "best");
    const Json& seconds = member(best, "seconds");
    const Json& certificate = member(result, "certificate");
    ResultGlance glance{{},
                        {number(member(seconds, "median")), number(member(seconds, "low")),
                         number(member(seconds, "high")), number(member(seconds, "min"))},
                        number(member(best, "fraction_of_problem_roof")),
                        number(member(best, "fraction_of_roof_now")),
                        gap_of(certificate),
                        {},
                        false};
    const Json& variant = member(best, "variant");
    if (variant.is_object())
        for (const auto& [name, value] : variant.items())
            if (value.is_string()) glance.variant[name] = value.get<std::string>();
    const Json& slots = member(seconds, "slots");
    if (slots.is_number_integer()) glance.seconds.slots = slots.get<int>();
    glance.failed = number(member(certificate, "failed")) > 0.0 &&
                    number(member(certificate, "measured")) + number(member(certificate, "raced_out")) == 0.0;
    const Json& stopped = member(certificate, "stopped_by");
    if (stopped.is_string()) glance.stopped_by = stopped.get<std::string>();
    return glance;
}

std::vector<OutcomeLine> outcomes_of(const std::vector<StoredRecord>& records) {
    std::map<Outcome, std::pair<int, std::set<std::string>>> found;
    for (const StoredRecord& stored : records) {
        auto& [count, variants] = found[stored.record.outcome];
        ++count;
        variants.insert(stored.variant);
    }
    std::vector<OutcomeLine> lines;
    for (const auto& [outcome, seen] : found)
        lines.push_back({outcome, seen.first, static_cast<int>(seen.second.size())});
    return lines;
}

std::vector<VariantLine> fastest_of(const std::vector<StoredRecord>& all, std::size_t most) {
    const std::vector<StoredRecord> records = with_joined_finals(all);
    std::map<std::string, const StoredRecord*> counted;
    for (const StoredRecord& stored : records) {
        if (stored.record.outcome == Outcome::environment) continue;
        const StoredRecord*& at = counted[stored.variant];
        if (!at || (replaces(at->record, stored.record) && !is_beside_finals(*at, stored))) at = &stored;
    }
    std::vector<VariantLine> lines;
    for (const auto& [variant, stored] : counted) {
        const TimeInterval seconds = interval_of(stored->record.slots);
        if (stored->record.outcome != Outcome::measured || !(seconds.median > 0.0) ||
            !std::isfinite(seconds.median))
            continue;
        lines.push_back({variant, seconds, stored->record.role, stored->record.when, stored->record.variant});
    }
    std::stable_sort(lines.begin(), lines.end(), [](const VariantLine& a, const VariantLine& b) {
        return a.seconds.median < b.seconds.median;
    });
    if (lines.size() > most) lines.resize(most);
    return lines;
}

}  // namespace rooftune
