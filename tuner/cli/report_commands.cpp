// Commands that read a result or a tuned config and show it: explain and plot.
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tuner/cli/commands.h"
#include "tuner/cli/options.h"
#include "tuner/config/atomic_file.h"
#include "tuner/config/result_json.h"
#include "tuner/config/tuned_config.h"
#include "tuner/report/explain_text.h"
#include "tuner/report/roofline_svg.h"

namespace rooftune {
namespace {

struct ShowArguments {
    std::vector<std::string> files;
    std::string out;
};

// A tuned config, a result of `tune --json`, or several of either.
std::vector<TuneResult> results_of(const std::vector<std::string>& files) {
    std::vector<TuneResult> all;
    for (const std::string& file : files) {
        const Json document = read_json_file(file);
        if (document.is_object() && document.contains("schema") &&
            document["schema"] == std::string(kTunedConfigSchema)) {
            all.push_back(tuned_config_from(document, file).result);
        } else {
            for (TuneResult& result : read_results(file)) all.push_back(std::move(result));
        }
    }
    return all;
}

}  // namespace

void add_explain_command(CLI::App& program, Action& action) {
    auto a = std::make_shared<ShowArguments>();
    CLI::App* explain = program.add_subcommand(
        "explain", "Why a winner is as fast as it is: every term of its bound, and what excluded the rest");
    explain->add_option("files", a->files, "Tuned config, or output of `tune --json`")->required();
    explain->callback([a, &action] {
        action = [a] {
            bool first = true;
            for (const TuneResult& result : results_of(a->files)) {
                std::cout << (first ? "" : "\n") << explain_text(result);
                first = false;
            }
            return 0;
        };
    });
}

void add_plot_command(CLI::App& program, Action& action) {
    auto a = std::make_shared<ShowArguments>();
    CLI::App* plot =
        program.add_subcommand("plot", "Draws the roofline plot of one or several results as SVG");
    plot->add_option("files", a->files, "Tuned configs, or output of `tune --json`")->required();
    plot->add_option("--out", a->out, "File to write (default: standard output)");
    plot->callback([a, &action] {
        action = [a] {
            const std::string svg = roofline_svg(results_of(a->files));
            if (a->out.empty()) {
                std::cout << svg;
            } else {
                write_atomically(a->out, svg);
                std::cerr << "rooftune: wrote " << std::filesystem::absolute(a->out).string() << "\n";
            }
            return 0;
        };
    });
}

}  // namespace rooftune
