#include "tests/support/reader/result_claims.h"

#include <cmath>

#include "tuner/base/si.h"
#include "tuner/chart/phrases.h"
#include "tuner/formats/result_json.h"

namespace rooftune::test {
namespace {

using nlohmann::json;

double share(std::uint64_t part, std::uint64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
}

// "12 % [10 %, 15 %] faster", "2.50× [2.31×, 2.72×] as fast": an interval where it is wider than two points.
std::string faster_words(double gap, double low, double high) {
    const bool as_share = gap < 1.0;
    const auto spelled = [&](double value) {
        return as_share ? format_percent_up(value) : format_ratio_up(1.0 + value);
    };
    std::string text = spelled(gap);
    if (std::isfinite(low) && std::isfinite(high) && high - low > 0.02) {
        const bool far = 1.0 + high >= 10.0 * (1.0 + gap);
        if (!far) text += " [" + spelled(low) + ", " + spelled(high) + "]";
    }
    return text + (as_share ? " faster" : " as fast");
}

void claim_names(Reader& reader, const TuneResult& r) {
    for (const auto& variant : {r.best, r.naive, r.fallback, r.runner_up}) {
        if (variant.empty()) continue;
        reader.words(variant_phrase(r.family, variant));
        reader.words(variant_assignment(variant));
    }
    for (const TermReport& term : r.bound.terms) reader.words(term_phrase(term));
    for (const EdgeReport& edge : r.edges)
        reader.claim("an edge of the space",
                     "edge of the space.*[ (]" + quoted(edge.parameter) + "=([^ ,;()]+)", edge.value);
    for (const GrowthReport& grown : r.grown)
        reader.words(grown.parameter + " up to " + grown.to + " (at first " + grown.from + ")");
}

std::string winner_row(const TuneResult& r) {
    const bool naive = r.best == r.naive, fallback = r.best == r.fallback;
    if (!naive && !fallback) return "winner";
    return std::string("winner: the same variant as ") + (naive ? "the naive one" : "") +
           (naive && fallback ? " and " : "") + (fallback ? "the default" : "");
}

// A variant's phrase; where that of another is the same, with what tells the two apart.
std::string told_apart(const TuneResult& r, const VariantMap& variant,
                       const std::vector<std::pair<std::string, VariantMap>>& others) {
    const std::string phrase = variant_phrase(r.family, variant);
    std::string text = phrase;
    for (const auto& [name, other] : others) {
        if (other == variant || variant_phrase(r.family, other) != phrase) continue;
        std::map<std::string, std::string> different;
        for (const auto& [key, value] : variant) {
            if (!other.contains(key))
                different[key] = key + " " + value;
            else if (other.at(key) != value)
                different[key] = key + " " + value + ", not " + other.at(key);
        }
        for (const auto& [key, value] : other) {
            if (!variant.contains(key)) different[key] = "no " + key;
        }
        std::string list;
        for (const auto& [key, words] : different) list += (list.empty() ? "" : "; ") + words;
        text += " (unlike the " + name + ": " + list + ")";
    }
    return text;
}

void claim_context(Reader& reader, const TuneResult& r) {
    reader.claim("threads", "([0-9]+) (?:thread|compute unit)s? at most", std::to_string(r.threads));
    reader.claim("the one thread", "([0-9]+) thread, which no parameter changes",
                 std::to_string(r.needs.threads));
    reader.claim("state", "(warm|cold) caches ·", r.state);
    const std::string duration = "· ([0-9]+ (?:s|min|h)(?: [0-9]+ (?:s|min))?)";
    reader.claim("elapsed", duration + "(?= ·|$| \\(the budget)", format_duration(r.elapsed_seconds));
    reader.claim("budget", "the budget was ([0-9]+ (?:s|min|h)(?: [0-9]+ (?:s|min))?)(?=[,)])",
                 format_duration(r.budget_seconds));
    reader.claim("time of finals", "and finals took ([0-9]+ (?:s|min|h)(?: [0-9]+ (?:s|min))?)\\)",
                 format_duration(r.finals_seconds));
    reader.claim("time before it", duration + " before it to load and probe(?= ·|$)",
                 format_duration(r.setup_seconds));
    reader.claim("time of waiting", duration + " more waiting for others that measured(?= ·|$)",
                 format_duration(r.waited_seconds));
}

void claim_gain(Reader& reader, const std::string& name, const std::string& over, const TimeInterval& ratio) {
    if (!(ratio.median > 0.0)) return;
    const std::string truth = ratio_words(ratio);
    reader.claim(name, kRatio + " " + quoted(over), truth);
    reader.claim(name,
                 quoted(over) +
                     "(?: \\(the default variant, too\\))?"
                     "(?:, too (?:few rounds|noisy)| in these rounds| within noise): " +
                     kRatio,
                 truth);
    reader.claim("rounds of the " + name,
                 quoted(over) + "(?: \\(the default variant, too\\))? in ([0-9]+) rounds?, too few for",
                 std::to_string(ratio.slots));
}

void claim_winner(Reader& reader, const TuneResult& r) {
    const double rate = r.seconds.median > 0.0 ? r.flops_nominal / r.seconds.median : 0.0;
    const std::string rate_words = format_si(rate, "flop/s");
    const std::string phrase = variant_phrase(r.family, r.best), assignment = variant_assignment(r.best);
    reader.claim("winner's rate and time", "^Winner (.*): ([^:]+)$",
                 Reader::Truths{{phrase, rate_words + ", " + time_words(r.seconds)}});
    reader.claim("winner's rate", "^([^:|]*): ([0-9.]+ [kMGTP]?flop/s)[ ,;].*(?:roof|bounds it)",
                 Reader::Truths{{phrase, rate_words}});
    reader.claim("the winner", "(?:^|\\. )The winner: (.*)\\.$", Reader::Truths{{phrase}, {assignment}});
    claim_gain(reader, "gain over naive", naive_phrase(r.family, r.backend), r.naive_ratio);
    claim_gain(reader, "gain over default", "the default variant", r.default_ratio);
    reader.claim("fraction of the problem's roof", kPercent + " of the problem's roof",
                 format_percent(r.fraction_of_problem_roof));
    reader.claim("fraction of its bound", kPercent + " of its own bound",
                 format_percent(r.fraction_of_variant_bound));
    reader.claim("fraction of the roof now", kPercent + " of the roof as probed just now",
                 format_percent(r.fraction_of_roof_now));
    const double winner = r.seconds.median;
    Reader::Truths rows;
    const auto row = [&](const std::string& name, const std::string& time, double seconds,
                         const std::string& ratio) {
        rows.push_back({name, time, format_si(r.flops_nominal / seconds, "flop/s"), ratio});
    };
    row(winner_row(r), time_words(r.seconds), winner, "");
    const auto reference = [&](const std::string& name, const TimeInterval& time, const TimeInterval& ratio) {
        // Of fewer than six turns there is no interval.
        row(name, time.slots >= 6 ? time_words(time) : format_seconds(time.median), time.median,
            ratio_cell_words(ratio));
    };
    if (r.best != r.fallback)
        reference("default: " + told_apart(r, r.fallback, {{"winner", r.best}}), r.default_seconds,
                  r.default_ratio);
    if (r.best != r.naive)
        reference(r.naive == r.fallback
                      ? "naive: the same variant as the default"
                      : "naive: " + told_apart(r, r.naive, {{"winner", r.best}, {"default", r.fallback}}),
                  r.naive_seconds, r.naive_ratio);
    // On a machine of which nothing is known for certain there are none.
    const auto bound = [&](const std::string& name, double seconds) {
        if (seconds > 0.0) row(name, format_seconds(seconds), seconds, format_ratio(seconds / winner));
    };
    bound("the winner's own bound", r.bound.seconds_lower);
    bound("roof of the problem", r.problem_roof_seconds);
    reader.table("reference times", {"", "time", "flop/s", "time over the winner's"}, rows);
    reader.claim("error", "largest error is " + kPercent + " of what rounding explains",
                 format_percent_up(r.verified_error));
    reader.claim("preparation", "Preparation takes " + kTime, format_seconds(r.prepare_seconds));
    const double saved = (r.speedup_over_naive - 1.0) * winner;
    reader.claim("runs that pay", "paid back after " + kCount + " runs?",
                 format_count(static_cast<std::uint64_t>(
                     std::max(0.0, std::min(1e18, std::ceil(r.prepare_seconds / saved))))));
}

void claim_certificate(Reader& reader, const TuneResult& r) {
    const CertificateReport& c = r.certificate;
    const auto count = [&](const char* name, const std::string& before, const std::string& behind,
                           std::uint64_t truth) {
        reader.claim(name, before + kCount + behind, format_count(truth));
    };
    count("space", "Space: ", " variants? =", c.space);
    count("excluded", "= ", " excluded \\+", c.excluded);
    count("set aside", "\\+ ", " set aside \\+", c.set_aside);
    count("measured", "\\+ ", " measured \\+", c.measured);
    count("raced out", "\\+ ", " raced out \\+", c.raced_out);
    count("failed", "\\+ ", " failed", c.failed);
    count("failed through no fault", "failed \\(", " through no fault", c.failed_environment);
    count("unmeasured", "\\+ ", " unmeasured", c.unmeasured);
    count("from earlier runs", "", " variants? came from earlier runs",
          static_cast<std::uint64_t>(r.resumed));
    reader.claim("margin", "a margin of " + kPercent, format_percent_up(c.margin));
    reader.claim(
        "estimates of traffic",
        "The " + kCount + " variants? timed took " + kRatio + " of their estimate " + R"((\[[^\]]*\]))",
        Reader::Truths{{format_count(static_cast<std::uint64_t>(c.estimate.timed)),
                        format_ratio(c.estimate.median),
                        "[" + format_ratio(c.estimate.low) + ", " + format_ratio(c.estimate.high) + "]"}});
    const SliceReport& s = c.slice;
    if (s.space > 0) {
        reader.words(variant_assignment(s.where));
        reader.claim(
            "slice",
            "Among the " + kCount + " variants? with the winner's (.*): " + kPercent +
                " excluded by proof, " + kPercent + " set aside, " + kCount + " measured or raced out",
            Reader::Truths{{format_count(s.space), variant_assignment(s.where),
                            format_percent(share(s.excluded, s.space)),
                            format_percent(share(s.set_aside, s.space)), format_count(s.evaluated)}});
    }
    const AuditReport& a = c.audit;
    reader.claim("audit",
                 "Audit: " + kCount + " variants? excluded or set aside w[a-z]+ measured after all; " +
                     kCount + " of them w",
                 Reader::Truths{{std::to_string(a.measured), std::to_string(a.regrets)}});
    reader.claim("audit's limit", "at most " + kPercent + " of those classes are regrets \\((95 %) limit",
                 Reader::Truths{{format_percent_up(a.upper_limit), "95 %"}});
    reader.claim("audit's draws", "limit by the " + kCount + " drawn at random",
                 std::to_string(a.excluded.drawn + a.set_aside.drawn));
    reader.claim("audit of what was set aside",
                 "Of those, " + kCount + " had been set aside by an estimate, " + kCount +
                     " of them wrongly \\(at most " + kPercent,
                 Reader::Truths{{std::to_string(a.set_aside.measured), std::to_string(a.set_aside.wrong),
                                 format_percent_up(a.set_aside.upper_limit)}});
    reader.claim("violations", "^" + kCount + " measurements? beat (?:its|their) bound",
                 std::to_string(c.violations));
    reader.claim("violations of the short summary", "Warning " + kCount + " measurements? beat",
                 std::to_string(c.violations));
    reader.claim("violations in the audit", "beat their bound \\(" + kCount + " of them in the audit",
                 std::to_string(a.violations));
}

void claim_draws(Reader& reader, const SampledReport& s) {
    const auto class_of = [&](const std::string& name, const std::string& population,
                              const std::string& drawn, const SampledClass& c) {
        reader.claim(name + ": population", population, format_count(c.population));
        reader.claim(name + ": draws", "\\(" + kCount + " of " + kCount + " " + drawn,
                     Reader::Truths{{std::to_string(c.faster), std::to_string(c.drawn)}});
    };
    class_of("left unmeasured", "Of the " + kCount + " variants? that the search left unmeasured", "drawn",
             s.unmeasured);
    class_of("raced out", "Of the " + kCount + "(?: variants?)? that it raced out", "measured again",
             s.raced_out);
    const std::string limit = "(?:with (95 %) confidence fewer than|at most) " + kPercent + " are";
    const auto limits = [&](const SampledClass& c) {
        return Reader::Truths{{"95 %", format_percent_up(c.upper_limit)},
                              {"", format_percent_up(c.upper_limit)}};
    };
    reader.claim("limit of those left", "search left unmeasured before this draw, " + limit,
                 limits(s.unmeasured));
    reader.claim("limit of those raced out", "raced out, " + limit, limits(s.raced_out));
    reader.claim("more than", "more than (3 %) faster", "3 %");
    reader.claim("limit of both", "Of both together: fewer than " + kPercent,
                 format_percent_up(s.upper_limit));
    reader.claim(
        "untimed", "and " + kCount + " could not be timed",
        Reader::Truths{{std::to_string(s.unmeasured.untimed)}, {std::to_string(s.raced_out.untimed)}});
}

void claim_left(Reader& reader, const TuneResult& r) {
    const CertificateReport& c = r.certificate;
    const ReplacementReport& second = c.replacement;
    const std::string proven = faster_words(c.gap, c.gap_low, c.gap_high);
    const std::string gap = R"(([0-9.]+(?: [0-9]{3})*(?:×| %)(?: \[[^\]]*\])? (?:faster|as fast)))";
    reader.claim("proven gap", "(?:^|: )(?:Left )?[Nn]othing [^(]*can be more than " + gap, proven);
    reader.claim("gap without an upper end", "by their median nothing [^(]*can be more than " + gap, proven);
    reader.claim("its lower end", "lower end of their interval no more than ([0-9.]+(?: [0-9]{3})*(?:×| %))",
                 c.gap < 1.0 ? format_percent_up(c.gap_low) : format_ratio_up(1.0 + c.gap_low));
    reader.claim("proven gap beside the second", "any cache: (?:not more than )?" + gap, proven);
    reader.claim("gap at this machine's rates",
                 "(?:meanwhile|replace data), nothing [^(]*can be more than " + gap,
                 faster_words(second.gap, second.gap_low, second.gap_high));
    const double before = r.config_before.gap;
    reader.claim("limit of the config before", "the tuned config before, with a proven limit of " + gap,
                 faster_words(before, before, before));
    reader.claim("limit beside that", "(?:this one is|this run,) with a proven limit of " + gap,
                 faster_words(c.gap, c.gap, c.gap));
    reader.claim("timed", "all " + kCount + " timed kept to that", std::to_string(second.timed));
    reader.claim("beaten",
                 kCount + " of " + kCount + " timed were faster than those rates allow, by up to " + kPercent,
                 Reader::Truths{{std::to_string(second.beaten), std::to_string(second.timed),
                                 format_percent_up(second.largest - 1.0)}});
    reader.claim("short call", "a repetition takes " + kTime, format_seconds(r.seconds.median));
    reader.claim("threads of the call", "starting and joining ([0-9]+) threads",
                 std::to_string(std::max(1, r.needs.threads)));
}

void claim_tried(Reader& reader, const CertificateReport& c) {
    const std::uint64_t tried = c.measured + c.raced_out;
    reader.claim("measured beside the winner",
                 "of " + kCount + " others? measured none is known to be faster",
                 format_count(std::max<std::uint64_t>(1, tried) - 1));
    reader.claim("only one measured", "none yet: of " + kCount + " variants only one was measured",
                 format_count(c.space));
    const std::uint64_t failed = c.failed - std::min(c.failed, c.failed_environment);
    reader.claim("hardly begun", "Only " + kCount + " of " + kCount + " variants were tried",
                 Reader::Truths{{format_count(tried + failed), format_count(c.space)}});
}

void claim_advice(Reader& reader, const TuneResult& r) {
    claim_tried(reader, r.certificate);
    const double spent = std::min(86400.0, std::max(0.0, r.setup_seconds + r.elapsed_seconds));
    const double longer = std::max(120.0, 60.0 * std::ceil(4.0 * spent / 60.0));
    reader.claim("longer budget", "--budget ([0-9]+)s", std::to_string(static_cast<int>(longer)));
    const int evaluations = r.convergence.empty() ? 0 : r.convergence.back().evaluations;
    reader.claim("more evaluations", "more evaluations: `?--budget ([0-9]+)",
                 std::to_string(std::max(100, 4 * evaluations)));
    reader.claim("more patience", "--patience ([0-9]+)", "200");
    reader.excuse("^Config .*$", "a long path is broken where the line ends; the whole summary has it whole");
    reader.claim("disturbed", "winner's time is only known as " + kTime, time_words(r.seconds));
    reader.claim("far from its bound", "The winner reaches only " + kPercent + " of its own bound",
                 format_percent(r.fraction_of_variant_bound));
}

}  // namespace

TuneResult result_of(const json& result) {
    const Json strict = Json::parse(result.dump());
    return result_from(StrictObject(strict, "the result"));
}

std::string time_words(const TimeInterval& t) {
    return format_seconds_interval(t.median, t.low, t.high);
}

std::string ratio_words(const TimeInterval& t) {
    return t.slots > 0 && t.slots < 6 ? format_ratio(t.median)
                                      : format_ratio_interval(t.median, t.low, t.high);
}

std::string ratio_cell_words(const TimeInterval& t) {
    return ratio_words(t) + (t.slots > 0 && t.slots < 6 ? ", " + format_plural(t.slots, "round") : "");
}

void claim_result(Reader& reader, const json& result) {
    const TuneResult r = result_of(result);
    reader.words_of(result);
    claim_names(reader, r);
    claim_context(reader, r);
    claim_winner(reader, r);
    claim_certificate(reader, r);
    claim_draws(reader, r.certificate.sampled);
    claim_left(reader, r);
    claim_advice(reader, r);
}

}  // namespace rooftune::test
