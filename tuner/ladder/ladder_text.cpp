#include "tuner/ladder/ladder_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "tuner/base/joined.h"
#include "tuner/base/si.h"
#include "tuner/base/text_width.h"
#include "tuner/chart/phrases.h"
#include "tuner/formats/setting_words.h"
#include "tuner/measure/statistics.h"

namespace rooftune {
namespace {

using ladder::Gain;
using ladder::Result;
using ladder::Step;
using ladder::StepState;
using ladder::Timing;

constexpr std::string_view kNone = "–";

TableCell gain_cell(const std::optional<Gain>& gain) {
    return gain ? TableCell(gain_text(gain), gain->factor) : TableCell(std::string(kNone));
}

void add_times(std::vector<TableCell>& row, const Timing& time, const Result& r) {
    if (!(time.median > 0.0)) {
        row.insert(row.end(), {kNone.data(), kNone.data()});
        return;
    }
    row.emplace_back(format_seconds(time.median), time.median);
    const double rate = r.subject.flops_nominal / time.median;
    row.push_back(rate > 0.0 ? TableCell(format_si(rate, "flop/s"), rate) : TableCell(std::string(kNone)));
}

TableCell fraction_cell(const Timing& time, const Result& r) {
    const double fraction = r.fraction(time);
    return fraction > 0.0 ? TableCell(format_percent(fraction), fraction) : TableCell(std::string(kNone));
}

TableCell worth_cell(const Step& step) {
    if (!step.worth) return std::string(kNone);
    return step.worth->gain ? gain_cell(step.worth->gain) : TableCell("no time");
}

std::string change_text(const Step& step) {
    const std::string text = step.state == StepState::unchanged ? "nothing to change" : step.change;
    return step.adapted.empty() ? text : text + " †";
}

TableCell step_gain(const Step& step) {
    if (step.state == StepState::unchanged) return std::string(kNone);
    return step.state == StepState::failed ? TableCell("no time") : gain_cell(step.gain);
}

using NamedGain = std::pair<std::string, Gain>;

RatioSide side_of(const NamedGain& named) {
    return side_of_one(named.second.low, named.second.high);
}

bool is_decided(const NamedGain& named) {
    return side_of(named) == RatioSide::above;
}

// "SIMD 4.1× and threads 1.9×": the two largest of all, and where these are not decided the largest that is.
// An undecided one that is smaller than what is named anyway is noise. Empty where nothing is decided.
std::string largest(std::vector<NamedGain> gains) {
    std::erase_if(gains, [](const NamedGain& named) { return !(named.second.factor > 1.0); });
    std::stable_sort(gains.begin(), gains.end(),
                     [](const auto& a, const auto& b) { return a.second.factor > b.second.factor; });
    if (std::none_of(gains.begin(), gains.end(), is_decided)) return "";
    constexpr std::size_t kNamed = 2;
    std::vector<NamedGain> named(gains.begin(),
                                 gains.begin() + static_cast<std::ptrdiff_t>(std::min(kNamed, gains.size())));
    if (std::none_of(named.begin(), named.end(), is_decided))
        named.push_back(*std::find_if(gains.begin(), gains.end(), is_decided));
    while (!is_decided(named.back())) named.pop_back();
    std::vector<std::string> parts;
    for (const NamedGain& one : named) {
        parts.push_back(one.first + " " + format_ratio(one.second.factor) +
                        (is_decided(one) ? "" : " (not decided)"));
    }
    return joined(parts);
}

// Where no gain is decided: the largest that may be one, if any may, and whether all are losses.
std::string without_gain(std::vector<NamedGain> gains) {
    if (gains.empty()) return "No step gained more than its interval.";
    const std::size_t measured = gains.size();
    std::erase_if(gains, [](const NamedGain& named) { return side_of(named) == RatioSide::below; });
    if (gains.empty())
        return measured == 1 ? "The one step that was measured lost." : "Every step that was measured lost.";
    const auto most = std::max_element(gains.begin(), gains.end(), [](const auto& a, const auto& b) {
        return a.second.factor < b.second.factor;
    });
    return "No step gained more than its interval: the largest, " + most->first + " " +
           gain_text(most->second) + ", is not decided.";
}

std::string where_from(const Result& r) {
    std::vector<NamedGain> gains, worths;
    for (const Step& step : r.steps) {
        if (step.state == StepState::measured) gains.emplace_back(step.name, *step.gain);
        if (step.worth && step.worth->gain) worths.emplace_back(step.name, *step.worth->gain);
    }
    const std::string gained = largest(gains), worth = largest(std::move(worths));
    std::string text =
        gained.empty() ? without_gain(std::move(gains)) : "Most of it came from " + gained + ".";
    if (!worth.empty()) text += " Still worth most to the best variant: " + worth + ".";
    return text;
}

// With the ends of its interval so far apart nearly any whole would agree.
constexpr double kTooWide = 2.0;

std::string whole_text(const Result& r) {
    if (!r.whole) return "";
    return fmt::format(
        "From {} to the best variant: {} as fast ({} to {}). The steps' product is {}: {}.", r.bottom_name,
        gain_text(r.whole), format_seconds(r.bottom_time.median), format_seconds(r.best_time().median),
        gain_text(r.product),
        r.agrees && r.product && r.product->high > kTooWide * r.product->low
            ? "its interval is too wide to hold it against the whole"
        : r.agrees
            ? "it agrees with the whole"
            : "it does not agree with the whole, so something changed while it was measured; measure again");
}

std::string roof_text(const Result& r) {
    const double fraction = r.fraction(r.best_time());
    if (!(fraction > 0.0)) return "";
    const double roof = r.subject.flops_nominal / r.roof_now_seconds;
    std::string text = fmt::format(
        "Attainable now: {}", roof > 0.0 ? format_si(roof, "flop/s") : format_seconds(r.roof_now_seconds));
    if (!r.ceiling.empty()) text += " (" + r.ceiling + ")";
    text += fmt::format("; the best variant reaches {} of it", format_percent(fraction));
    return text + (fraction < 1.0 ? fmt::format(", so that at most {} is left.", format_ratio(1.0 / fraction))
                                  : ".");
}

// A gain is the median of the rounds' ratios, and each time beside it the median of its own.
bool is_beside_other_medians(const std::optional<Gain>& gain, const Timing& before, const Timing& after) {
    return gain && gain->rounds > 0 && is_off_the_medians(gain->factor, before.median, after.median);
}

std::string paired_text(const Result& r) {
    bool told = is_beside_other_medians(r.whole, r.bottom_time, r.best_time());
    Timing before = r.bottom_time;
    for (const Step& step : r.steps) {
        if (step.state == StepState::measured)
            told = told || is_beside_other_medians(step.gain, before, step.time);
        if (step.time.median > 0.0) before = step.time;
    }
    return told ? "Gains are of paired rounds, not of the medians beside them." : "";
}

// The same variant has another time in its tune's summary.
std::string tuned_text(const Result& r) {
    const double here = r.best_time().median;
    if (!(r.tuned_seconds > 0.0) || !(here > 0.0)) return "";
    return fmt::format(
        "The best variant took {} here, and {} in the finals of its tune{}. Those were other minutes of this "
        "machine, so neither is the gain over the other: a ladder's gains are of its own rounds alone.",
        format_seconds(here), format_seconds(r.tuned_seconds),
        r.config_created.empty() ? "" : " (" + r.config_created + ")");
}

}  // namespace

std::string gain_text(const std::optional<Gain>& gain) {
    return gain ? format_ratio_interval(gain->factor, gain->low, gain->high) : std::string(kNone);
}

Table ladder_table(const Result& r) {
    Table table({{"step", Align::left},
                 {"what changes", Align::left},
                 {"time", Align::right},
                 {"flop/s", Align::right},
                 {"gain", Align::right},
                 {"of attainable", Align::right},
                 {"still worth", Align::right}});
    const std::string phrase = variant_phrase(r.subject.family, r.bottom);
    std::vector<TableCell> bottom{r.bottom_name, phrase == r.bottom_name ? std::string(kNone) : phrase};
    add_times(bottom, r.bottom_time, r);
    bottom.insert(bottom.end(), {kNone.data(), fraction_cell(r.bottom_time, r), kNone.data()});
    table.add(std::move(bottom));
    for (const Step& step : r.steps) {
        std::vector<TableCell> row{step.name, change_text(step)};
        add_times(row, step.time, r);
        row.insert(row.end(), {step_gain(step), fraction_cell(step.time, r), worth_cell(step)});
        table.add(std::move(row));
    }
    return table;
}

std::vector<std::string> ladder_sentences(const Result& r) {
    std::vector<std::string> all;
    for (std::string text :
         {whole_text(r), r.whole ? where_from(r) : std::string(), roof_text(r), tuned_text(r)}) {
        if (!text.empty()) all.push_back(std::move(text));
    }
    return all;
}

std::vector<std::string> ladder_remarks(const Result& r) {
    std::vector<std::string> all;
    if (r.interrupted) {
        all.push_back(
            fmt::format("Stopped by Ctrl-C after {}: the intervals are of what was measured until then.",
                        format_plural(r.rounds, "round")));
    }
    if (!r.bottom_failure.empty()) all.push_back(r.bottom_name + " gives no time: " + r.bottom_failure + ".");
    for (const Step& step : r.steps) {
        if (step.state == StepState::failed)
            all.push_back(step.name + " gives no time: " + step.failure + ". The ladder goes on around it.");
        if (!step.adapted.empty())
            all.push_back("† " + step.name + ": the combination is no variant; the nearest has " +
                          step.adapted + ".");
        if (!step.worth) continue;
        if (!step.worth->failure.empty())
            all.push_back("The best without " + step.name + " gives no time: " + step.worth->failure + ".");
        if (!step.worth->adapted.empty())
            all.push_back("Without " + step.name + " the nearest variant has " + step.worth->adapted + ".");
    }
    return all;
}

std::string ladder_text(const Result& r, const std::string& path) {
    std::string text = r.subject.title + setting_words(r.subject.backend, r.subject.state) + ": " +
                       variant_phrase(r.subject.family, r.steps.empty() ? r.bottom : r.steps.back().variant) +
                       ", step by step; " + format_plural(r.rounds, "round") +
                       " in rotation, fresh processes each\n\n" + ladder_table(r).to_text() + "\n";
    // The report's page says it of every ladder.
    const std::string paired = paired_text(r);
    if (!paired.empty()) text += wrap(paired) + "\n";
    for (const std::string& sentence : ladder_sentences(r)) text += wrap(sentence) + "\n";
    const std::vector<std::string> remarks = ladder_remarks(r);
    if (!remarks.empty()) text += "\n";
    for (const std::string& remark : remarks) text += list_item(remark);
    text += path.empty() ? "\nNothing is written: it was stopped before anything gave a time.\n"
                         : "\nThe ladder: " + path + "\n";
    return text + "The best is of: " + r.config + "\n";
}

}  // namespace rooftune
