// A job over many nodes in virtual time. Prints JSON, or what results/ has of it.
//
//   simulate run FILE KEY=VALUE…   one run, added to FILE as one line. Keys: nodes, problems, groups, kinds,
//                                  death_hours, killers, results, seed, messages (a file with a result, as
//                                  `tune --json` prints it: messages are read and written as well)
//   simulate table FILE            the runs of FILE as Markdown
//   simulate chart FILE            and as SVG
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tests/cluster/message_costs.h"
#include "tests/cluster/simulated_report.h"

namespace rooftune::test {
namespace {

constexpr std::size_t kKept = 300;  // tunes that leave a line in the journal: 100 kB each

// The most memory that this process had, bytes.
double most_memory() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmHWM:")) return 1024.0 * std::atof(line.c_str() + std::strlen("VmHWM:"));
    }
    return 0.0;
}

SimulatedRun run(int count, char** words) {
    SimulatedRun run;
    SimulatedSettings& s = run.settings;
    std::string messages;
    const auto number = [](auto& into) {
        return std::function<void(const std::string&)>([&into](const std::string& value) {
            into = static_cast<std::remove_reference_t<decltype(into)>>(std::stod(value));
        });
    };
    const std::map<std::string, std::function<void(const std::string&)>> keys = {
        {"nodes", number(s.nodes)},
        {"problems", number(s.problems)},
        {"groups", number(s.groups)},
        {"kinds", number(s.kinds)},
        {"killers", number(s.killers)},
        {"death_hours", number(s.death_hours)},
        {"results", number(s.results)},
        {"seed", number(s.seed)},
        {"messages", [&](const std::string& value) { messages = value; }}};
    for (int i = 0; i < count; ++i) {
        const std::string word = words[i];
        const std::size_t equals = word.find('=');
        const auto at = keys.find(word.substr(0, equals));
        if (equals == std::string::npos || at == keys.end())
            throw InputError("simulate: '" + word + "' is no KEY=VALUE that it knows");
        at->second(word.substr(equals + 1));
    }
    if (messages.empty()) {
        run.outcome = simulate(s, nullptr);
        run.memory = most_memory();
        return run;
    }
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("simulate-" + std::to_string(s.seed));
    std::filesystem::create_directories(folder);
    MessageCosts costs(messages, folder.string(), kKept);
    run.outcome = simulate(s, &costs);
    run.memory = most_memory();
    for (const auto& [of, cost] : costs.costs()) run.messages[of] = {cost.count, cost.seconds, cost.bytes};
    std::filesystem::remove_all(folder);
    return run;
}

std::vector<SimulatedRun> read(const std::string& file) {
    std::vector<SimulatedRun> runs;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) runs.push_back(simulated_run_from(Json::parse(line)));
    return runs;
}

int act(int argc, char** argv) {
    const std::string what = argc > 2 ? argv[1] : "";
    if (what == "run") {
        const std::string line = to_json(run(argc - 3, argv + 3)).dump();
        std::ofstream(argv[2], std::ios::app) << line << '\n';
        std::cerr << line << '\n';
    } else if (what == "table") {
        std::cout << simulated_table(read(argv[2]));
    } else if (what == "chart") {
        std::cout << simulated_chart(read(argv[2]));
    } else {
        throw InputError("usage: simulate run FILE KEY=VALUE… | table FILE | chart FILE");
    }
    return 0;
}

}  // namespace
}  // namespace rooftune::test

int main(int argc, char** argv) {
    try {
        return rooftune::test::act(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
