#include "tuner/cli/main.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <new>

#include "kernels/runtime/error.h"
#include "kernels/runtime/nearest.h"
#include "tuner/audit/peers.h"
#include "tuner/audit/serve.h"
#include "tuner/cli/commands.h"
#include "tuner/cli/selftest_arm.h"
#include "tuner/machine/probe_machine.h"
#include "tuner/measure/interrupt.h"
#include "tuner/measure/worker_main.h"

namespace rooftune {
namespace {

constexpr int kUsage = 2;
constexpr int kEnvironment = 3;
constexpr int kInterrupted = 130;

int complain(const std::string& text, int status) {
    std::fprintf(stderr, "rooftune: %s\n", text.c_str());
    return status;
}

// Every flag and command that the deepest chosen command knows.
std::vector<std::string> known_words(const CLI::App& app) {
    std::vector<std::string> words;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
    }
    for (const CLI::App* command : app.get_subcommands({})) words.push_back(command->get_name());
    return words;
}

const CLI::App& deepest(const CLI::App& app) {
    const auto chosen = app.get_subcommands();
    return chosen.empty() ? app : deepest(*chosen.back());
}

std::string help_hint(const CLI::App& app) {
    std::string name;
    for (const CLI::App* at = &app; at; at = at->get_parent())
        name = at->get_name() + (name.empty() ? "" : " " + name);
    return "`" + name + " --help` shows what there is";
}

int refuse(const CLI::App& program, const CLI::ParseError& error, int argc, char** argv) {
    const CLI::App& at = deepest(program);
    if (dynamic_cast<const CLI::ExtrasError*>(&error) || dynamic_cast<const CLI::RequiredError*>(&error)) {
        const std::vector<std::string> words = known_words(at);
        for (int i = 1; i < argc; ++i) {
            const std::string whole = argv[i];
            // What is behind it is another program's.
            if (whole == "--") break;
            const std::string word = whole.substr(0, whole.find('='));
            const bool flag = word.rfind("--", 0) == 0;
            // Below a command that takes problems, a plain word is a problem, not a misspelt command.
            if (!flag && at.get_subcommands({}).empty()) continue;
            if (word == at.get_name()) continue;
            if (std::find(words.begin(), words.end(), word) != words.end()) continue;
            const std::string near = nearest(word, words);
            return complain(std::string("unknown ") + (flag ? "flag" : "command") + " '" + word + "'" +
                                (near.empty() ? ";" : "; did you mean '" + near + "'?") + " " + help_hint(at),
                            kUsage);
        }
    }
    return complain(std::string(error.what()) + "; " + help_hint(at), kUsage);
}

}  // namespace

int run_program(int argc, char** argv, Registry registry) {
    if (argc == 3 && std::strcmp(argv[1], "--worker") == 0) {
        int parent = 0;
        std::from_chars(argv[2], argv[2] + std::strlen(argv[2]), parent);
        return run_worker(registry, parent,
                          [](const std::vector<Ceiling>& ceilings, Team& team, double seconds) {
                              return reprobe(ceilings, team, seconds);
                          });
    }
    if (const auto status = audit::serve_if_asked(argc, argv, audit::built_in_peers())) return *status;
    if (const auto status = run_arm_if_asked(argc, argv)) return *status;
    CLI::App program("Auto-tuning of HPC kernels guided by roofline bounds.", "rooftune");
    program.set_version_flag("--version", std::string("rooftune ") + ROOFTUNE_VERSION);
    program.require_subcommand(1);
    program.footer(
        "Exit status: 0 done; 1 done, and the answer is no (no variant works, REGRESSED); 2 bad usage or "
        "input;\n"
        "3 machine or environment; 130 after Ctrl-C, with everything so far written.");
    Action action;
    add_tune_command(program, registry, action);
    add_machine_command(program, action);
    add_bound_command(program, registry, action);
    add_doctor_command(program, action);
    add_run_command(program, registry, action);
    add_compare_command(program, registry, action);
    add_ladder_command(program, registry, action);
    add_verify_command(program, registry, action);
    add_track_command(program, registry, action);
    add_explain_command(program, action);
    add_plot_command(program, action);
    add_report_command(program, action);
    add_results_command(program, action);
    add_import_command(program, action);
    add_replay_command(program, action);
    add_export_command(program, action);
    add_list_command(program, registry, action);
    if (argc == 1) {
        std::cerr << program.help();
        return kUsage;
    }
    try {
        program.parse(argc, argv);
    } catch (const CLI::Success& help) {
        return program.exit(help);  // --help and --version
    } catch (const CLI::ParseError& error) {
        return refuse(program, error, argc, argv);
    }
    watch_for_interrupt();
    try {
        const int status = action ? action() : kUsage;
        return interrupted() ? kInterrupted : status;
    } catch (const InputError& error) {
        return complain(error.what(), kUsage);
    } catch (const EnvironmentError& error) {
        return complain(error.what(), kEnvironment);
    } catch (const std::bad_alloc&) {
        return complain("not enough memory; try a smaller problem or fewer threads", kEnvironment);
    } catch (const std::exception& error) {
        return complain(
            std::string("internal error: ") + error.what() + "; please report it with the command",
            kEnvironment);
    }
}

}  // namespace rooftune
