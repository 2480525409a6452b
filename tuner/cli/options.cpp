#include "tuner/cli/options.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <system_error>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"

namespace rooftune {
namespace {

namespace fs = std::filesystem;

std::string value_of(const char* variable) {
    const char* value = std::getenv(variable);
    return value ? value : "";
}

// PREFIX/share/rooftune of an installed program, PREFIX/bin/rooftune.
std::optional<fs::path> installed_share() {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path share = program.parent_path().parent_path() / "share" / "rooftune";
    return !error && fs::is_directory(share / "configs", error) ? std::optional(share) : std::nullopt;
}

// Where results go unless --results says otherwise. An installed program cannot write beside itself.
fs::path own_results_folder() {
    if (value_of("ROOFTUNE_HOME").empty() && installed_share()) {
        const std::string state = value_of("XDG_STATE_HOME"), home = value_of("HOME");
        if (!state.empty()) return fs::path(state) / "rooftune";
        return home.empty() ? fs::path("rooftune-results") : fs::path(home) / ".local" / "state" / "rooftune";
    }
    return fs::path(home_folder()) / "results" / "local";
}

int whole_number(const std::string& text, const std::string& whole) {
    std::size_t used = 0;
    int value = -1;
    try {
        value = std::stoi(text, &used);
    } catch (const std::exception&) {
        used = 0;
    }
    if (text.empty() || used != text.size() || value < 0) {
        throw InputError("--cpus " + whole + ": '" + text +
                         "' is not a processor number; write a list like 0,2-3");
    }
    return value;
}

}  // namespace

void add_delta(CLI::App& app, double& delta) {
    app.add_option(
           "--delta", delta,
           "Threshold as a fraction of the time (default: 1 %, or what this machine's noise asks for; 3 % "
           "until it is known from 100 comparisons)")
        ->check(CLI::Range(1e-6, 1.0));
}

void add_common(CLI::App& app, CommonOptions& options) {
    app.add_flag("--json", options.json,
                 "One JSON document on standard output; progress and logs on standard error");
    app.add_flag("--quiet", options.quiet, "No progress bar and no notices");
    app.add_option("--seed", options.seed, "Seed of everything drawn at random")->capture_default_str();
    app.add_option("--machine", options.machine,
                   "Machine file, or the name of one in configs/machines (default: this machine, measured)");
    app.add_option("--threads", options.threads, "Most threads to use (default: all)")
        ->check(CLI::Range(1, 65536));
    app.add_option("--cpus", options.cpus,
                   "Processors to use, like 0,2-3 (default: all this process may use)");
    app.add_option("--backend", options.backend, "Where variants run (default: cpu, or what the job says)")
        ->check(CLI::IsMember({"cpu", "opencl"}));
    app.add_option("--device", options.device,
                   "OpenCL device by index, id or part of its name (default: the first; `rooftune list "
                   "devices` shows them)");
    app.add_option("--state", options.state, "Caches at the start of a repetition")
        ->check(CLI::IsMember({"warm", "cold"}))
        ->capture_default_str();
    app.add_option(
        "--results", options.results,
        "Folder of the store and the measured machines (default: results/local of the checkout; installed: "
        "~/.local/state/rooftune)");
    app.add_option("--out", options.out,
                   "Folder for tuned configs, headers and plots (default: tuned/ in the results folder)");
}

std::string results_folder(const CommonOptions& options) {
    return fs::absolute(options.results.empty() ? own_results_folder() : fs::path(options.results))
        .lexically_normal()
        .string();
}

std::vector<int> chosen_cpus(const CommonOptions& options) {
    const std::vector<int> usable = usable_cpus();
    std::vector<int> chosen;
    if (options.cpus.empty()) {
        chosen = usable;
    } else {
        std::stringstream list(options.cpus);
        for (std::string item; std::getline(list, item, ',');) {
            const std::size_t dash = item.find('-');
            const int first = whole_number(item.substr(0, dash), options.cpus);
            const int last =
                dash == std::string::npos ? first : whole_number(item.substr(dash + 1), options.cpus);
            constexpr int kMost = 1 << 16;
            if (last < first || last - first > kMost) {
                throw InputError("--cpus " + options.cpus + ": the range '" + item +
                                 "' is empty or too long");
            }
            for (int cpu = first; cpu <= last; ++cpu) {
                if (std::find(usable.begin(), usable.end(), cpu) == usable.end()) {
                    throw InputError("--cpus " + options.cpus + ": processor " + std::to_string(cpu) +
                                     " is not one this process may use; see `rooftune machine` for those");
                }
                if (std::find(chosen.begin(), chosen.end(), cpu) == chosen.end()) chosen.push_back(cpu);
            }
        }
    }
    if (options.threads > static_cast<int>(chosen.size())) {
        throw InputError("--threads " + std::to_string(options.threads) + ": only " +
                         std::to_string(chosen.size()) +
                         " processors may be used here; ask for at most that many");
    }
    if (options.threads > 0) chosen.resize(static_cast<std::size_t>(options.threads));
    return chosen;
}

std::string home_folder() {
    if (const std::string home = value_of("ROOFTUNE_HOME"); !home.empty()) return home;
    const auto share = installed_share();
    return share ? share->string() : ROOFTUNE_SOURCE_DIR;
}

}  // namespace rooftune
