#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "tuner/base/standard_error.h"
#include "tuner/base/standard_output.h"
#include "tuner/base/suggested.h"
#include "tuner/formats/tuned_config.h"
#include "tuner/results/results_commands.h"
#include "tuner/store/store_files.h"
#include "tuner/tune/summary.h"

namespace rooftune {
namespace {

int show_table(const std::vector<std::string>& files) {
    std::vector<TuneResult> results;
    for (const std::string& file : files) {
        for (TuneResult& result : read_results_or_config(file)) results.push_back(std::move(result));
    }
    print(several_table(results, kWidestPage));
    return 0;
}

}  // namespace

std::string store_path(const CommonOptions& common) {
    const std::string path = (std::filesystem::path(results_folder(common)) / "rooftune.db").string();
    check_store_exists(path, suggested("tune") + " makes one, or name its folder with --results");
    return path;
}

void print_notices(const Store& store) {
    for (const std::string& text : store.notices()) tell(text);
}

std::string machine_named(const std::string& text) {
    return text == "this" ? fingerprint(read_topology()) : text;
}

void add_results_folder(Command& app, CommonOptions& common) {
    app.option("--results", common.results, "Folder of the store");
}

void add_results_command(Command& program) {
    Command results = program.command("results", "The store of everything measured");
    results.needs_command();
    add_results_list(results);
    add_results_show(results);
    add_results_prune(results);
    add_results_export(results);
    add_results_import(results);
    add_results_check(results);

    auto files = std::make_shared<std::vector<std::string>>();
    Command table = results.command("table", "Results of `tune --json` as one Markdown table");
    table.option("files", *files, "Outputs of `tune --json`, or tuned configs").required();
    table.runs([files] { return show_table(*files); });
    // After the commands, which would take it for theirs.
    results.footer(
        "The store is rooftune.db in the results folder. `results export` and `results import` move it, or "
        "jobs "
        "of\nit, between folders and machines; `rooftune export` writes one job for other programs, and "
        "`rooftune\nimport` reads what profilers measured.");
}

}  // namespace rooftune
