#include "tuner/track/run_environment.h"

#include <fmt/format.h>
#include <sys/utsname.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include <algorithm>
#include <map>
#include <sstream>
#include <vector>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/kernels_build.h"
#include "tuner/base/fingerprint_words.h"
#include "tuner/formats/fields.h"

namespace rooftune::track {
namespace {

std::string libc_name() {
#ifdef __GLIBC__
    return std::string("glibc ") + gnu_get_libc_version();
#else
    return "";
#endif
}

std::string kernel_name() {
    utsname name{};
    return uname(&name) == 0 ? std::string(name.sysname) + " " + name.release : "";
}

std::string processor_name(const SystemFiles& files) {
    std::istringstream lines(files.read("/proc/cpuinfo").value_or(""));
    for (std::string line; std::getline(lines, line);) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
    }
    return "";
}

struct Part {
    const char* what;
    std::string value;  ///< empty: not known
};

// All but the machine, whose fingerprint has parts of its own. The processor's name first: it says what a
// fingerprint writes in numbers.
std::vector<Part> parts_of(const RunEnvironment& e) {
    return {{"processor", e.processor},
            {"processors that may be used", e.processors > 0 ? fmt::format("{}", e.processors) : ""},
            {"compiler", e.compiler},
            {"build of the kernels", e.build},
            {"libc", e.libc},
            {"kernel", e.kernel},
            {"clock source", e.clock_source}};
}

struct Change {
    std::string what, then, now;
    friend bool operator==(const Change&, const Change&) = default;
};

std::vector<Change> changes_of(const RunEnvironment& then, const RunEnvironment& now) {
    std::vector<Change> changes;
    if (!then.machine.empty() && then.machine != now.machine) {
        const std::vector<FingerprintChange> parts = fingerprint_changes(then.machine, now.machine);
        // The name of a processor says more than its numbers.
        for (const FingerprintChange& part : parts) {
            if (part.what != "processor" || then.processor.empty() || then.processor == now.processor)
                changes.push_back({part.what, part.then, part.now});
        }
        if (parts.empty()) changes.push_back({"machine", then.machine, now.machine});
    }
    const std::vector<Part> before = parts_of(then), after = parts_of(now);
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (!before[i].value.empty() && !after[i].value.empty() && before[i].value != after[i].value)
            changes.push_back({before[i].what, before[i].value, after[i].value});
    }
    return changes;
}

}  // namespace

RunEnvironment environment_now(const std::string& machine, const SystemFiles& files) {
    RunEnvironment e;
    e.machine = machine;
    e.compiler = compiler_name();
    e.build = kernels_build();
    e.libc = libc_name();
    e.kernel = kernel_name();
    e.clock_source =
        files.line("/sys/devices/system/clocksource/clocksource0/current_clocksource").value_or("");
    e.processor = processor_name(files);
    e.processors = static_cast<int>(usable_cpus().size());
    return e;
}

void fields(Fields& f, RunEnvironment& e) {
    f("compiler", e.compiler);
    f.text_or_null("libc", e.libc);
    f.text_or_null("kernel", e.kernel);
    f.text_or_null("clock_source", e.clock_source);
    f.text_or_null("processor", e.processor);
    f("processors", e.processors, 1);
}

EnvironmentDifference environment_difference(const RunEnvironment& base, const RunEnvironment& candidate,
                                             const RunEnvironment& now) {
    EnvironmentDifference difference;
    difference.base_rebuilt = !base.build.empty() && !now.build.empty() && base.build != now.build;
    const std::vector<Change> a = changes_of(base, now), b = changes_of(candidate, now);
    const auto has = [](const std::vector<Change>& all, const Change& change) {
        return std::find(all.begin(), all.end(), change) != all.end();
    };
    for (const Change& change : a)
        difference.changes.push_back(
            {has(b, change) ? "A and B" : "A", change.what, change.then, change.now});
    for (const Change& change : b) {
        if (!has(a, change)) difference.changes.push_back({"B", change.what, change.then, change.now});
    }
    const std::vector<Part> of_base = parts_of(base), of_candidate = parts_of(candidate);
    difference.compared.emplace_back("machine");
    for (std::size_t i = 0; i < of_base.size(); ++i) {
        const bool known = !of_base[i].value.empty() || !of_candidate[i].value.empty();
        const bool both = !of_base[i].value.empty() && !of_candidate[i].value.empty();
        if (known) difference.compared.emplace_back(of_base[i].what);
        if (!both)
            difference.not_recorded.push_back(of_base[i].what + std::string(!known ? ""
                                                                            : of_base[i].value.empty()
                                                                                ? " of A"
                                                                                : " of B"));
    }
    return difference;
}

}  // namespace rooftune::track
