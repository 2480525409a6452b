#include "tuner/measure/noise_history.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tuner/base/atomic_file.h"
#include "tuner/formats/json_message.h"
#include "tuner/formats/result_json.h"
#include "tuner/formats/strict_json.h"

namespace rooftune::track {

std::vector<double> NoiseHistory::differences() const {
    std::vector<double> all;
    for (const NoiseEntry& entry : entries) all.push_back(entry.difference);
    return all;
}

std::string noise_file(const std::string& results_folder, const std::string& machine) {
    return (std::filesystem::path(results_folder) / "noise" / (machine + ".json")).string();
}

NoiseHistory read_noise(const std::string& path, const std::string& machine) {
    NoiseHistory history;
    history.machine = machine;
    if (!std::filesystem::exists(path)) return history;
    const Json document = read_json_file(path);
    StrictObject object(document, path);
    object.schema(kNoiseSchema);
    if (object.text("machine") != machine)
        object.fail("machine",
                    "\"" + machine + "\", this machine's fingerprint (remove the file to begin anew)");
    for (StrictObject& entry : object.objects("comparisons")) {
        NoiseEntry e;
        e.when = entry.text("when");
        e.kernel = entry.text("kernel");
        e.difference = entry.number("difference", 0.0);
        entry.finish();
        history.entries.push_back(std::move(e));
    }
    object.finish();
    return history;
}

void add_noise(const std::string& path, const std::string& machine, const NoiseEntry& entry) {
    NoiseHistory history = read_noise(path, machine);
    history.entries.push_back(entry);
    if (history.entries.size() > kMostNoise)
        history.entries.erase(history.entries.begin(), history.entries.end() - kMostNoise);
    Json list = Json::array();
    for (const NoiseEntry& e : history.entries)
        list.push_back({{"when", e.when}, {"kernel", e.kernel}, {"difference", e.difference}});
    make_folder(std::filesystem::path(path).parent_path().string());
    write_atomically(path,
                     json_text(Json{{"schema", kNoiseSchema}, {"machine", machine}, {"comparisons", list}}));
}

}  // namespace rooftune::track
