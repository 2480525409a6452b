#include "tuner/verify/tune_again.h"

#include <filesystem>
#include <map>

#include "tuner/base/command_words.h"
#include "tuner/engine/options.h"
#include "tuner/engine/result_machines.h"
#include "tuner/external/program_description.h"
#include "tuner/external/program_problem.h"

namespace rooftune::verify {
namespace {

// A program that was described by flags, by its flags: commas in its description separate nothing.
std::string described_words(const std::map<std::string, std::string>& problem) {
    std::string words = "cd " + shell_word(problem.at(external::kFolderKey)) + " && rooftune tune " +
                        shell_line(external::flags_of_description(problem.at(external::kDescriptionKey)));
    for (const auto& [key, value] : problem) {
        if (key != external::kFolderKey && key != external::kDescriptionKey)
            words += " " + shell_word(key + "=" + value);
    }
    return words;
}

}  // namespace

std::string tune_again_command(const Claim& claim) {
    const TuneResult& r = claim.tuned;
    const bool described =
        r.problem.contains(external::kDescriptionKey) && r.problem.contains(external::kFolderKey);
    std::string words = described ? described_words(r.problem) : "rooftune tune " + shell_word(r.family);
    std::string keys;
    for (const auto& [key, value] : r.problem) {
        if (described) break;
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
    std::filesystem::path folder = std::filesystem::path(claim.file).parent_path();
    if (described) folder = std::filesystem::absolute(folder.empty() ? "." : folder).lexically_normal();
    // Where its machine is known, and what was measured of it.
    const std::string results = results_folder_of(claim.file);
    if (!results.empty() && results != results_folder({})) words += " --results " + shell_word(results);
    return words + " --out " + shell_word(folder.empty() ? "." : folder.string());
}

}  // namespace rooftune::verify
