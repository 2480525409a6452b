#include "tuner/track/track_report.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tuner/formats/json_values.h"
#include "tuner/track/baselines.h"

namespace rooftune::track {
namespace {

Json index(const std::optional<std::size_t>& i) {
    return i ? Json(*i) : Json(nullptr);
}

Json to_json(const TimeRatio& r) {
    if (!std::isfinite(r.ratio)) return nullptr;
    return {{"ratio", r.ratio}, {"low", finite_or_null(r.low)}, {"high", finite_or_null(r.high)}};
}

Json to_json(const Series& series, const Suspect& s) {
    const Confirmation c = confirmation_of(series, s);
    return {{"before", s.before},
            {"at", s.at},
            {"p", s.p ? Json(*s.p) : Json(nullptr)},
            {"time", finite_or_null(s.time)},
            {"roof", finite_or_null(s.roof)},
            {"fraction_before", finite_or_null(s.fraction_before)},
            {"fraction_after", finite_or_null(s.fraction_after)},
            {"moved", to_text(s.moved)},
            {"variant_changed", s.variant_changed},
            {"confirm", text_or_null(c.command)},
            {"confirm_why", c.why}};
}

Json to_json(const KernelReport& k, const std::string& this_machine) {
    Json json = {{"kernel", k.series.kernel},
                 {"machine", k.series.machine},
                 {"threshold", k.delta},
                 {"shown_from", k.shown_from},
                 {"first", index(k.summary.first)},
                 {"previous", index(k.summary.previous)},
                 {"latest", index(k.summary.latest)},
                 {"best", index(k.summary.best)},
                 {"release", index(k.summary.release)}};
    json["entries"] = Json::array();
    for (std::size_t i = 0; i < k.series.entries.size(); ++i) {
        const Row& row = k.summary.rows[i];
        Json entry = to_json(k.series.entries[i]);
        entry.erase("tuned_config");
        json["entries"].push_back({{"entry", std::move(entry)},
                                   {"over_previous", to_json(row.to_previous)},
                                   {"over_first", finite_or_null(row.to_first)},
                                   {"stands_out", row.stands_out}});
    }
    json["changes"] = Json::array();
    for (const Suspect& s : k.suspects()) json["changes"].push_back(to_json(k.series, s));
    json["gains"] = Json::array();
    for (const Gain& g : k.summary.gains) {
        if (g.at < k.shown_from) continue;
        json["gains"].push_back({{"at", g.at},
                                 {"note", g.note},
                                 {"factor", to_json(g.factor)},
                                 {"since_first", finite_or_null(g.since_first)}});
    }
    if (const auto baselines = baselines_of(k.series.entries); !baselines.empty()) {
        json["baselines"] = Json::array();
        for (const auto& [name, at] : baselines) json["baselines"].push_back({{"name", name}, {"at", at}});
    }
    json["confirmed"] = nullptr;
    if (k.confirmed) {
        CompareReport one;
        one.machine = this_machine;
        one.comparisons.push_back(*k.confirmed);
        json["confirmed"] = to_json(one);
    }
    return json;
}

// "2026", "2026-05-31", "2026-05-31T12:00:00Z"
bool is_date(const std::string& text) {
    constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:ddZ";
    if (text.size() < 4 || text.size() > kForm.size()) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool digit = std::isdigit(static_cast<unsigned char>(text[i])) != 0;
        if (kForm[i] == 'd' ? !digit : text[i] != kForm[i]) return false;
    }
    return true;
}

}  // namespace

std::vector<Suspect> KernelReport::suspects() const {
    std::vector<Suspect> shown;
    for (const Suspect& s : summary.suspects) {
        if (s.at >= shown_from) shown.push_back(s);
    }
    return shown;
}

std::optional<Since> since_of(std::span<const Series> all, const std::string& named) {
    const auto revision = recorded_as(all, named);
    // A year may be how a hash begins.
    if (is_date(named) && revision != named) return Since{"", named};
    if (!revision) return std::nullopt;
    Since since{*revision, ""};
    for (const Series& series : all) {
        for (const Entry& entry : series.entries) {
            if (entry.revision == *revision && (since.date.empty() || entry.revision_date < since.date))
                since.date = entry.revision_date;
        }
    }
    return since;
}

std::size_t begin_of(const Series& series, const Since& since) {
    const auto& all = series.entries;
    auto at = std::find_if(all.begin(), all.end(), [&](const Entry& e) {
        return !since.revision.empty() && e.revision == since.revision;
    });
    if (at == all.end())
        at = std::find_if(all.begin(), all.end(),
                          [&](const Entry& e) { return e.revision_date >= since.date; });
    return static_cast<std::size_t>(at - all.begin());
}

int exit_status(const TrackReport& report) {
    const auto any = [&](Verdict verdict) {
        return std::any_of(report.kernels.begin(), report.kernels.end(), [&](const KernelReport& k) {
            return k.confirmed && k.confirmed->judgement.verdict == verdict;
        });
    };
    return any(Verdict::regressed) ? 1 : any(Verdict::invalid) ? 3 : 0;
}

Json to_json(const TrackReport& report) {
    Json json = {{"schema", kReportSchema},
                 {"machine", report.machine},
                 {"release", text_or_null(report.release)},
                 {"kernels", Json::array()}};
    if (!report.baseline.empty()) json["baseline"] = report.baseline;
    for (const KernelReport& k : report.kernels) json["kernels"].push_back(to_json(k, report.machine));
    return json;
}

}  // namespace rooftune::track
