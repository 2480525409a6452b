#include "tests/support/reader/page_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tuner/base/si.h"
#include "tuner/chart/phrases.h"

namespace rooftune::test {
namespace {

void claim_classes(Reader& reader, const CertificateReport& c) {
    Reader::Truths rows;
    const auto row = [&](const char* name, std::uint64_t count) {
        rows.push_back({name, format_count(count),
                        format_percent(static_cast<double>(count) / static_cast<double>(c.space)), "*"});
    };
    row("excluded", c.excluded);
    row("set aside", c.set_aside);
    row("measured", c.measured);
    row("raced out", c.raced_out);
    row("failed", c.failed);
    row("unmeasured", c.unmeasured);
    row("the whole space", c.space);
    reader.table("classes", {"class", "variants", "of the space", "what it means"}, rows);
    reader.claim("failures through no fault", "or did not end; " + kCount + " through no fault",
                 format_count(c.failed_environment));
    reader.claim("how to read the margin", "taken " + kPercent + " lower for noise in those rates",
                 format_percent_up(c.margin));
    reader.claim("epsilon", "may stop when the upper one is at most " + kPercent, format_percent(c.epsilon));
}

void claim_course(Reader& reader, const TuneResult& r, std::size_t most) {
    if (r.convergence.empty()) return;
    const ConvergencePoint& end = r.convergence.back();
    const auto first = [&](const auto& reached) {
        const auto at = std::find_if(r.convergence.begin(), r.convergence.end(), reached);
        return format_count(static_cast<std::uint64_t>(at == r.convergence.end() ? 0 : at->evaluations));
    };
    const std::string all = format_count(static_cast<std::uint64_t>(end.evaluations));
    reader.claim("evaluations", kCount + " evaluations? in all", all);
    reader.claim("near the winner", "within (3.0 %) of the winner's time after " + kCount,
                 Reader::Truths{{"3.0 %", first([&](const ConvergencePoint& p) {
                                     return p.best_seconds <= 1.03 * end.best_seconds;
                                 })}});
    reader.claim("half of the space", "Half of the space was excluded after " + kCount,
                 first([](const ConvergencePoint& p) { return p.excluded >= 0.5; }));
    const std::string excluded = format_percent(end.excluded);
    reader.claim("excluded at the end", "(?:A|a)t the end (?:it was )?" + kPercent, excluded);
    reader.claim("excluded in the end", ", " + kPercent + " at the end", excluded);
    reader.claim("excluded, in the drawing", "^excluded: " + kPercent, excluded);
    reader.claim("the best, in the drawing", "the best so far: ([0-9.]+ [kMGTP]?flop/s)",
                 format_si(r.flops_nominal / end.best_seconds, "flop/s"));
    reader.claim("the roof, in the drawing", "the problem's roof: ([0-9.]+ [kMGTP]?flop/s)",
                 format_si(r.flops_nominal / r.problem_roof_seconds, "flop/s"));
    Reader::Truths rows;
    for (const ConvergencePoint& p : r.convergence) {
        rows.push_back({format_count(static_cast<std::uint64_t>(p.evaluations)),
                        format_seconds(p.best_seconds), format_si(r.flops_nominal / p.best_seconds, "flop/s"),
                        format_ratio(p.best_seconds / end.best_seconds), format_percent(p.excluded)});
    }
    reader.table("course", {"evaluations", "best time", "flop/s", "time over the winner's", "excluded"}, rows,
                 std::min(most, rows.size()));
}

void claim_variants(Reader& reader, const TuneResult& r, std::size_t most) {
    Reader::Truths rows;
    std::map<std::string, std::size_t> counts;
    for (const PlotPoint& p : r.points) {
        ++counts[p.kind];
        std::string label;
        for (const char c : p.label) label += c == ',' ? ", " : std::string(1, c);
        const bool excluded = p.kind == "excluded";
        rows.push_back(
            {p.kind, label, (excluded ? "at most " : "") + format_si(p.flops_per_second, "flop/s"),
             p.high > 0.0 ? format_si(p.low, "flop/s") + " to " + format_si(p.high, "flop/s") : "–",
             p.bound > 0.0 && !excluded ? format_percent(p.flops_per_second / p.bound) : "–",
             p.binding.empty() ? "–" : term_phrase(p.binding), fmt::format("{:.3g}", p.intensity)});
    }
    // A page has room for so many of each.
    const std::size_t least = rows.size() - counts["measured"] - counts["excluded"] +
                              std::min<std::size_t>(100, counts["measured"]) +
                              std::min<std::size_t>(20, counts["excluded"]);
    reader.table("variants behind the points",
                 {"", "variant", "flop/s", "interval", "of its bound", "bound by", "flop/byte"}, rows,
                 std::min(most, least));
    reader.one_of_many("^\\| (?:excluded|measured) \\| ",
                       "two variants may have one rate and one intensity, and then either's name is true");
    const std::string all = format_count(r.points.size());
    reader.claim("variants of the table", "Variants: " + kCount + " variants?", all);
    reader.claim("variants left out of the table", "the best [0-9]+ of " + kCount + " variants?", all);
    reader.excuse("the best [0-9]+ of ", "how many rows a page has room for");
}

void claim_kept_ceilings(Reader& reader, const TuneResult& r) {
    Reader::Truths rows;
    for (const PlotCeiling& c : r.ceilings)
        rows.push_back({c.label, format_si(c.rate, c.bandwidth ? "B/s" : "flop/s")});
    reader.table("ceilings that the result kept", {"ceiling", "rate"}, rows);
}

void claim_provenance(Reader& reader, const TuneResult& r) {
    const bool device = r.backend == "opencl";
    Reader::Truths rows = {{device ? "compute units at most" : "threads at most", std::to_string(r.threads)},
                           {"problem", variant_assignment(r.problem)},
                           {"digest of the problem", r.digest},
                           {"element type", r.dtype},
                           {"caches before a repetition", r.state},
                           {"backend", device ? "OpenCL: " + r.device : r.backend},
                           {"machine", r.machine_name},
                           {"fingerprint of the machine", r.machine_id},
                           {"space", r.family + ", version " + std::to_string(r.space_version)},
                           {"order of measuring", r.strategy},
                           {"duration of the tune", format_duration(r.elapsed_seconds)},
                           {"tuned config", r.config_file},
                           {"C++ header", r.header_file}};
    if (r.setup_seconds >= 1.0)
        rows.push_back({"before it to load and probe", format_duration(r.setup_seconds)});
    if (r.waited_seconds >= 1.0)
        rows.push_back({"more waiting for others that measured", format_duration(r.waited_seconds)});
    if (r.resumed > 0) rows.push_back({"measurements from earlier runs", std::to_string(r.resumed)});
    for (const auto& [name, value] : r.facts) rows.push_back({name, fmt::format("{:.10g}", value)});
    // What only the file has is covered by its texts.
    for (const char* of_file : {"result file", "tuned", "kernels compiled by", "build of the kernels"})
        rows.push_back({of_file, "*"});
    reader.table("provenance", {"what", "value"}, rows);
}

}  // namespace

void claim_page(Reader& reader, const nlohmann::json& result, std::size_t most) {
    const TuneResult r = result_of(result);
    claim_classes(reader, r.certificate);
    claim_course(reader, r, most);
    claim_variants(reader, r, most);
    claim_provenance(reader, r);
    claim_kept_ceilings(reader, r);
    reader.excuse("Its 95th percentile", "the name of a column");
}

void claim_ceilings(Reader& reader, const Machine& machine, std::size_t most) {
    Reader::Truths rows;
    for (const Ceiling& c : machine.ceilings) {
        const std::string unit = unit_of(c) == "byte/s" ? "B/s" : std::string(unit_of(c));
        const auto rate = [&](double value) { return value > 0.0 ? format_si(value, unit) : "–"; };
        const bool probed = c.windows > 0;
        rows.push_back({describe(c), rate(c.max), rate(c.p95), rate(c.median),
                        probed ? format_percent(c.margin()) : "–",
                        probed ? format_count(static_cast<std::uint64_t>(c.windows)) : "–",
                        c.excludes ? "yes" : "no", c.seen, c.source});
    }
    reader.table("ceilings of the machine",
                 {"ceiling", "highest", "95th percentile", "median", "margin", "windows", "may exclude",
                  "seen", "source"},
                 rows, std::min(most, rows.size()));
    reader.claim("ceilings in all", "Ceilings of [^:]*: " + kCount, format_count(machine.ceilings.size()));
    reader.words(machine.name + " (" + machine.id + ")");
    const Topology& t = machine.topology;
    reader.claim("topology",
                 ", ([0-9]+ cores?), ([0-9]+ threads?), (?:[0-9]+ NUMA nodes, )?([0-9.]+ [KMG]iB) of memory",
                 Reader::Truths{{format_plural(t.cores, "core"), format_plural(t.threads, "thread"),
                                 format_capacity(t.memory.value)}});
    Reader::Truths caches;
    for (const CacheLevel& level : t.caches)
        caches.push_back(
            {std::to_string(level.level),
             format_capacity(level.probed.value > 0.0 ? level.probed.value : level.reported.value)});
    reader.claim("caches", "(?:caches: |, )L([0-9]) ([0-9.]+ [KMG]?i?B)", caches);
    reader.excuse("[0-9 ]+ (?:ceilings? more only rank|rows? more)", "what a page has room for");
    reader.excuse(
        "^[0-9 ]+(?: of [0-9 ]+)? ceilings? w.*|^The model contradicts itself: .*|"
        "^The levels of cache cannot be as they stand here: .*",
        "found anew in the machine's file, whose doubts unit_ceilings tests");
}

}  // namespace rooftune::test
