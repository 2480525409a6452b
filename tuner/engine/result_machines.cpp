#include "tuner/engine/result_machines.h"

#include <algorithm>
#include <filesystem>

#include "tuner/formats/machine_file.h"

namespace rooftune {

std::vector<Machine> machines_of(const std::vector<TuneResult>& results, const std::string& folder) {
    std::vector<Machine> machines;
    std::vector<std::string> seen;
    for (const TuneResult& result : results) {
        if (result.machine_id.empty() || std::find(seen.begin(), seen.end(), result.machine_id) != seen.end())
            continue;
        seen.push_back(result.machine_id);
        const auto file = std::filesystem::path(folder) / "machines" / (result.machine_id + ".json");
        if (std::filesystem::exists(file)) machines.push_back(read_machine_file(file.string()));
    }
    return machines;
}

std::optional<Machine> machine_of_results(const std::vector<TuneResult>& results, const std::string& folder) {
    const bool one = std::all_of(results.begin(), results.end(), [&](const TuneResult& r) {
        return r.machine_id == results.front().machine_id;
    });
    if (!one) return std::nullopt;
    std::vector<Machine> machines = machines_of(results, folder);
    return machines.empty() ? std::nullopt : std::optional(std::move(machines.front()));
}

}  // namespace rooftune
