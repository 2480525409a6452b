// Puts results into one HTML or Markdown file for people: report.
#include <filesystem>
#include <memory>

#include "tuner/base/atomic_file.h"
#include "tuner/base/standard_output.h"
#include "tuner/command/notices.h"
#include "tuner/engine/machine_model.h"
#include "tuner/engine/options.h"
#include "tuner/engine/result_machines.h"
#include "tuner/formats/machine_file.h"
#include "tuner/report/commands.h"
#include "tuner/report/html.h"
#include "tuner/report/markdown.h"
#include "tuner/report/sections.h"

namespace rooftune {
namespace {

struct ReportArguments {
    std::vector<std::string> paths;
    std::string html, markdown, title, machine, results;
};

page::Input read_input(const ReportArguments& a) {
    page::Input input;
    std::vector<std::string> results_files, ladder_files;
    for (const std::string& path : a.paths) {
        std::error_code none;
        const bool folder = std::filesystem::is_directory(path, none);
        (!folder && ladder::is_ladder(path) ? ladder_files : results_files).push_back(path);
    }
    input.files = read_result_files(results_files, notices(false));
    // And those that lie beside the tuned configs.
    for (const ResultFile& file : input.files) ladder_files.push_back(file.file);
    input.ladders = ladder::read_ladders(ladder_files);
    input.title = a.title;
    const MachineSearch search{a.results, results_folder({})};
    input.machines = machines_of(input.files, search);
    if (a.results.empty()) suggest_folder_of(input.files);
    if (input.files.empty() && a.machine.empty()) return input;
    input.lines = a.machine.empty() ? machine_of_results(input.files, search)
                                    : std::optional(read_machine_file(machine_path(a.machine)));
    return input;
}

void write(const std::string& file, const std::string& text) {
    write_atomically(file, text);
    notices(false)("wrote " + std::filesystem::absolute(file).string());
}

int report(const ReportArguments& a) {
    const page::Document document = page::build(read_input(a));
    if (!a.html.empty()) write(a.html, page::html_of(document));
    if (!a.markdown.empty()) write(a.markdown, page::markdown_of(document));
    if (a.html.empty() && a.markdown.empty()) print(page::markdown_of(document));
    return 0;
}

}  // namespace

void add_report_command(Command& program) {
    auto a = std::make_shared<ReportArguments>();
    Command report_command = program.command(
        "report", "Puts results into one file for people: what was found, how sure it is, and what is left");
    report_command
        .option("paths", a->paths,
                "Tuned configs, tuned sets, output of `tune --json`, ladders, and folders of tuned configs "
                "(results folders too), of which the newest for each problem counts; several make one "
                "report. The ladder beside a tuned config is found there")
        .required();
    report_command.option("--html", a->html,
                          "HTML file to write: one file that needs no network, with a plot that tells what "
                          "each point is");
    report_command.option("--markdown", a->markdown,
                          "Markdown file to write (default: Markdown on standard output, without --html)");
    report_command.option("--title", a->title, "Title (default: what the results are about)");
    report_command.option("--machine", a->machine,
                          "Machine file, or the name of one in configs/machines, whose roofs are drawn "
                          "(default: the one that the results ran on)");
    report_command.option(
        "--results", a->results,
        "Folder of the measured machines (default: the results folder that a config lies in, "
        "else the one that `rooftune tune` uses, if the result is from there)");
    report_command.runs([a] { return report(*a); });
}

}  // namespace rooftune
