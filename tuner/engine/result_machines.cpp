#include "tuner/engine/result_machines.h"

#include <algorithm>
#include <filesystem>

#include "tuner/engine/options.h"
#include "tuner/formats/machine_file.h"

namespace rooftune {
namespace {

namespace fs = std::filesystem;

std::optional<Machine> machine_in(const std::string& folder, const std::string& id) {
    const fs::path file = fs::path(folder) / "machines" / (id + ".json");
    std::error_code none;
    if (folder.empty() || id.empty() || !fs::exists(file, none)) return std::nullopt;
    return read_machine_file(file.string());
}

}  // namespace

std::string results_folder_of(const std::string& file) {
    std::error_code none;
    const fs::path folder = fs::absolute(file, none).lexically_normal().parent_path();
    for (const fs::path& at : {folder, folder.parent_path()}) {
        const bool inside = at == folder || folder.filename() == "tuned";
        if (inside && fs::is_directory(at / "machines", none)) return at.string();
    }
    return "";
}

void suggest_folder_of(const std::vector<ResultFile>& results) {
    std::string shared;
    for (const ResultFile& file : results) {
        const std::string folder = results_folder_of(file.file);
        if (folder.empty() || (!shared.empty() && folder != shared)) return;
        shared = folder;
    }
    suggest_on(shared);
}

bool is_machine_of(const Machine& machine, const TuneResult& result) {
    const auto has = [&](const CeilingReport& bound) {
        // Results keep each rate with as many digits as it has, machine files too; one in a million is none.
        constexpr double kSame = 1.0 - 1e-6;
        return std::any_of(machine.ceilings.begin(), machine.ceilings.end(), [&](const Ceiling& c) {
            return describe(c) == bound.ceiling && c.max >= kSame * bound.max;
        });
    };
    return machine.id == result.machine_id && !result.binding_ceilings.empty() &&
           std::all_of(result.binding_ceilings.begin(), result.binding_ceilings.end(), has);
}

std::optional<Machine> machine_of_result(const ResultFile& file, const MachineSearch& search) {
    const std::string& id = file.result.machine_id;
    if (!search.named.empty()) return machine_in(search.named, id);
    if (auto own = machine_in(results_folder_of(file.file), id)) return own;
    auto usual = machine_in(search.usual, id);
    return usual && is_machine_of(*usual, file.result) ? usual : std::nullopt;
}

std::vector<Machine> machines_of(const std::vector<ResultFile>& results, const MachineSearch& search) {
    std::vector<Machine> machines;
    for (const ResultFile& file : results) {
        const bool known = std::any_of(machines.begin(), machines.end(),
                                       [&](const Machine& m) { return m.id == file.result.machine_id; });
        if (known) continue;
        if (auto machine = machine_of_result(file, search)) machines.push_back(std::move(*machine));
    }
    return machines;
}

std::optional<Machine> machine_of_results(const std::vector<ResultFile>& results,
                                          const MachineSearch& search) {
    std::optional<Machine> shared;
    for (const ResultFile& file : results) {
        std::optional<Machine> machine = machine_of_result(file, search);
        if (!machine || (shared && machine_to_json(*shared) != machine_to_json(*machine)))
            return std::nullopt;
        shared = std::move(machine);
    }
    return shared;
}

}  // namespace rooftune
