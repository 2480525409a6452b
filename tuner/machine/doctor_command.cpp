#include <memory>
#include <nlohmann/json.hpp>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/team.h"
#include "tuner/base/atomic_file.h"
#include "tuner/base/standard_output.h"
#include "tuner/command/common_flags.h"
#include "tuner/engine/options.h"
#include "tuner/machine/commands.h"
#include "tuner/machine/doctor.h"
#include "tuner/store/machine_lock.h"

namespace rooftune {
namespace {

struct DoctorArguments {
    CommonFlags common;
    double seconds = 1.0;
    std::string file;  ///< for the text, besides
};

int doctor(const DoctorArguments& a) {
    const std::vector<int> cpus = chosen_cpus(a.common);
    check_text_file(a.file);
    DoctorOptions options;
    options.sample_seconds = a.seconds;
    options.folder = results_folder(a.common);
    std::vector<Finding> findings;
    {
        const MachineLock lock;
        Team team(cpus);
        findings = examine(read_topology(), cpus, &team, options);
        if (lock.waited()) {
            findings.push_back(
                {Severity::note, "another run", "had to wait for another rooftune to finish measuring", ""});
        }
    }
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Finding& f : findings) {
        list.push_back({{"severity", to_text(f.severity)},
                        {"what", f.what},
                        {"detail", f.detail},
                        {"advice", f.advice}});
    }
    const nlohmann::ordered_json document{{"schema", "rooftune/doctor/1"}, {"findings", list}};
    answer(a.common, a.file, document.dump(2) + "\n", findings_text(findings));
    return 0;
}

}  // namespace

void add_doctor_command(Command& program) {
    auto a = std::make_shared<DoctorArguments>();
    Command app = program.command("doctor", "Says what disturbs measuring here, and what to do about it");
    add_common(app, a->common);
    app.option("--seconds", a->seconds, "How long to watch the machine").range(0.2, 600.0).shows_default();
    add_text_file(app, a->file);
    app.runs([a] { return doctor(*a); });
}

}  // namespace rooftune
