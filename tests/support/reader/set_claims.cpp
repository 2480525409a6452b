#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "tests/support/reader/measured_claims.h"
#include "tuner/base/si.h"
#include "tuner/tune/short_call.h"

namespace rooftune::test {
namespace {

using nlohmann::json;

// "costs 14 %", "gains 2 %", "costs nothing"
std::string cost_words(double regret) {
    if (std::fabs(regret) < 0.0005) return "costs nothing";
    return (regret > 0.0 ? "costs " : "gains ") + format_percent(std::fabs(regret));
}

void claim_rule(Reader& reader, const json& group) {
    std::vector<double> regrets;
    std::size_t tried = 0, failed = 0;
    int audited = 0, better = 0;
    const json* worst = nullptr;
    const json& problems = group.at("problems");
    for (const json& p : problems) {
        audited += p.at("audit").at("measured").get<int>();
        better += p.at("audit").at("regrets").get<int>();
        if (!p.contains("left_out") || p.at("left_out").is_null()) continue;
        ++tried;
        if (!p.at("left_out").at("works").get<bool>()) {
            ++failed;
            continue;
        }
        regrets.push_back(p.at("left_out").at("time_over_best").at("median").get<double>() - 1.0);
        if (worst == nullptr ||
            regrets.back() > worst->at("left_out").at("time_over_best").at("median").get<double>() - 1.0)
            worst = &p;
    }
    const std::string family = quoted(group.at("family"));
    reader.claim("problems of the group", "^" + family + ", .*?: ([0-9]+ problems?)\\.",
                 format_plural(static_cast<std::int64_t>(problems.size()), "problem"));
    reader.claim("left out in turn", "left out in turn \\(([0-9]+) of ([0-9]+)\\)",
                 Reader::Truths{{std::to_string(tried), std::to_string(problems.size())}});
    if (!regrets.empty()) {
        std::sort(regrets.begin(), regrets.end());
        const std::size_t n = regrets.size();
        const double median = n % 2 == 1 ? regrets[n / 2] : 0.5 * (regrets[n / 2 - 1] + regrets[n / 2]);
        reader.claim("in the median", "((?:costs|gains) (?:nothing|[0-9.]+ %)) in the median",
                     cost_words(median));
        const json& l = worst->at("left_out");
        reader.claim("at worst",
                     "at worst ((?:costs|gains) (?:nothing|[0-9.]+ %)) \\((.*) with the variant of (.*)\\)",
                     Reader::Truths{{cost_words(l.at("time_over_best").at("median").get<double>() - 1.0),
                                     worst->at("title"),
                                     problems.at(l.at("nearest").get<std::size_t>()).at("title")}});
    }
    reader.claim("without any", "; ([0-9]+ problems?) got none that works",
                 format_plural(static_cast<std::int64_t>(failed), "problem"));
    reader.claim("reach", "up to a distance of ([0-9.e+-]+);",
                 fmt::format("{:.3g}", group.at("rule").at("reach").get<double>()));
    reader.claim("audit over all", "Audit over all of them: ([0-9]+) of ([0-9]+) variants",
                 Reader::Truths{{std::to_string(better), std::to_string(audited)}});
}

// What is left at most: at the rates that this machine held where these say more and nothing speaks against
// them, else what is proven; nothing is known of a repetition that is mostly the call itself.
std::string left_words(const TuneResult& r) {
    const CertificateReport& c = r.certificate;
    const ReplacementReport& held = c.replacement;
    const bool speaks = held.timed > 0 && (held.beaten == 0 || held.meanwhile) && std::isfinite(held.gap);
    const auto is_far = [](double gap, double high) { return 1.0 + high >= 10.0 * (1.0 + gap); };
    const bool leads = speaks && held.gap < 0.98 * c.gap && !is_far(held.gap, held.gap_high);
    const double gap = leads ? held.gap : c.gap;
    const int joined = std::min(10, std::max(1, r.needs.threads));
    const bool is_call = r.seconds.median < kShortCall * joined && std::isfinite(gap) && gap >= 1.0 &&
                         r.fraction_of_variant_bound < 0.5;
    if (is_call) return "not known";
    if (!std::isfinite(gap)) return "no limit known";
    if (!leads && is_far(c.gap, c.gap_high)) return "not known, too noisy";
    return gap < 1.0 ? format_percent_up(gap) : format_ratio_up(1.0 + gap);
}

// A gain in the table: what has 1 in its range is marked, unless all of that is noise.
std::string marked(const TimeInterval& gain, bool is_over_itself) {
    if (is_over_itself) return "is the winner";
    const std::string text = ratio_words(gain);
    const RatioSide side = side_of_one(gain.low, gain.high);
    if (gain.slots <= 0 || side == RatioSide::above) return ratio_cell_words(gain);
    if (gain.slots < 6) return "not decided, too few rounds: " + text;
    const bool is_noise = gain.low >= 0.97 && gain.high <= 1.03;
    return (is_noise || side == RatioSide::below ? "" : "not decided, too noisy: ") + text;
}

}  // namespace

void claim_set(Reader& reader, const json& set, const json& results) {
    reader.words_of(set);
    reader.words_of(results);
    for (const json& group : set.at("groups")) claim_rule(reader, group);
    Reader::Truths rows;
    for (const json& result : results) {
        const TuneResult r = result_of(result);
        rows.push_back({r.title, format_si(r.flops_nominal / r.seconds.median, "flop/s"),
                        marked(r.naive_ratio, r.best == r.naive),
                        marked(r.default_ratio, r.best == r.fallback), left_words(r)});
    }
    reader.table("winners", {"problem", "flop/s", "over naive", "over default", "left, at most"}, rows);
}

}  // namespace rooftune::test
