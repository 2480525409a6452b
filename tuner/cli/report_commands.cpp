// Reads a result or a tuned config and shows it in words: explain.
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tuner/cli/commands.h"
#include "tuner/cli/options.h"
#include "tuner/config/result_json.h"
#include "tuner/config/tuned_config.h"
#include "tuner/report/explain_text.h"

namespace rooftune {
namespace {

struct ExplainArguments {
    std::vector<std::string> files;
    bool json = false;
};

}  // namespace

void add_explain_command(CLI::App& program, Action& action) {
    auto a = std::make_shared<ExplainArguments>();
    CLI::App* explain = program.add_subcommand(
        "explain",
        "What binds a winner, what would lift that and by how much at most, and what excluded the rest");
    explain->add_option("files", a->files, "Tuned config, or output of `tune --json`")->required();
    explain->add_flag("--json", a->json, "One JSON document on standard output");
    explain->callback([a, &action] {
        action = [a] {
            std::vector<TuneResult> results;
            for (const std::string& file : a->files) {
                for (TuneResult& result : read_results_or_config(file)) results.push_back(std::move(result));
            }
            if (a->json) {
                std::cout << json_text(explain_json(results));
                return 0;
            }
            for (std::size_t i = 0; i < results.size(); ++i)
                std::cout << (i > 0 ? "\n" : "") << explain_text(results[i]);
            return 0;
        };
    });
}

}  // namespace rooftune
