#include "tests/support/reader/known_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/roofs.h"
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

std::string giga_words(double rate) {
    return fmt::format("{:.{}f}", rate / 1e9, rate < 1e9 ? 3 : rate < 10e9 ? 2 : 1);
}

std::string binary_words(double bytes) {
    const double kibi = bytes / 1024.0;
    if (kibi < 1.0) return fmt::format("{:.4g} B", bytes);
    if (kibi < 1024.0) return fmt::format("{:.4g} KiB", kibi);
    if (kibi < 1024.0 * 1024.0) return fmt::format("{:.4g} MiB", kibi / 1024.0);
    return fmt::format("{:.4g} GiB", kibi / 1024.0 / 1024.0);
}

std::string threads_words(int n) {
    return n == 1 ? "1 thread" : std::to_string(n) + " threads";
}

template <typename Wanted>
double best_of(const Machine& machine, const Wanted& wanted) {
    double rate = 0.0;
    for (const Ceiling& c : machine.ceilings) {
        if (wanted(c)) rate = std::max(rate, c.max);
    }
    return rate;
}

void claim_peaks(Reader& reader, const Machine& machine) {
    Reader::Truths rows;
    std::vector<std::string> columns{"vectors"};
    std::vector<int> threads;
    for (const Ceiling& c : machine.ceilings) {
        if (c.resource == Resource::compute && c.when.threads > 0) threads.push_back(c.when.threads);
    }
    if (threads.empty()) return;
    std::sort(threads.begin(), threads.end());
    threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
    if (threads.size() > 2) threads = {threads.front(), threads.back()};
    for (const int n : threads) {
        for (const char* type : {"f64, ", "f32, "}) columns.push_back(type + threads_words(n));
    }
    for (const int width : {0, 128, 256, 512}) {
        std::vector<std::string> row{width == 0 ? "scalar" : std::to_string(width) + " bit"};
        for (const int n : threads) {
            for (const DType dtype : {DType::f64, DType::f32}) {
                const int bits = width == 0 ? 8 * static_cast<int>(size_of(dtype)) : width;
                const double rate = best_of(machine, [&](const Ceiling& c) {
                    return c.resource == Resource::compute && c.when.dtype == dtype &&
                           c.when.width_bits == bits && c.when.threads == n;
                });
                row.push_back(rate > 0.0 ? giga_words(rate) : "–");
            }
        }
        rows.push_back(row);
    }
    reader.table("peaks", columns, rows);
    const Roofs roofs(machine);
    for (const int n : threads) {
        const auto& steps = roofs.bandwidth(n);
        const Roof peak = roofs.compute(DType::f64, kAnyWidth, n);
        if (steps.empty() || !peak) continue;
        reader.claim("ridge",
                     "Ridge point, f64, (" + threads_words(n) + ")" +
                         ": ([0-9.]+) flop/byte \\(([0-9.]+) Gflop/s over ([0-9.]+) GB/s at (.*)\\)",
                     Reader::Truths{{threads_words(n), fmt::format("{:.3g}", peak.rate / steps.back().both),
                                     giga_words(peak.rate), giga_words(steps.back().both),
                                     binary_words(steps.back().from)}});
    }
}

// Which footprints stand for a region of the caches is the summary's affair, tested with it.
void claim_walks(Reader& reader, const Machine& machine) {
    for (const Mix mix :
         {Mix::load, Mix::update, Mix::two_loads_store, Mix::store, Mix::copy, Mix::nt_store, Mix::nt_copy}) {
        std::vector<std::string> rates{"–"};
        for (const Ceiling& c : machine.ceilings) {
            if (c.resource == Resource::bandwidth && c.when.mix == mix) rates.push_back(giga_words(c.max));
        }
        std::string name(to_text(mix));
        std::replace(name.begin(), name.end(), '_', ' ');
        reader.cells("bandwidth", "^" + name + "$", rates);
    }
    std::vector<std::string> others{"–"};
    for (const Ceiling& c : machine.ceilings) {
        const double ns = 1e9 / c.max;
        others.push_back(c.resource == Resource::latency ? fmt::format("{:.{}f}", ns,
                                                                       ns < 10.0    ? 2
                                                                       : ns < 100.0 ? 1
                                                                                    : 0)
                                                         : giga_words(c.max));
    }
    reader.cells("beside streams", "^(?:L[0-9] .*|memory)$", others);
    std::vector<std::string> operations{"–"};
    for (const Ceiling& c : machine.ceilings) {
        if (c.resource == Resource::compute) operations.push_back(giga_words(c.max));
    }
    reader.cells("other operations", "^(?:f|bf|int)[0-9]+$", operations);
    reader.excuse("(?:^\\| |L[0-9] )(?:L[0-9]|memory)? ?(?:to|beyond)? ?[0-9.]+ [KMG]?i?B",
                  "a region's end, which the topology says");
    reader.excuse("f64 every [0-9.]+ [KMG]?i?B(?: \\+ 64 B)?|[0-9]+-bit vectors, 1 stream|4 KiB pages",
                  "names of conditions");
    reader.excuse("10⁹(?: elements)?/s(?:, | \\()[0-9]+ threads?|GB/s, [0-9]+ threads?|\\(1 thread\\)",
                  "units and conditions in a table's heading");
}

void claim_core(Reader& reader, const Machine& machine) {
    const double clock = best_of(machine, [](const Ceiling& c) { return c.resource == Resource::clock; });
    const auto issue = [&](Mix mix) {
        return best_of(machine,
                       [&](const Ceiling& c) { return c.resource == Resource::issue && c.when.mix == mix; });
    };
    const auto a_cycle = [&](double rate) {
        return fmt::format("{:.1f}", rate / (clock > 0.0 ? clock : 1e9));
    };
    reader.claim("clock", "Clock: ([0-9.]+) GHz", fmt::format("{:.2f}", clock / 1e9));
    reader.claim(
        "issue", "Issue, .*: ([0-9.]+) instructions of any kind, ([0-9.]+) loads, ([0-9.]+) floating-point",
        Reader::Truths{{a_cycle(issue(Mix::mixed)), a_cycle(issue(Mix::loads)), a_cycle(issue(Mix::fmas))}});
    for (const int width : machine.topology.width_bits) {
        const auto of_width = [&](Mix mix) {
            return a_cycle(best_of(machine, [&](const Ceiling& c) {
                return c.resource == Resource::issue && c.when.mix == mix && c.when.width_bits == width;
            }));
        };
        reader.claim("vector loads", "([0-9.]+) of (" + std::to_string(width) + ") bits",
                     Reader::Truths{{of_width(Mix::loads), std::to_string(width)}});
        reader.claim("split loads", "of " + std::to_string(width) + " bits \\(([0-9.]+) across two lines",
                     of_width(Mix::split_loads));
    }
    reader.claim("gathers", "([0-9.]+) elements by gathers", a_cycle(issue(Mix::gathers)));
    reader.claim("reorder window", "Reorder window: at most ([0-9]+) instructions",
                 fmt::format("{:.0f}", best_of(machine, [](const Ceiling& c) {
                                 return c.resource == Resource::window;
                             })));
    reader.claim("ceilings", "(?:^|\\. )([0-9]+) ceilings", std::to_string(machine.ceilings.size()));
}

void claim_topology(Reader& reader, const Topology& t) {
    reader.claim(
        "cores",
        "(?:^|\\) )([0-9]+ cores?), ([0-9]+ processing units?), ([0-9]+ NUMA nodes?), ([0-9.]+ [KMG]iB)",
        Reader::Truths{{format_plural(t.cores, "core"), format_plural(t.threads, "processing unit"),
                        format_plural(t.numa_nodes, "NUMA node"), binary_words(t.memory.value)}});
    for (const CacheLevel& cache : t.caches) {
        const std::string level = "(?:^| )L" + std::to_string(cache.level) + ": ";
        reader.claim("reported size", level + "([0-9.]+ [KMG]?i?B) reported",
                     binary_words(cache.reported.value));
        reader.claim("probed size", level + "[^:]*, ([0-9.]+ [KMG]?i?B) probed",
                     binary_words(cache.probed.value));
        reader.claim("sharers", level + "[^:]*, shared by ([0-9]+)", std::to_string(cache.shared_by));
    }
}

}  // namespace

void claim_machine(Reader& reader, const Machine& whole) {
    const Machine machine = machine_of(whole, "");
    reader.words(machine.name + " (" + machine.id + ")");
    claim_topology(reader, machine.topology);
    claim_peaks(reader, machine);
    claim_walks(reader, machine);
    claim_core(reader, machine);
    for (const Ceiling& c : machine.ceilings) reader.words(c.seen);
}

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
            values +=
                (i > 0 ? " " : "") + std::string(i == held ? "(" : "") + p.at("values")[i].get<std::string>();
        if (held < p.at("values").size()) values += ")";
        const std::string condition = p.at("condition");
        rows.push_back(
            {p.at("parameter"), values, condition.empty() ? "always" : "when " + condition, p.at("help")});
    }
    reader.table("parameters", {"parameter", "values", "exists", "meaning"}, rows);
    reader.excuse("^Space of .* here", "the problem's title; the document has its keys");
    reader.claim("variants", ": " + kCount + " variants", count(document.at("variants")));
}

}  // namespace rooftune::test
