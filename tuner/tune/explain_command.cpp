// Reads a result or a tuned config and shows it in words: explain.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tuner/base/standard_output.h"
#include "tuner/base/suggested.h"
#include "tuner/command/notices.h"
#include "tuner/engine/known_since.h"
#include "tuner/engine/options.h"
#include "tuner/engine/result_machines.h"
#include "tuner/formats/result_files.h"
#include "tuner/formats/result_json.h"
#include "tuner/tune/commands.h"
#include "tuner/tune/explain_text.h"

namespace rooftune {
namespace {

struct ExplainArguments {
    std::vector<std::string> paths;
    std::string results;
    bool json = false;
};

// What was tuned last of all that the results folder holds.
ResultFile newest_in(const std::string& folder) {
    std::error_code none;
    std::vector<ResultFile> files;
    if (std::filesystem::is_directory(folder, none)) files = read_result_files({folder}, notices(false));
    if (files.empty())
        throw InputError(folder + ": holds no tuned config yet; " + suggested("tune") +
                         " makes one. Name a file, or another folder with --results");
    return std::move(
        *std::max_element(files.begin(), files.end(),
                          [](const ResultFile& a, const ResultFile& b) { return a.created < b.created; }));
}

// A file that is not here is looked for there, by its name alone.
std::string path_of(const std::string& name, const std::string& folder) {
    std::error_code none;
    if (std::filesystem::exists(name, none) || name.find('/') != std::string::npos) return name;
    for (const char* below : {"", "tuned"}) {
        const std::filesystem::path there = std::filesystem::path(folder) / below / name;
        if (std::filesystem::exists(there, none)) return there.string();
    }
    return name;
}

std::vector<ResultFile> files_of(const ExplainArguments& a) {
    CommonOptions options;
    options.results = a.results;
    const std::string folder = results_folder(options);
    if (a.paths.empty()) {
        ResultFile newest = newest_in(folder);
        notices(false)("of " + newest.file + ", which was tuned last");
        return {std::move(newest)};
    }
    std::vector<std::string> paths;
    for (const std::string& name : a.paths) paths.push_back(path_of(name, folder));
    return read_result_files(paths, notices(false));
}

// What became known of a result's machine. A machine file that cannot be read tells nothing, and keeps nobody
// from what the result says.
std::string since_of(const ResultFile& file, const std::string& named) {
    try {
        const auto machine = machine_of_result(file, {named, results_folder({})});
        return machine ? known_since(file.result, *machine) : "";
    } catch (const InputError& error) {
        notices(false)(error.what());
        return "";
    }
}

}  // namespace

void add_explain_command(Command& program) {
    auto a = std::make_shared<ExplainArguments>();
    Command explain = program.command(
        "explain",
        "What binds a winner, what would lift that and by how much at most, and what excluded the rest");
    explain.option(
        "files", a->paths,
        "Tuned configs, tuned sets, output of `tune --json`, and folders of tuned configs, of which "
        "the newest for each problem counts (default: what was tuned last in the results folder)");
    explain.option(
        "--results", a->results,
        "Results folder: without files, what was tuned last in it is explained, and a file that is "
        "not here is looked for in it (default: the one that `rooftune tune` uses)");
    explain.flag("--json", a->json, "One JSON document on standard output");
    explain.runs([a] {
        std::vector<TuneResult> results;
        std::vector<std::string> since;
        const std::vector<ResultFile> files = files_of(*a);
        if (a->results.empty()) suggest_folder_of(files);
        for (const ResultFile& file : files) {
            results.push_back(file.result);
            since.push_back(since_of(file, a->results));
        }
        if (a->json) {
            print(json_text(explain_json(results, since)));
            return 0;
        }
        for (std::size_t i = 0; i < results.size(); ++i)
            print_page((i > 0 ? "\n" : "") + explain_text(results[i], since[i]));
        return 0;
    });
}

}  // namespace rooftune
