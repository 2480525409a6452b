#include <fmt/format.h>

#include "tuner/base/si.h"
#include "tuner/chart/phrases.h"
#include "tuner/report/sections.h"
#include "tuner/tune/durations.h"

namespace rooftune::page {
namespace {

std::string number_text(double value) {
    return fmt::format("{:.10g}", value);
}

}  // namespace

Section provenance_section(const ResultFile& file, std::size_t series) {
    const TuneResult& r = file.result;
    Table table({{"what", Align::left}, {"value", Align::left}});
    const auto row = [&](const char* name, const std::string& value) {
        if (!value.empty()) table.add({name, value});
    };
    row("result file", file.file);
    row("tuned",
        file.created.empty() ? "the file does not say: output of `tune --json` has no date" : file.created);
    row("kernels compiled by", file.compiler);
    row("build of the kernels", file.kernels_build);
    row("problem", variant_assignment(r.problem));
    for (const auto& [name, value] : r.facts) row(name.c_str(), number_text(value));
    row("digest of the problem", r.digest);
    row("element type", r.dtype);
    row("caches before a repetition", r.state);
    row("backend", r.backend == "opencl" ? "OpenCL: " + r.device : r.backend);
    row(r.backend == "opencl" ? "compute units at most" : "threads at most", std::to_string(r.threads));
    row("machine", r.machine_name);
    row("fingerprint of the machine", r.machine_id);
    row("space", fmt::format("{}, version {}", r.family, r.space_version));
    row("order of measuring", r.strategy);
    for (const Duration& d : durations_of(r))
        row(d.words.empty() ? "duration of the tune" : d.words.c_str(), format_duration(d.seconds));
    if (r.resumed > 0) row("measurements from earlier runs", std::to_string(r.resumed));
    row("tuned config", r.config_file);
    row("C++ header", r.header_file);
    return {section_id("provenance", series), "Where this is from", {DataTable{"Provenance", table}}};
}

}  // namespace rooftune::page
