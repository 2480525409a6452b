#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "tuner/cli/results_commands.h"
#include "tuner/config/result_json.h"
#include "tuner/report/summary.h"

namespace rooftune {
namespace {

int show_table(const std::vector<std::string>& files) {
    std::vector<TuneResult> results;
    for (const std::string& file : files) {
        for (TuneResult& result : read_results(file)) results.push_back(std::move(result));
    }
    std::cout << several_table(results);
    return 0;
}

}  // namespace

std::string store_path(const CommonOptions& common) {
    const std::string path = (std::filesystem::path(results_folder(common)) / "rooftune.db").string();
    if (!std::filesystem::exists(path)) {
        throw InputError(
            path + ": there is no store yet; `rooftune tune` makes one, or name its folder with --results");
    }
    return path;
}

void print_notices(const Store& store) {
    for (const std::string& text : store.notices()) std::cerr << "rooftune: " << text << "\n";
}

std::string machine_named(const std::string& text) {
    return text == "this" ? fingerprint(read_topology()) : text;
}

void add_results_folder(CLI::App& app, CommonOptions& common) {
    app.add_option("--results", common.results, "Folder of the store");
}

void add_results_command(CLI::App& program, Action& action) {
    CLI::App* results = program.add_subcommand("results", "The store of everything measured");
    results->require_subcommand(1);
    add_results_list(*results, action);
    add_results_show(*results, action);
    add_results_prune(*results, action);
    add_results_export(*results, action);
    add_results_import(*results, action);
    add_results_check(*results, action);

    auto files = std::make_shared<std::vector<std::string>>();
    CLI::App* table = results->add_subcommand("table", "Results of `tune --json` as one Markdown table");
    table->add_option("files", *files, "Outputs of `tune --json`")->required();
    table->callback([files, &action] { action = [files] { return show_table(*files); }; });
    // After the commands, which would take it for theirs.
    results->footer(
        "The store is rooftune.db in the results folder. `results export` and `results import` move it, or "
        "jobs "
        "of\nit, between folders and machines; `rooftune export` writes one job for other programs, and "
        "`rooftune\nimport` reads what profilers measured.");
}

}  // namespace rooftune
