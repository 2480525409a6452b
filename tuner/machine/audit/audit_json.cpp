#include "tuner/machine/audit/audit_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tuner/base/si.h"
#include "tuner/base/table.h"
#include "tuner/formats/json_values.h"
#include "tuner/machine/audit/table.h"

namespace rooftune::audit {
namespace {

std::string threads_text(int n) {
    return std::to_string(n);
}

// A pass that was ended early is told beside the full ones, since the table below numbers it with them.
std::string passes_text(const Audit& a) {
    const int full = a.complete_passes;
    if (full == 0 && a.interrupted) return "a pass that was cut short";
    return fmt::format("{} full {}{}", full, full == 1 ? "pass" : "passes",
                       a.interrupted ? " and one that was cut short" : "");
}

std::string headline(const Report& report) {
    const Audit& a = report.audit;
    std::set<std::string> peers;
    std::size_t judged = 0;
    for (const PeerFinding& f : a.findings) {
        if (f.checks.empty()) continue;
        ++judged;
        peers.insert(f.what.peer);
    }
    std::string text = fmt::format("{} of {} in {}{}: ", format_plural(judged, "measurement"),
                                   format_plural(peers.size(), "peer"), passes_text(a),
                                   a.rules.frozen ? ", ceilings frozen" : "");
    if (a.above() == 0) return text + "none above a ceiling.";
    text += fmt::format("{} above a ceiling", a.above());
    std::vector<std::string> parts;
    const auto part = [&](PeerVerdict v, const char* words) {
        if (a.count(v) > 0) parts.push_back(fmt::format("{} {}", a.count(v), words));
    };
    part(PeerVerdict::raised, "where it rose");
    part(PeerVerdict::outgrown, "where it would rise");
    part(PeerVerdict::not_repeated, "not repeated");
    part(PeerVerdict::within_margin, "within the margin");
    part(PeerVerdict::unexplained, "unexplained");
    return text + fmt::format(" ({}).", fmt::join(parts, ", "));
}

std::string above_table(const Audit& a) {
    Table table({{"pass", Align::right},
                 {"code"},
                 {"ceiling passed"},
                 {"rate", Align::right},
                 {"ceiling", Align::right},
                 {"what came of it"}});
    for (const PeerFinding& f : a.findings) {
        if (!f.above()) continue;
        const Check& check = *tightest(f.checks);
        table.add({std::to_string(f.pass + 1), describe(f.what), std::string(to_text(check.claim)),
                   format_si(check.rate, unit_of(check.claim)),
                   format_si(check.ceiling, unit_of(check.claim)),
                   std::string(to_text(f.verdict)) + ": " + f.explanation});
    }
    return table.empty() ? "" : "\n" + table.to_text();
}

std::string ceiling_table(const std::vector<Row>& rows) {
    Table table({{"ceiling"},
                 {"threads", Align::right},
                 {"rate", Align::right},
                 {"fastest seen", Align::right},
                 {"ratio", Align::right},
                 {"by"},
                 {"why so far above"}});
    for (const Row& row : rows) {
        const std::string level = row.level == kSomeCache
                                      ? row.level + " (" + format_si(row.footprint.value, "B") + ")"
                                      : row.level;
        const std::string name = row.claim == Claim::flops ? "compute " + std::string(to_text(row.dtype))
                                                           : level + " " + std::string(to_text(row.claim));
        table.add({name, threads_text(row.threads), format_si(row.ceiling, unit_of(row.claim)),
                   format_si(row.fastest, unit_of(row.claim)), fmt::format("{:.3f}", row.ratio()), row.by,
                   !row.far             ? ""
                   : row.reason.empty() ? "not known; set by " + row.set_by
                                        : row.reason});
    }
    return table.to_text();
}

std::string peers_text(const Report& report) {
    std::string text;
    for (const Presence& p : report.peers) {
        text += "- " + p.peer + ": " + (p.found ? p.detail : "not used: " + p.detail);
        if (!p.found && !p.package.empty()) text += " (Debian: " + p.package + ")";
        text += "\n";
    }
    return text;
}

// Failures that are the same in every pass are said once.
std::string failures_text(const Audit& a) {
    std::map<std::string, int> times;
    std::vector<std::string> order;
    for (const PeerFinding& f : a.findings) {
        if (f.verdict != PeerVerdict::not_judged) continue;
        const std::string line = describe(f.what) + ": " + std::string(to_text(f.measurement.outcome)) +
                                 (f.explanation.empty() ? "" : ", " + f.explanation);
        if (times[line]++ == 0) order.push_back(line);
    }
    if (order.empty()) return "";
    std::string text = "\nNot judged:\n\n";
    for (const std::string& line : order) {
        text += "- " + line;
        if (times[line] > 1) text += fmt::format(" ({} times)", times[line]);
        text += "\n";
    }
    return text;
}

std::string left_out_text(const Audit& a) {
    std::string text;
    for (std::size_t pass = 0; pass < a.left_out.size(); ++pass) {
        if (a.left_out[pass] == 0) continue;
        text +=
            fmt::format("\nPass {}: no time for {}.\n", pass + 1, format_plural(a.left_out[pass], "case"));
    }
    if (a.interrupted) text += "\nInterrupted: what stands here is what was measured before.\n";
    return text;
}

Json check_to_json(const Check& c) {
    return Json{{"claim", to_text(c.claim)},
                {"rate", finite_or_null(c.rate)},
                {"ceiling", c.ceiling},
                {"margin", c.margin},
                {"above", c.above()}};
}

Json finding_to_json(const PeerFinding& f) {
    Json checks = Json::array();
    for (const Check& c : f.checks) checks.push_back(check_to_json(c));
    return Json{{"pass", f.pass + 1},
                {"peer", f.what.peer},
                {"kernel", f.what.kernel},
                {"dtype", to_text(f.what.dtype)},
                {"threads", f.what.threads},
                {"level", f.what.level},
                {"footprint_bytes", f.what.least.footprint.value},
                {"outcome", to_text(f.measurement.outcome)},
                {"seconds", finite_or_null(f.measurement.seconds)},
                {"windows", f.measurement.windows},
                {"detail", f.measurement.detail},
                {"verdict", to_text(f.verdict)},
                {"explanation", f.explanation},
                {"checks", std::move(checks)}};
}

Json row_to_json(const Row& r) {
    return Json{{"claim", to_text(r.claim)},
                {"dtype", r.claim == Claim::flops ? Json(to_text(r.dtype)) : Json(nullptr)},
                {"level", r.level},
                {"threads", r.threads},
                {"ceiling", r.ceiling},
                {"fastest", r.fastest},
                {"ratio", r.ratio()},
                {"by", r.by},
                {"set_by", r.set_by},
                {"far", r.far},
                {"reason", r.reason}};
}

}  // namespace

std::string to_text(const Report& report, const Machine& machine) {
    const Audit& a = report.audit;
    std::string text = "Is anybody above the ceilings? " + report.machine + "\n\n" + headline(report) + "\n";
    text += above_table(a);
    if (!a.raised.empty()) {
        text += fmt::format(
            "\n{} rose: where something is above one, all that cover its footprint or its element type are "
            "probed again, each kind of access and number of streams, and what is higher is kept.\n",
            format_plural(a.raised.size(), "stored ceiling"));
    }
    const std::vector<Row> rows = rows_of(a, machine);
    if (!rows.empty()) {
        text += fmt::format(
            "\nEach ceiling beside the fastest code under it (above {:.2f}× for compute and {:.2f}× for "
            "bandwidth it says why):\n\n",
            kComputeLimit, kBandwidthLimit);
        text += ceiling_table(rows);
    }
    text += "\nWho took part:\n\n" + peers_text(report);
    return text + failures_text(a) + left_out_text(a);
}

Json to_json(const Report& report, const Machine& machine) {
    const Audit& a = report.audit;
    Json peers = Json::array();
    for (const Presence& p : report.peers)
        peers.push_back({{"peer", p.peer}, {"found", p.found}, {"detail", p.detail}, {"package", p.package}});
    Json findings = Json::array();
    for (const PeerFinding& f : a.findings) findings.push_back(finding_to_json(f));
    Json rows = Json::array();
    for (const Row& r : rows_of(a, machine)) rows.push_back(row_to_json(r));
    return Json{{"schema", "rooftune/audit/1"},
                {"machine", machine.id},
                {"passes", a.complete_passes},
                {"frozen", a.rules.frozen},
                {"interrupted", a.interrupted},
                {"above", a.above()},
                {"unexplained", a.count(PeerVerdict::unexplained)},
                {"raised_ceilings", a.raised.size()},
                {"left_out", a.left_out},
                {"peers", std::move(peers)},
                {"ceilings", std::move(rows)},
                {"measurements", std::move(findings)}};
}

int status_of(const Audit& audit) {
    return audit.count(PeerVerdict::unexplained) > 0 ? 1 : 0;
}

}  // namespace rooftune::audit
