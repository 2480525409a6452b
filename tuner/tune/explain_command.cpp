// Reads a result or a tuned config and shows it in words: explain.
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tuner/engine/options.h"
#include "tuner/formats/result_json.h"
#include "tuner/formats/tuned_config.h"
#include "tuner/tune/commands.h"
#include "tuner/tune/explain_text.h"

namespace rooftune {
namespace {

struct ExplainArguments {
    std::vector<std::string> files;
    bool json = false;
};

}  // namespace

void add_explain_command(Command& program) {
    auto a = std::make_shared<ExplainArguments>();
    Command explain = program.command(
        "explain",
        "What binds a winner, what would lift that and by how much at most, and what excluded the rest");
    explain.option("files", a->files, "Tuned config, or output of `tune --json`").required();
    explain.flag("--json", a->json, "One JSON document on standard output");
    explain.runs([a] {
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
    });
}

}  // namespace rooftune
