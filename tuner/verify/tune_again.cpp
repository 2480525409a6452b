#include "tuner/verify/tune_again.h"

#include <filesystem>

#include "tuner/base/command_words.h"

namespace rooftune::verify {
std::string tune_again_command(const Claim& claim) {
    const TuneResult& r = claim.tuned;
    std::string words = "rooftune tune " + shell_word(r.family), keys;
    for (const auto& [key, value] : r.problem) {
        // A path may hold what separates keys.
        if (key == "matrix") {
            words += " --matrix " + shell_word(value);
        } else {
            keys += (keys.empty() ? "" : ",") + key + "=" + value;
        }
    }
    if (!keys.empty()) words += " " + shell_word(keys);
    if (r.state == "cold") words += " --state cold";
    if (r.backend == "opencl") {
        words += " --backend opencl";
        if (!r.device.empty()) words += " --device " + shell_word(r.device);
    } else {
        words += " --threads " + std::to_string(r.threads);
    }
    const std::string folder = std::filesystem::path(claim.file).parent_path().string();
    return words + " --out " + shell_word(folder.empty() ? "." : folder);
}

}  // namespace rooftune::verify
