// Reads inputs that are nearly right, as fast as they can be read: readers of files and messages, each in a
// process of its own (targets.h). Status 1 where something was found; what was read then lies in a file of
// this folder.
//
//   fuzz [--seconds S] [--runs N] [--seed N] [TARGET...]      S (2) of changed inputs a target, or N inputs
//   fuzz --input FILE TARGET                                  reads that file once, in this process
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "kernels/runtime/error.h"
#include "tests/fuzz/watch.h"
#include "tests/unit/formats/temporary_folder.h"

using namespace rooftune;
using namespace rooftune::fuzz;

namespace {

// Another run's findings lie beside it: its seed tells them apart.
std::string file_name(const Target& target, std::uint64_t seed, std::size_t number) {
    return "fuzz-" + target.name + "-" + std::to_string(seed) + "-" + std::to_string(number);
}

}  // namespace

int main(int argc, char** argv) {
    Limits limits;
    limits.seconds = 2.0;
    std::string input;
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
        } else {
            wanted.push_back(word);
        }
    }
    const test::TemporaryFolder folder;
    const std::vector<Target> targets = all_targets(ROOFTUNE_SOURCE_DIR, folder.path());
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
            try {
                target.read({std::istreambuf_iterator<char>(stream), {}});
                std::cout << target.name << ": read\n";
            } catch (const InputError& error) {
                std::cout << target.name << ": refused: " << error.what() << '\n';
            } catch (const EnvironmentError& error) {
                std::cout << target.name << ": refused: " << error.what() << '\n';
            }
            continue;
        }
        if (target.material.seeds.empty()) {
            std::cout << target.name << ": no seeds\n";
            ++found;
            continue;
        }
        const Outcome outcome = watched(target, limits);
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
    std::cout << executions << " executions in all, " << found << " findings\n";
    return found > 0 ? 1 : 0;
}
