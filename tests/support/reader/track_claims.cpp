#include <cmath>

#include "tests/support/reader/measured_claims.h"
#include "tuner/base/percent.h"
#include "tuner/base/si.h"
#include "tuner/chart/phrases.h"

namespace rooftune::test {
namespace {

using nlohmann::json;

std::string revision_words(const std::string& revision) {
    const bool hash = revision.size() >= 40 &&
                      revision.substr(0, 40).find_first_not_of("0123456789abcdef") == std::string::npos;
    return hash ? revision.substr(0, 12) + revision.substr(40) : revision;
}

std::string day(const json& entry) {
    return entry.at("revision_date").get<std::string>().substr(0, 10);
}

std::string named(const json& entry) {
    return revision_words(entry.at("revision")) + " of " + day(entry);
}

bool measured(const json& entry) {
    return entry.at("outcome") == "measured";
}

std::string time_words(const json& entry) {
    const json& t = entry.at("seconds");
    return measured(entry) ? format_seconds_interval(t.at("median"), t.at("low"), t.at("high"))
                           : entry.at("outcome").get<std::string>();
}

std::string share_words(const json& entry) {
    if (!measured(entry)) return "";
    const json& share = entry.at("fraction_of_roof_now");
    return share.is_number() ? format_percent(share) : "n/a";
}

std::string factor_words(const json& f) {
    return format_ratio_interval(f.at("ratio"), f.at("low"), f.at("high"));
}

std::string variant_words(const json& entry) {
    return variant_phrase(entry.at("family").get<std::string>(),
                          entry.at("variant").get<std::map<std::string, std::string>>());
}

void claim_standing(Reader& reader, const json& k) {
    if (!k.at("latest").is_number()) return;
    const json& entries = k.at("entries");
    const auto entry = [&](const char* which) {
        return entries.at(k.at(which).get<std::size_t>()).at("entry");
    };
    const auto median = [&](const json& e) { return e.at("seconds").at("median").get<double>(); };
    const json latest = entry("latest");
    reader.claim("the latest", "The latest, .*?, takes ([0-9.]+ [^ ,.:;]+)", format_seconds(median(latest)));
    const auto over = [&](const char* name, const char* which, const std::string& words) {
        if (k.at(which).is_number())
            reader.claim(name, "([0-9.]+×) of the " + words,
                         format_ratio(median(latest) / median(entry(which))));
    };
    over("over the one before", "previous", "one before");
    over("over the first", "first", "first");
    over("over the best", "best", "best ever");
    over("over the release", "release", "release");
    double low = 0.0, high = 0.0;
    for (std::size_t i = k.at("shown_from"); i < entries.size(); ++i) {
        const json& e = entries[i].at("entry");
        const double share = measured(e) && e.at("fraction_of_roof_now").is_number()
                                 ? e.at("fraction_of_roof_now").get<double>()
                                 : 0.0;
        if (!(share > 0.0)) continue;
        low = low > 0.0 ? std::min(low, share) : share;
        high = std::max(high, share);
    }
    reader.claim("shares over time",
                 "oldest to newest: .* \\(between " + kPercent + " and " + kPercent + "\\)",
                 Reader::Truths{{format_percent(low), format_percent(high)}});
    reader.claim("the share at all times", "oldest to newest: .* \\(all " + kPercent + "\\)",
                 format_percent(high));
    if (!k.contains("baselines")) return;
    for (const json& baseline : k.at("baselines")) {
        const json& of = entries.at(baseline.at("at").get<std::size_t>()).at("entry");
        reader.words(baseline.at("name").get<std::string>() + " is " + named(of));
        reader.claim("over the baseline", "([0-9.]+×) of the baseline " + quoted(baseline.at("name")),
                     format_ratio(median(latest) / median(of)));
    }
}

void claim_changes(Reader& reader, const json& k) {
    const json& entries = k.at("entries");
    Reader::Truths changes, gains;
    for (const json& c : k.at("changes")) {
        const auto at = [&](const char* which) {
            return named(entries.at(c.at(which).get<std::size_t>()).at("entry"));
        };
        changes.push_back({at("before"), at("at"), percent_change(c.at("time").get<double>() - 1.0)});
        if (c.at("fraction_before").is_number() && c.at("fraction_after").is_number())
            reader.claim("shares of a change", kPercent + " of attainable to " + kPercent,
                         Reader::Truths{{format_percent(c.at("fraction_before")),
                                         format_percent(c.at("fraction_after"))}});
        if (c.at("roof").is_number())
            reader.claim("the roof's change", "\\(least time ([-+][0-9.]+ %)\\)",
                         percent_change(c.at("roof").get<double>() - 1.0));
    }
    reader.claim("changes", "from (.*? of [0-9-]+) to (.*? of [0-9-]+): time ([-+][0-9.]+ %)", changes);
    for (const json& g : k.at("gains")) {
        const json& of = entries.at(g.at("at").get<std::size_t>()).at("entry");
        gains.push_back({g.at("note"), factor_words(g.at("factor")), format_ratio(g.at("since_first")),
                         revision_words(of.at("revision"))});
    }
    reader.claim("gains", "^- (.*?): " + kRatio + " .*, ([0-9.]+×) since the first entry \\((.*)\\)$", gains);
}

}  // namespace

void claim_history(Reader& reader, const json& report) {
    Reader::Truths rows;
    for (const json& k : report.at("kernels")) {
        reader.words(k.at("kernel").get<std::string>());
        std::size_t i = 0;
        for (const json& row : k.at("entries")) {
            const json& e = row.at("entry");
            reader.words(e.at("note").get<std::string>());
            reader.words(named(e));
            reader.words(revision_words(e.at("revision")));
            reader.words_of(e.at("machine"));
            if (i++ < k.at("shown_from").get<std::size_t>()) continue;
            const json& previous = row.at("over_previous");
            rows.push_back({revision_words(e.at("revision")), day(e), time_words(e),
                            (previous.is_object() ? format_ratio(previous.at("ratio")) : "") +
                                (row.at("stands_out").get<bool>() ? " *" : ""),
                            row.at("over_first").is_number() ? format_ratio(row.at("over_first")) : "",
                            share_words(e), measured(e) ? e.at("note").get<std::string>() : "*"});
            if (!e.contains("steps")) continue;
            for (const json& step : e.at("steps"))
                reader.words(step.at("name").get<std::string>() + ": " +
                             format_ratio_interval(step.at("factor"), step.at("low"), step.at("high")));
        }
        claim_standing(reader, k);
        claim_changes(reader, k);
        reader.claim("threshold", "lie further apart than ([0-9.]+ %)", percent(k.at("threshold")));
    }
    reader.table("history",
                 {"revision", "date", "time", "over previous", "over first", "of attainable", "what"}, rows);
}

void claim_recorded(Reader& reader, const json& entries) {
    Reader::Truths rows;
    for (const json& e : entries) {
        reader.words_of(e);
        const std::string state = e.at("state");
        rows.push_back({e.at("title").get<std::string>() + (e.at("backend") == "opencl" ? " on OpenCL" : "") +
                            (state == "cold" ? ", cold caches" : ""),
                        time_words(e),
                        measured(e) ? std::to_string(e.at("seconds").at("slots").get<int>()) : "",
                        share_words(e), variant_words(e)});
        reader.claim("recorded", "Recorded ([0-9]+ measurements?) at (.*?) in ",
                     Reader::Truths{{format_plural(static_cast<std::int64_t>(entries.size()), "measurement"),
                                     revision_words(e.at("revision"))}});
    }
    reader.table("recorded", {"kernel", "time", "slots", "of attainable", "variant"}, rows);
}

}  // namespace rooftune::test
