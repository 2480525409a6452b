#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "kernels/runtime/error.h"
#include "kernels/runtime/nearest.h"
#include "tuner/cli/commands.h"
#include "tuner/cli/options.h"
#include "tuner/config/atomic_file.h"
#include "tuner/config/result_json.h"
#include "tuner/report/summary.h"
#include "tuner/store/store.h"

namespace rooftune {
namespace {

struct ExportArguments {
    CommonOptions common;
    bool csv = false;
    std::string job, file;
};

int export_results(const ExportArguments& a) {
    const std::string path = (std::filesystem::path(results_folder(a.common)) / "rooftune.db").string();
    if (!std::filesystem::exists(path)) {
        throw InputError(
            path + ": there is no store yet; `rooftune tune` makes one, or name its folder with --results");
    }
    if (!a.csv) throw InputError("results export: say in which format; there is --csv");
    Store store(path);
    for (const std::string& text : store.notices()) std::cerr << "rooftune: " << text << "\n";
    std::optional<JobId> job;
    if (!a.job.empty()) {
        std::vector<std::string> hashes;
        for (const JobSummary& summary : store.jobs()) {
            hashes.push_back(summary.key.hash());
            if (hashes.back() == a.job) job = summary.id;
        }
        if (!job) {
            const std::string near = nearest(a.job, hashes);
            throw InputError("--job " + a.job + ": the store has no such job" +
                             (near.empty() ? "" : "; did you mean " + near + "?") +
                             " `rooftune list jobs` shows them");
        }
    }
    if (a.file.empty()) {
        store.export_csv(std::cout, job);
        std::cout.flush();
        if (!std::cout) throw EnvironmentError("standard output could not be written");
        return 0;
    }
    std::ostringstream text;
    store.export_csv(text, job);
    write_atomically(a.file, text.str());
    return 0;
}

int show_table(const std::vector<std::string>& files) {
    std::vector<TuneResult> results;
    for (const std::string& file : files) {
        for (TuneResult& result : read_results(file)) results.push_back(std::move(result));
    }
    std::cout << several_table(results);
    return 0;
}

}  // namespace

void add_results_command(CLI::App& program, Action& action) {
    auto a = std::make_shared<ExportArguments>();
    CLI::App* results = program.add_subcommand("results", "The store of everything measured");
    results->require_subcommand(1);
    CLI::App* out = results->add_subcommand("export", "Raw samples, one line a slot");
    out->add_flag("--csv", a->csv, "As CSV (RFC 4180)");
    out->add_option("--job", a->job, "Only this job (`rooftune list jobs`)");
    out->add_option("--file", a->file, "Write to this file instead of standard output");
    out->add_option("--results", a->common.results, "Folder of the store");
    out->callback([a, &action] { action = [a] { return export_results(*a); }; });

    auto files = std::make_shared<std::vector<std::string>>();
    CLI::App* table = results->add_subcommand("table", "Results of `tune --json` as one Markdown table");
    table->add_option("files", *files, "Outputs of `tune --json`")->required();
    table->callback([files, &action] { action = [files] { return show_table(*files); }; });
}

}  // namespace rooftune
