#include <fmt/format.h>

#include <algorithm>

#include "tuner/base/si.h"
#include "tuner/chart/roofline_plot.h"
#include "tuner/engine/known_since.h"
#include "tuner/formats/setting_words.h"
#include "tuner/report/sections.h"
#include "tuner/tune/summary.h"

namespace rooftune::page {
namespace {

std::vector<TuneResult> results_of(const Input& input) {
    std::vector<TuneResult> results;
    for (const ResultFile& file : input.files) results.push_back(file.result);
    return results;
}

// Rows of the tables of variants, over all results: a page stays within two megabytes.
constexpr std::size_t kVariants = 400, kMostVariants = 100, kLeastVariants = 5;

// Steps on another machine, device or number of threads are those of another winner.
bool is_of(const ladder::Subject& s, const TuneResult& r) {
    return s.family == r.family && s.digest == r.digest && s.backend == r.backend && s.state == r.state &&
           s.machine_id == r.machine_id && s.threads == r.threads && s.device == r.device;
}

/// The newest ladder of this result; null: there is none.
const ladder::LadderFile* ladder_of(const Input& input, const TuneResult& r) {
    const ladder::LadderFile* newest = nullptr;
    for (const ladder::LadderFile& file : input.ladders) {
        if (is_of(file.result.subject, r) && (!newest || newest->result.created < file.result.created))
            newest = &file;
    }
    return newest;
}

bool has_result(const Input& input, const ladder::LadderFile& file) {
    return std::any_of(input.files.begin(), input.files.end(),
                       [&](const ResultFile& f) { return is_of(file.result.subject, f.result); });
}

/// A ladder whose tuned config is not among the results.
Chapter chapter_of(const ladder::LadderFile& file, std::size_t series) {
    const ladder::Subject& s = file.result.subject;
    Chapter chapter{
        section_id("result", series),
        s.title + setting_words(s.backend, s.state),
        fmt::format("{} on {}, caches {}", format_plural(s.threads, "thread"), s.machine_name, s.state),
        {series, s.dtype},
        {}};
    chapter.sections.push_back(ladder_section(file, series, nullptr));
    return chapter;
}

Chapter chapter_of(const ResultFile& file, std::size_t series, std::size_t results,
                   const ladder::LadderFile* ladder, const std::vector<Machine>& machines) {
    const TuneResult& r = file.result;
    const auto machine = std::find_if(machines.begin(), machines.end(),
                                      [&](const Machine& m) { return m.id == r.machine_id; });
    const SummaryParts parts = summary_parts(r);
    Chapter chapter{section_id("result", series), parts.title, parts.context, {series, r.dtype}, {}};
    chapter.sections.push_back(winner_section(r, series));
    if (ladder) chapter.sections.push_back(ladder_section(*ladder, series, &file));
    chapter.sections.push_back(convergence_section(r, series));
    chapter.sections.push_back(certificate_section(r, series));
    chapter.sections.push_back(
        bound_section(r, series, machine == machines.end() ? "" : known_since(r, *machine)));
    chapter.sections.push_back(
        variants_section(r, series, std::clamp(kVariants / results, kLeastVariants, kMostVariants)));
    chapter.sections.push_back(provenance_section(file, series));
    std::erase_if(chapter.sections, [](const Section& section) { return section.blocks.empty(); });
    return chapter;
}

}  // namespace

std::string section_id(const char* section, std::size_t series) {
    return fmt::format("{}-{}", section, series + 1);
}

Document build(const Input& input) {
    const std::vector<TuneResult> results = results_of(input);
    Document document;
    document.title = !input.title.empty() ? input.title
                     : results.empty()    ? std::string("Ladders")
                     : results.size() == 1
                         ? "Tuning report: " + title_of(results.front())
                         : fmt::format("Tuning report: {}", format_plural(results.size(), "problem"));
    if (!results.empty()) {
        document.subtitle = subtitle_of(results);
        document.overview.push_back(summary_section(input));
        document.overview.push_back(roofline_section(input));
    }
    for (std::size_t i = 0; i < input.files.size(); ++i)
        document.chapters.push_back(chapter_of(input.files[i], i, input.files.size(),
                                               ladder_of(input, input.files[i].result), input.machines));
    for (const ladder::LadderFile& file : input.ladders) {
        if (!has_result(input, file)) document.chapters.push_back(chapter_of(file, document.chapters.size()));
    }
    if (!results.empty()) document.background.push_back(machine_section(input));
    return document;
}

}  // namespace rooftune::page
