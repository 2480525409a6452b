#include <fmt/format.h>

#include "tuner/base/si.h"
#include "tuner/chart/phrases.h"
#include "tuner/report/sections.h"
#include "tuner/tune/explain_text.h"
#include "tuner/tune/short_call.h"
#include "tuner/tune/summary.h"

namespace rooftune::page {
namespace {

Table classes_of(const CertificateReport& c) {
    Table table({{"class", Align::left},
                 {"variants", Align::right},
                 {"of the space", Align::right},
                 {"what it means", Align::left}});
    const auto row = [&](const char* name, std::uint64_t count, const std::string& meaning) {
        const double share = c.space > 0 ? static_cast<double>(count) / static_cast<double>(c.space) : 0.0;
        table.add({name,
                   {format_count(count), static_cast<double>(count)},
                   {format_percent(share), share},
                   meaning});
    };
    row("excluded", c.excluded, "proven no faster than the winner, without being measured");
    row("set aside", c.set_aside, "likely no faster, by an estimate: measured last, and audited");
    row("measured", c.measured, "answered rightly and timed in full");
    row("raced out", c.raced_out, "dropped after a few samples: likely no faster, not proven");
    row("failed", c.failed,
        c.failed_environment > 0
            ? fmt::format("crashed, answered wrongly or did not end; {} through no fault of {} own",
                          format_count(c.failed_environment), c.failed_environment == 1 ? "its" : "their")
            : std::string("crashed, answered wrongly or did not end"));
    row("unmeasured", c.unmeasured, "open when the search stopped");
    row("the whole space", c.space, "each variant is in one class");
    return table;
}

/// What the numbers of a certificate are for.
std::string reading_of(const CertificateReport& c) {
    return fmt::format(
        "How to read it: no variant can be faster than its bound, the least that it must do over the highest "
        "rates that this machine showed. A variant is excluded when its bound, taken {} lower for noise in "
        "those "
        "rates, is no better than the upper end of the winner's interval. The gap compares the winner's "
        "median "
        "with the lowest bound of all that is neither measured nor excluded, and so do the ends of its "
        "interval with those of the winner's; the search may stop when the upper one is at most {}. What "
        "caches here replace is another number: the bound of a kernel that finds no more of its "
        "data in them "
        "than the probes found of theirs. It is evidence, and excludes nothing.",
        format_percent_up(c.margin), format_percent(c.epsilon));
}

}  // namespace

Section certificate_section(const TuneResult& r, std::size_t series) {
    Section section{section_id("certificate", series), "The certificate", {}};
    const CertificateReport& c = r.certificate;
    if (c.space == 0) return section;
    const SummaryParts parts = summary_parts(r);
    if (!r.best.empty()) section.blocks.push_back(Paragraph{left_text(r)});
    section.blocks.push_back(DataTable{"The variants of the space by class", classes_of(c)});
    section.blocks.push_back(Paragraph{parts.certificate});
    if (!parts.failures.empty()) section.blocks.push_back(Paragraph{parts.failures});
    if (!parts.audit.empty()) section.blocks.push_back(Paragraph{parts.audit});
    if (!parts.doubts.empty()) section.blocks.push_back(Paragraph{parts.doubts});
    section.blocks.push_back(Paragraph{reading_of(c)});
    section.blocks.push_back(Paragraph{explain_parts(r).search});
    if (!c.excluded_by.empty())
        section.blocks.push_back(DataTable{"What excluded the excluded", excluded_table(c)});
    return section;
}

}  // namespace rooftune::page
