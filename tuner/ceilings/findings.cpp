#include "tuner/ceilings/findings.h"

#include <fmt/format.h>

#include <utility>

namespace rooftune {

std::string_view to_text(Severity s) {
    switch (s) {
        case Severity::fine:
            return "fine";
        case Severity::note:
            return "note";
        case Severity::warning:
            return "warning";
        case Severity::problem:
            return "problem";
    }
    return "note";
}

std::vector<Finding> check_load(const LoadReport& load, double seconds) {
    std::vector<Finding> findings;
    Finding stolen{Severity::fine, "stolen time",
                   fmt::format("{:.1f} % over {:.1f} s", 100.0 * load.stolen_share, seconds), ""};
    if (load.stolen_share > 0.01) {
        stolen.severity = load.stolen_share > 0.10 ? Severity::problem : Severity::warning;
        stolen.advice =
            "the host runs others on these processors: measure at another hour, or on a dedicated machine";
    }
    findings.push_back(std::move(stolen));
    for (const BusyProcess& p : load.processes) {
        findings.push_back(
            {p.cores > 0.25 ? Severity::problem : Severity::warning, "another process",
             fmt::format("{} (pid {}) uses {:.0f} % of a core{}", p.command, p.pid, 100.0 * p.cores,
                         p.cpu >= 0 ? fmt::format(", last on processor {}", p.cpu) : ""),
             "stop it, or keep away from its processor with --cpus"});
    }
    if (load.processes.empty()) {
        const bool busy = load.busy_share - load.stolen_share > 0.10;
        findings.push_back({busy ? Severity::warning : Severity::fine, "other processes",
                            fmt::format("none above 10 % of a core; processors {:.0f} % busy in all",
                                        100.0 * load.busy_share),
                            busy ? "many short processes, or interrupts: see top and /proc/interrupts" : ""});
    }
    return findings;
}

}  // namespace rooftune
