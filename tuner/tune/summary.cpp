#include "tuner/tune/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tuner/base/joined.h"
#include "tuner/base/si.h"
#include "tuner/base/table.h"
#include "tuner/base/text_width.h"
#include "tuner/chart/phrases.h"
#include "tuner/formats/reference_time.h"
#include "tuner/formats/setting_words.h"
#include "tuner/measure/statistics.h"
#include "tuner/tune/durations.h"
#include "tuner/tune/edge_text.h"
#include "tuner/tune/first_lines.h"
#include "tuner/tune/headline.h"
#include "tuner/tune/reference_words.h"
#include "tuner/tune/short_call.h"

namespace rooftune {
namespace {

/// The sentence after others; nothing where it is empty.
std::string behind(const std::string& sentence) {
    return sentence.empty() ? "" : " " + sentence;
}

TableCell rate_cell(double rate) {
    return rate > 0.0 ? TableCell(format_si(rate, "flop/s"), rate) : TableCell();
}

Table reference_table(const TuneResult& r) {
    Table table({{"", Align::left},
                 {"time", Align::right},
                 {"flop/s", Align::right},
                 {"time over the winner's", Align::right}});
    const double winner = r.seconds.median;
    const auto row = [&](const std::string& name, const std::string& time, double seconds,
                         const std::string& ratio) {
        const double rate = flops_per_second(r, seconds);
        table.add({name, {time, seconds}, rate_cell(rate), {ratio, seconds / winner}});
    };
    row(winner_words(r), format_seconds_interval(winner, r.seconds.low, r.seconds.high), winner, "");
    const auto compared = [&](Reference which, const std::string& name, double speedup,
                              const TimeInterval& ratio) {
        if (speedup <= 0.0 || !std::isfinite(speedup)) return;
        const TimeInterval time = reference_time(r, which);
        row(name,
            has_interval(time) ? format_seconds_interval(time.median, time.low, time.high)
                               : format_seconds(time.median),
            time.median, speedup_cell(speedup, ratio));
    };
    if (r.best != r.fallback) {
        compared(Reference::fallback, default_words(r), r.speedup_over_default, r.default_ratio);
    }
    if (r.best != r.naive && !has_one_reference(r.family)) {
        compared(Reference::naive, naive_words(r), r.speedup_over_naive, r.naive_ratio);
    }
    const auto bound = [&](const std::string& name, double seconds) {
        if (seconds > 0.0) row(name, format_seconds(seconds), seconds, format_ratio(seconds / winner));
    };
    bound("the winner's own bound", r.bound.seconds_lower);
    bound("roof of the problem", r.problem_roof_seconds);
    return table;
}

std::string counts_sentence(const CertificateReport& c) {
    std::string failed = fmt::format("{} failed", format_count(c.failed));
    if (c.failed_environment > 0) {
        failed += fmt::format(" ({} through no fault of {})", format_count(c.failed_environment),
                              c.failed_environment == 1 ? "its own" : "their own");
    }
    std::string text = fmt::format(
        "Space: {} = {} excluded + {} set aside + {} measured + {} raced out + {} + {} unmeasured.",
        format_plural(c.space, "variant"), format_count(c.excluded), format_count(c.set_aside),
        format_count(c.measured), format_count(c.raced_out), failed, format_count(c.unmeasured));
    if (c.space != c.excluded + c.set_aside + c.measured + c.raced_out + c.failed + c.unmeasured) {
        text += " These counts do not add up: this is a fault of the program, and its certificate is void.";
    }
    return text;
}

std::string slice_sentence(const SliceReport& s) {
    if (s.space == 0) return "";
    const auto share = [&](std::uint64_t n) {
        return format_percent(static_cast<double>(n) / static_cast<double>(s.space));
    };
    return fmt::format(
        " Among the {} with the winner's {}: {} excluded by proof, {} set aside, {} measured or raced out.",
        format_plural(s.space, "variant"), variant_assignment(s.where), share(s.excluded), share(s.set_aside),
        format_count(s.evaluated));
}

std::string certificate_text(const TuneResult& r) {
    const CertificateReport& c = r.certificate;
    std::string text = counts_sentence(c) + behind(growth_sentence(r));
    if (r.strategy != "bounds")
        text += fmt::format(" What to measure next was chosen by the strategy {}.", r.strategy);
    text += fmt::format(" The search stopped because {}.", stop_phrase(c));
    if (c.excluded > 0) {
        text +=
            fmt::format(" Excluded means proven no faster, with a margin of {} for noise in the ceilings.",
                        format_percent_up(c.margin));
        if (r.no_bounds) text += " By --no-bounds nothing was left out for that: these would have been.";
    }
    if (c.set_aside > 0) {
        text +=
            " Set aside means likely no faster, by an estimate of its traffic: measured last, and audited.";
        if (c.estimate.timed > 0) {
            text += fmt::format(" The {} timed took {} of their estimate [{}, {}].",
                                format_plural(static_cast<std::uint64_t>(c.estimate.timed), "variant"),
                                format_ratio(c.estimate.median), format_ratio(c.estimate.low),
                                format_ratio(c.estimate.high));
        }
    }
    text += slice_sentence(c.slice);
    if (c.raced_out > 0) text += " Raced out means dropped after a few samples: likely, not proven.";
    return text;
}

std::string audit_sentence(const CertificateReport& c) {
    const AuditReport& a = c.audit;
    if (a.measured <= 0) {
        return c.sampled.drawn() > 0 ? "Nothing was excluded or set aside that an audit could draw from."
                                     : "No audit was made.";
    }
    // The nearest to the threshold are no fair sample. Results of before that was told apart have no count of
    // draws.
    const int drawn = a.excluded.drawn + a.set_aside.drawn;
    std::string text = fmt::format(
        "Audit: {} excluded or set aside {} measured after all; {} of them {} faster (regrets): at most {} "
        "of "
        "those classes are regrets (95 % limit{}).",
        format_plural(a.measured, "variant"), a.measured == 1 ? "was" : "were", a.regrets,
        a.regrets == 1 ? "was" : "were", format_percent_up(a.upper_limit),
        drawn > 0 ? fmt::format(" by the {} drawn at random", drawn) : "");
    if (drawn <= 0 && a.upper_limit >= 1.0) {
        text = fmt::format(
            "Audit: {} excluded or set aside {} measured after all; {} of them {} faster (regrets). None was "
            "drawn at random, so nothing follows for the others.",
            format_plural(a.measured, "variant"), a.measured == 1 ? "was" : "were", a.regrets,
            a.regrets == 1 ? "was" : "were");
    } else if (a.set_aside.measured > 0) {
        text +=
            fmt::format(" Of those, {} had been set aside by an estimate, {} of them wrongly (at most {}).",
                        a.set_aside.measured, a.set_aside.wrong, format_percent_up(a.set_aside.upper_limit));
    }
    if (a.regrets > 0)
        text += " The best of them is the winner now, and the class that it came from was re-opened.";
    return text;
}

bool drawn_whole(const SampledClass& c) {
    return static_cast<std::uint64_t>(c.drawn) >= c.population;
}

// "fewer than 9.5 %", by draws; a class that was drawn whole is known.
std::string share_of_faster(const SampledClass& c) {
    if (drawn_whole(c)) {
        return c.upper_limit <= 0.0 ? std::string("none is")
                                    : fmt::format("{}{} are", c.untimed > 0 ? "at most " : "",
                                                  format_percent_up(c.upper_limit));
    }
    if (c.upper_limit >= 1.0) return "too few were drawn to say how many are";
    return fmt::format("with 95 % confidence fewer than {} are", format_percent_up(c.upper_limit));
}

// "1 of 22 drawn", and how many of them gave no time.
std::string hits(const SampledClass& c, const char* drawn) {
    std::string text = fmt::format("{} of {} {}", format_count(c.faster), format_count(c.drawn), drawn);
    if (c.untimed > 0)
        text += fmt::format(", and {} could not be timed and count as well", format_count(c.untimed));
    return text;
}

std::string sampled_sentence(const SampledReport& s) {
    const SampledClass& open = s.unmeasured;
    const SampledClass& dropped = s.raced_out;
    std::string text;
    if (open.drawn > 0) {
        text += fmt::format(
            " Of the {} that the search left unmeasured before this draw, {} more than 3 % faster ({}).",
            format_plural(open.population, "variant"), share_of_faster(open), hits(open, "drawn"));
    }
    if (dropped.drawn > 0) {
        text += fmt::format(" Of the {}that it raced out, {} ({}).",
                            open.drawn > 0 ? format_count(dropped.population) + " "
                                           : format_plural(dropped.population, "variant") + " ",
                            share_of_faster(dropped) + (open.drawn > 0 ? "" : " more than 3 % faster"),
                            hits(dropped, "measured again"));
    }
    if (open.drawn > 0 && dropped.drawn > 0 && !(drawn_whole(open) && drawn_whole(dropped)))
        text += fmt::format(" Of both together: fewer than {}.", format_percent_up(s.upper_limit));
    if (s.regrets > 0)
        text += " Faster means than the winner before: the best of those drawn took its place.";
    return text;
}

std::string violations_sentence(const TuneResult& r) {
    const CertificateReport& c = r.certificate;
    const std::string suspicion =
        r.fraction_of_variant_bound > 1.0 + std::max(kNoiseShare, c.margin)
            ? " The winner itself is faster than its bound allows: trust its time, not the bound."
            : "";
    if (c.violations <= 0) return "No measurement beat its bound." + suspicion;
    std::string text = fmt::format(
        "{} beat {} bound{}: each was verified and timed again, and the ceiling probed again. Where the "
        "probe "
        "followed, the ceiling rose; where it did not, the term no longer excludes. What had been excluded "
        "by it was "
        "opened again.",
        format_plural(c.violations, "measurement"), c.violations == 1 ? "its" : "their",
        c.audit.violations > 0 ? fmt::format(" ({} of them in the audit)", c.audit.violations) : "");
    std::vector<std::string> demoted;
    for (const TermReport& term : r.bound.terms) {
        if (term.demoted) demoted.push_back(term_phrase(term));
    }
    if (!demoted.empty()) text += fmt::format(" No longer trusted: {}.", joined(demoted));
    for (const std::string& wrong : r.accused) text += " Wrongly declared: " + printable(wrong) + ".";
    return text + suspicion;
}

// A ratio is the median of rounds in which both were timed in turn: it differs from that of the two medians
// where the machine changed between rounds.
std::string pairs_sentence(const TuneResult& r) {
    const auto differs = [&](double ratio, Reference reference) {
        return is_off_the_medians(ratio, reference_time(r, reference).median, r.seconds.median);
    };
    const bool told = (r.best != r.fallback && differs(r.speedup_over_default, Reference::fallback)) ||
                      (r.best != r.naive && differs(r.speedup_over_naive, Reference::naive));
    return told ? "Times over the winner's are of paired rounds, not of the medians beside them." : "";
}

std::string measured_sentence(const TuneResult& r) {
    const std::string error = fmt::format("its largest error is {} of what rounding explains.",
                                          format_percent_up(r.verified_error));
    std::string text = r.verified_by.empty()                ? "Verified: " + error
                       : r.verified_by == kVerifiedByItself ? "Verified " + r.verified_by + "; " + error
                                                            : "Verified " + printable(r.verified_by) + ".";
    const double saved = (r.speedup_over_naive - 1.0) * r.seconds.median;
    if (r.prepare_seconds > 0.0) {
        text += fmt::format(" Preparation takes {}", format_seconds(r.prepare_seconds));
        const double runs = std::ceil(r.prepare_seconds / saved);
        if (saved > 0.0 && runs < 1e9) {
            text += fmt::format(", paid back after {} (against {})", format_plural(runs, "run"),
                                naive_phrase(r.family, r.backend));
        }
        text += ".";
    }
    return text;
}

// Finals and what is measured last have rounds that they need, however short the budget.
std::string budget_words(const TuneResult& r) {
    const double all = r.setup_seconds + r.elapsed_seconds;
    const bool over = r.budget_seconds > 0.0 && all > r.budget_seconds + 1.0 && all > 1.1 * r.budget_seconds;
    if (!over) return "";
    constexpr double kWorthTelling = 1.0;
    const std::string finals =
        r.finals_seconds >= kWorthTelling ? ", and finals took " + format_duration(r.finals_seconds) : "";
    return fmt::format(" (the budget was {}{})", format_duration(r.budget_seconds), finals);
}

// A kernel of the user's own without a parameter `threads`, that runs on one, whatever the tune might use.
bool is_serial(const TuneResult& r) {
    return r.backend == "cpu" && r.needs.threads == 1 && r.threads > 1 && !r.best.contains("threads");
}

std::string context_line(const TuneResult& r) {
    std::vector<std::string> parts;
    if (!r.state.empty()) parts.push_back(r.state + " caches");
    const bool device = r.backend != "cpu";
    if (device) parts.push_back("OpenCL: " + r.device);
    parts.push_back(is_serial(r)
                        ? std::string("1 thread, which no parameter changes")
                        : fmt::format("{} at most", format_plural(std::max(0, r.threads),
                                                                  device ? "compute unit" : "thread")));
    const std::string& machine = r.machine_name.empty() ? r.machine_id : r.machine_name;
    if (!machine.empty()) parts.push_back(machine);
    for (const Duration& d : durations_of(r))
        parts.push_back(format_duration(d.seconds) + (d.words.empty() ? budget_words(r) : " " + d.words));
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : " · ") + part;
    return printable(text);
}

std::string none_works(const TuneResult& r) {
    const CertificateReport& c = r.certificate;
    if (c.space == 0) return "The space is empty: no variant satisfies all constraints.";
    const std::uint64_t tried = c.measured + c.raced_out + c.failed;
    const std::string why = no_winner_phrase(c);
    if (tried == 0 || tried > c.failed)
        return why + " in this run, so there is no winner. No config was written.";
    std::string text =
        fmt::format("{}: {} tried, all failed. No config was written.", why, format_plural(tried, "variant"));
    for (const std::string& failure : r.failures) text += " " + sentence(printable(failure));
    return text;
}

}  // namespace

std::string title_of(const TuneResult& r) {
    if (!r.title.empty()) return printable(r.title) + setting_words(r.backend, r.state);
    return r.family.empty() ? "(no problem)" : printable(r.family);
}

std::string title_among(const TuneResult& r, const std::vector<TuneResult>& all) {
    const std::string title = title_of(r);
    const bool has_a_double = std::any_of(all.begin(), all.end(), [&](const TuneResult& other) {
        return other.threads != r.threads && title_of(other) == title;
    });
    return has_a_double ? title + " on " + format_plural(std::max(0, r.threads), "thread") : title;
}

SummaryParts summary_parts(const TuneResult& r) {
    SummaryParts parts{
        .title = title_of(r),
        .context = context_line(r),
        .verdict = r.best.empty() ? none_works(r) : winner_sentence(r) + " " + left_text(r),
        .winner = {},
        .certificate = r.certificate.space > 0 ? certificate_text(r) : "",
        .failures = {},
        .audit = {},
        .doubts = r.model_doubts.empty() ? "" : "About the ceilings: " + joined(r.model_doubts, " ", " "),
        .references = reference_table(r)};
    if (r.best.empty()) return parts;
    parts.winner = fmt::format("The winner: {}. {}", variant_assignment(r.best), measured_sentence(r)) +
                   behind(pairs_sentence(r)) + behind(slow_default_sentence(r)) + behind(edge_sentence(r));
    for (const std::string& failure : r.failures)
        parts.failures += (parts.failures.empty() ? "Failed: " : " ") + sentence(printable(failure));
    if (r.certificate.space > 0)
        parts.audit = audit_sentence(r.certificate) + sampled_sentence(r.certificate.sampled) + " " +
                      violations_sentence(r);
    return parts;
}

std::string summary_text(const TuneResult& r) {
    const SummaryParts parts = summary_parts(r);
    std::string text = fmt::format("## {}\n\n", parts.title);
    text += wrap(parts.context) + "\n\n";
    text += (r.best.empty() ? wrap(parts.verdict) + "\n" : first_lines(r)) + "\n";
    if (!r.best.empty()) text += parts.references.to_text() + "\n" + wrap(parts.winner) + "\n\n";
    if (!parts.certificate.empty()) text += wrap(parts.certificate) + "\n\n";
    if (!parts.failures.empty()) text += wrap(parts.failures) + "\n\n";
    if (!parts.audit.empty()) text += wrap(parts.audit) + "\n\n";
    if (!parts.doubts.empty()) text += wrap(parts.doubts) + "\n\n";
    std::string files;
    const auto file = [&](std::string_view what, const std::string& path) {
        if (!path.empty()) files += fmt::format("- {}: {}\n", what, printable(path));
    };
    file("config", r.config_file);
    file("header", r.header_file);
    file("plot", r.plot_file);
    if (!files.empty()) text += "Written:\n\n" + files + "\n";
    text += "Next:\n\n";
    for (const std::string& item : advice(r)) text += list_item(item);
    return text;
}

Table table_of(const std::vector<TuneResult>& results) {
    const std::string naive = [&] {
        if (results.empty()) return std::string("naive");
        for (const TuneResult& r : results) {
            if (r.family != results.front().family || r.backend != results.front().backend)
                return std::string("the naive variant");
        }
        return naive_phrase(results.front().family, results.front().backend);
    }();
    Table table({{"problem", Align::left},
                 {"winner", Align::left},
                 {"flop/s", Align::right},
                 {"over " + naive, Align::right},
                 {"over default", Align::right},
                 {"of roof", Align::right},
                 {"of bound", Align::right},
                 {"of roof now", Align::right},
                 {"bound by", Align::left},
                 {"proven gap", Align::right},
                 {"stopped by", Align::left}});
    const auto share = [](double fraction) {
        return fraction > 0.0 ? TableCell(format_percent(fraction), fraction) : TableCell("n/a");
    };
    for (const TuneResult& r : results) {
        const std::string& stop = r.certificate.stopped_by;
        if (r.best.empty()) {
            std::string why = no_winner_phrase(r.certificate);
            why.front() = 'n';
            table.add({title_among(r, results), why, "", "", "", "", "", "", "", "", stop});
            continue;
        }
        const TermReport* binding = binding_term(r.bound);
        table.add({title_among(r, results),
                   variant_phrase(r.family, r.best),
                   rate_cell(flops_per_second(r, r.seconds.median)),
                   gain_cell(r.speedup_over_naive, r.naive_ratio, r.best == r.naive),
                   gain_cell(r.speedup_over_default, r.default_ratio, r.best == r.fallback),
                   share(r.fraction_of_problem_roof),
                   share(r.fraction_of_variant_bound),
                   is_more_than_the_roof(r) ? TableCell("disturbed") : share(r.fraction_of_roof_now),
                   binding ? term_phrase(*binding) : "nothing known",
                   {gap_cell(proven_gap(r.certificate)), r.certificate.gap},
                   stop});
    }
    return table;
}

std::string several_table(const std::vector<TuneResult>& results, int columns) {
    return results.empty() ? "" : table_of(results).to_text(columns);
}

}  // namespace rooftune
