// Reads inputs that are nearly right, as fast as they can be read: readers of files and messages, each in a
// process of its own (targets.h). Status 1 where something was found; what was read then lies in a file of
// this folder.
//
// - fuzz [--seconds S] [--runs N] [--seed N] [TARGET...]: S (2) of changed inputs a target, or N inputs
// - fuzz --input FILE TARGET: reads that file once, in this process
// - fuzz --planted [--seconds S] [--seed N] [TARGET...]: how soon a fault deep in each
//   reader is found
// - fuzz --told [--runs N] [--seed N] [TARGET...]: what N inputs are told, message by message
// - fuzz --list: the targets' names
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/fuzz/watch.h"
#include "tests/unit/formats/temporary_folder.h"
#include "tuner/base/si.h"
#include "tuner/base/text_width.h"

using namespace rooftune;
using namespace rooftune::fuzz;

namespace {

// Another run's findings lie beside it: its seed tells them apart.
std::string file_name(const Target& target, std::uint64_t seed, std::size_t number) {
    return "fuzz-" + target.name + "-" + std::to_string(seed) + "-" + std::to_string(number);
}

// Without numbers and without what stands in quotes: messages of one place of the reader are then one.
std::string alike(const std::string& text) {
    std::string kept;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\'' || text[i] == '"') {
            const std::size_t end = text.find(text[i], i + 1);
            if (end != std::string::npos) i = end;
            kept += "'_'";
        } else if (text[i] >= '0' && text[i] <= '9') {
            if (!kept.ends_with('0')) kept += '0';
        } else {
            kept += text[i];
        }
    }
    return kept;
}

// What inputs are told, with their numbers made alike, and how many of them: how deep changed inputs come,
// and what a fault can be planted at (Target::deep).
void show_told(const Target& target, const Limits& limits) {
    std::map<std::string, int> counts;
    std::mt19937_64 random(limits.seed);
    const auto& seeds = target.material.seeds;
    for (std::uint64_t i = 0; i < std::max<std::uint64_t>(limits.executions / target.cost, 1); ++i) {
        const std::string input =
            mutated(seeds[random() % seeds.size()], target.material, random, limits.most_bytes);
        ++counts[alike(told_of(target, input)).substr(0, 140)];
    }
    for (const auto& [told, count] : counts)
        std::cout << target.name << '\t' << count << '\t' << printable(told) << '\n';
}

}  // namespace

int main(int argc, char** argv) {
    Limits limits;
    limits.seconds = 2.0;
    std::string input;
    bool lists = false, shows_told = false;
    std::vector<std::string> wanted;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const bool has_value = i + 1 < argc;
        if (word == "--seconds" && has_value) {
            limits.seconds = std::atof(argv[++i]);
        } else if (word == "--runs" && has_value) {
            limits.executions = std::strtoull(argv[++i], nullptr, 10);
        } else if (word == "--seed" && has_value) {
            limits.seed = std::strtoull(argv[++i], nullptr, 10);
        } else if (word == "--input" && has_value) {
            input = argv[++i];
        } else if (word == "--planted") {
            limits.planted = true;
            limits.most_findings = 1;
        } else if (word == "--told") {
            shows_told = true;
        } else if (word == "--list") {
            lists = true;
        } else if (word.starts_with("--")) {
            std::cerr << "fuzz: '" << word << "' is no option, or has no value\n";
            return 2;
        } else {
            wanted.push_back(word);
        }
    }
    const test::TemporaryFolder folder;
    const std::vector<Target> targets = all_targets(ROOFTUNE_SOURCE_DIR, folder.path());
    if (lists) {
        for (const Target& target : targets) std::cout << target.name << '\n';
        return 0;
    }
    for (const std::string& name : wanted) {
        const auto is_it = [&](const Target& target) { return target.name == name; };
        if (std::any_of(targets.begin(), targets.end(), is_it)) continue;
        std::cerr << "fuzz: no target is called '" << name << "'; there are:";
        for (const Target& target : targets) std::cerr << ' ' << target.name;
        std::cerr << '\n';
        return 2;
    }
    std::size_t found = 0;
    std::uint64_t executions = 0;
    for (const Target& target : targets) {
        if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), target.name) == wanted.end()) continue;
        if (!input.empty()) {
            std::ifstream stream(input, std::ios::binary);
            if (!stream) {
                std::cerr << "fuzz: " << input << ": cannot be read\n";
                return 2;
            }
            const std::string told = told_of(target, {std::istreambuf_iterator<char>(stream), {}});
            std::cout << target.name << ": " << (told.empty() ? "read" : told) << '\n';
            continue;
        }
        if (shows_told) {
            show_told(target, limits);
            continue;
        }
        if (target.material.seeds.empty()) {
            std::cout << target.name << ": no seeds\n";
            ++found;
            continue;
        }
        const auto begun = std::chrono::steady_clock::now();
        const Outcome outcome = watched(target, limits);
        if (limits.planted) {
            const double seconds =
                std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
            std::printf("| %s | %s | %llu | %s |\n", target.name.c_str(), target.deep.c_str(),
                        static_cast<unsigned long long>(outcome.executions),
                        outcome.findings.empty() ? "**not found**" : format_duration(seconds).c_str());
            std::fflush(stdout);
            if (outcome.findings.empty()) ++found;
            continue;
        }
        executions += outcome.executions;
        std::printf("%-20s %10llu executions, %zu findings\n", target.name.c_str(),
                    static_cast<unsigned long long>(outcome.executions), outcome.findings.size());
        std::fflush(stdout);
        for (const Finding& finding : outcome.findings) {
            const std::string name = file_name(target, limits.seed, ++found);
            std::ofstream(name, std::ios::binary) << finding.input;
            std::cout << "  " << finding.what << ": " << name << " (fuzz --input " << name << ' '
                      << target.name << ")\n";
        }
    }
    if (limits.planted || shows_told) return found > 0 ? 1 : 0;
    std::cout << executions << " executions in all, " << found << " findings\n";
    return found > 0 ? 1 : 0;
}
