#include "tests/support/reader/known_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tuner/base/command_words.h"
#include "tuner/base/si.h"

namespace rooftune::test {
namespace {

using nlohmann::json;

std::string count(const json& value) {
    return std::to_string(value.get<std::int64_t>());
}

std::string spread_words(const json& s) {
    return fmt::format("{:.0f} [{:.0f}, {:.0f}]", s.at("median").get<double>(), s.at("q25").get<double>(),
                       s.at("q75").get<double>());
}

std::string score_words(const json& score) {
    return score.is_number() ? fmt::format("{:.3f}", score.get<double>()) : "none";
}

void claim_space(Reader& reader, const json& d, Reader::Truths& rows) {
    reader.claim(d.at("space").at("name"),
                 quoted(d.at("space").at("name")) + ": " + kCount + " configurations, " + kCount +
                     " of them work; best ([^,]+), median ([^,]+), worst ([^,]+)\\.",
                 Reader::Truths{{format_count(d.at("space").at("configurations").get<std::uint64_t>()),
                                 format_count(d.at("space").at("valid").get<std::uint64_t>()),
                                 format_seconds(d.at("best")), format_seconds(d.at("median")),
                                 format_seconds(d.at("worst"))}});
    for (const json& s : d.at("strategies")) {
        const json& e = s.at("evaluations");
        rows.push_back({s.at("strategy"), spread_words(e.at("within_5pct")),
                        spread_words(e.at("within_1pct")), spread_words(e.at("optimum")),
                        score_words(s.at("score"))});
    }
}

}  // namespace

void claim_replay(Reader& reader, const json& document) {
    reader.words_of(document);
    Reader::Truths rows, means;
    if (document.contains("replays")) {
        for (const json& one : document.at("replays")) claim_space(reader, one, rows);
        for (const json& s : document.at("scores"))
            means.push_back({s.at("strategy"), score_words(s.at("score"))});
        reader.claim("spaces", "Over the ([0-9]+) spaces together",
                     std::to_string(document.at("replays").size()));
    } else {
        claim_space(reader, document, rows);
    }
    reader.table("strategies",
                 {"strategy", "evaluations to within 5 %", "within 1 %", "to the best", "score"}, rows);
    reader.table("scores", {"strategy", "mean score"}, means);
    reader.claim("runs", "quartiles of ([0-9]+) runs?", count(document.at("runs")));
    reader.claim("what a score is",
                 "Score: (0) is random sampling, (1) finds the best .* goes (95 %) of the way",
                 Reader::Truths{{"0", "1", "95 %"}});
}

void claim_points(Reader& reader, const json& document) {
    reader.words_of(document);
    const json& points = document.at("points");
    double all = 0.0;
    const auto number = [](const json& p, const char* key) {
        return p.contains(key) && p.at(key).is_number() ? p.at(key).get<double>() : 0.0;
    };
    for (const json& p : points) all += number(p, "seconds");
    Reader::Truths rows;
    for (const json& p : points) {
        const double seconds = number(p, "seconds"), flops = number(p, "flops"), bytes = number(p, "bytes");
        rows.push_back({"*", format_seconds(seconds), format_percent(seconds / all),
                        format_count(p.contains("launches") ? p.at("launches").get<std::uint64_t>() : 1),
                        flops > 0.0 ? format_si(flops / seconds, "flop/s") : "–",
                        bytes > 0.0 ? format_si(bytes / seconds, "B/s") : "–",
                        flops > 0.0 && bytes > 0.0 ? fmt::format("{:.4g}", flops / bytes) : "–"});
    }
    reader.table("kernels", {"kernel", "time", "share", "launches", "flop/s", "byte/s", "flop/byte"}, rows);
    reader.claim("kernels in all", ": " + kCount + " kernels? measured by .*, ([^,]+) in all",
                 Reader::Truths{{format_count(points.size()), format_seconds(all)}});
}

namespace {

// As seen, with its mark where bounds take it for more, or nothing is known of how much more it may be.
std::string seen_words(const json& m, const json& seen, const char* limits, const char* of,
                       const char* unit) {
    const std::string text = format_si(seen, unit);
    const json* limit = m.contains(limits) ? &m.at(limits) : nullptr;
    if (limit && *of != '\0') limit = limit->contains(of) ? &limit->at(of) : nullptr;
    if (!limit) return text;
    if (limit->is_null()) return "seen " + text;
    const std::string most = "at most " + format_si(*limit, unit);
    return most == "at most " + text ? most : most + " (seen " + text + ")";
}

}  // namespace

void claim_machine_list(Reader& reader, const json& document) {
    Reader::Truths rows;
    for (const json& m : document) {
        std::string peaks;
        // In the order of the element types, which the table has and a JSON object has not.
        for (const char* type : {"f32", "f64", "f16", "bf16", "f8", "int8", "int16", "int32", "int64"}) {
            if (!m.contains("peaks") || !m.at("peaks").contains(type)) continue;
            const bool integer = std::string(type).starts_with("int");
            peaks +=
                (peaks.empty() ? "" : ", ") + std::string(type) + " " +
                seen_words(m, m.at("peaks").at(type), "peaks_at_most", type, integer ? "op/s" : "flop/s");
        }
        rows.push_back({m.at("machine"), m.at("name"), peaks,
                        m.at("bandwidth").is_number()
                            ? seen_words(m, m.at("bandwidth"), "bandwidth_at_most", "", "B/s")
                            : "–",
                        m.at("kind")});
    }
    reader.table("machines", {"machine", "what", "peaks", "memory", "kind"}, rows);
}

void claim_problem_list(Reader& reader, const json& document) {
    Reader::Truths files, stored;
    for (const json& job : document.at("files"))
        files.push_back({job.at("job"), count(job.at("problems")), job.at("description")});
    for (const json& job : document.at("store"))
        stored.push_back({count(job.at("number")), job.at("job"), job.at("title"), job.at("backend"),
                          job.at("state"), count(job.at("threads")), count(job.at("records")),
                          job.at("created")});
    reader.table("jobs", {"job", "problems", "what"}, files);
    reader.table("in the store",
                 {"number", "job", "problem", "backend", "state", "threads", "records", "since"}, stored);
}

void claim_families(Reader& reader, const json& document) {
    Reader::Truths rows;
    for (const json& family : document) {
        std::string runs_on;
        for (const json& backend : family.at("backends"))
            runs_on += (runs_on.empty() ? "" : ", ") + backend.get<std::string>();
        bool first = true;
        for (const json& key : family.at("keys")) {
            const auto once = [&](const std::string& text) { return first ? text : std::string(); };
            const std::string fallback = key.at("default");
            rows.push_back({once(family.at("family")), once(family.at("summary")), once(runs_on),
                            key.at("key"), fallback.empty() ? "–" : fallback, key.at("help")});
            first = false;
        }
    }
    reader.table("families", {"family", "what", "runs on", "key", "default", "meaning"}, rows);
}

void claim_parameters(Reader& reader, const json& document) {
    Reader::Truths rows;
    for (const json& p : document.at("parameters")) {
        const std::size_t held = p.at("values").size() - p.at("held_back").get<std::size_t>();
        std::string values;
        for (std::size_t i = 0; i < p.at("values").size(); ++i)
            values += (i > 0 ? " " : "") + std::string(i == held ? "(" : "") +
                      listed_value(p.at("values")[i].get<std::string>());
        if (held < p.at("values").size()) values += ")";
        const std::string condition = p.at("condition");
        rows.push_back(
            {p.at("parameter"), values, condition.empty() ? "always" : "when " + condition, p.at("help")});
    }
    reader.table("parameters", {"parameter", "values", "exists", "meaning"}, rows);
    reader.excuse("^Space of .* here", "the problem's title; the document has its keys");
    reader.claim("variants", ": " + kCount + " variants",
                 format_count(document.at("variants").get<std::uint64_t>()));
}

}  // namespace rooftune::test
