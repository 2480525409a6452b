// One results folder and one machine file, and the program run against them.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/process.h"
#include "tests/support/toy.h"
#include "tuner/formats/machine_file.h"

namespace rooftune::test {

/// Path of the program with the fault-injecting family.
inline std::string program() {
    return ROOFTUNE_TEST_PROGRAM;
}

/// The toy machine with rates that no real one has: what is measured for real here does not beat its bounds,
/// which would have every tune probe this machine first.
inline Machine fast_machine() {
    Machine m = toy::machine();
    for (Ceiling& c : m.ceilings) {
        for (double* rate : {&c.max, &c.p95, &c.median}) *rate *= 30.0;
    }
    return m;
}

/// Tunes here have a budget of seconds beside their number of evaluations ("5s,20"): it leaves the finals a
/// share of itself, and without one they may take eight seconds.
class Session {
public:
    explicit Session(const Machine& model = fast_machine()) { write_machine_file(machine(), model); }
    std::string machine() const { return folder / "machine.json"; }
    std::string results() const { return folder / "results"; }

    /// The given command with this session's machine and results folder.
    std::vector<std::string> command(std::vector<std::string> words) const {
        words.insert(words.begin(), program());
        for (const std::string& word : {std::string("--machine"), machine(), std::string("--results"),
                                        results(), std::string("--threads"), std::string("1")}) {
            words.push_back(word);
        }
        return words;
    }
    Finished run(std::vector<std::string> words) const { return test::run(command(std::move(words))); }
    Finished csv() const {
        return test::run({program(), "results", "export", "--csv", "--results", results()});
    }

    TemporaryFolder folder;
};

/// Rows of a CSV without quoted line breaks, by column name; quotes are taken off.
inline std::vector<std::map<std::string, std::string>> rows_of(const std::string& csv) {
    std::vector<std::map<std::string, std::string>> rows;
    std::vector<std::string> header;
    std::istringstream lines(csv);
    for (std::string line; std::getline(lines, line);) {
        // A cell in quotes may have lines of its own, as a compiler's messages.
        for (std::string more;
             std::count(line.begin(), line.end(), '"') % 2 != 0 && std::getline(lines, more);)
            line += '\n' + more;
        if (!line.empty() && line.back() == '\r') line.pop_back();
        std::vector<std::string> cells(1);
        bool quoted = false;
        for (const char c : line) {
            if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                cells.emplace_back();
            } else {
                cells.back() += c;
            }
        }
        if (header.empty()) {
            header = cells;
            continue;
        }
        std::map<std::string, std::string> row;
        for (std::size_t i = 0; i < std::min(header.size(), cells.size()); ++i) row[header[i]] = cells[i];
        rows.push_back(row);
    }
    return rows;
}

inline std::uint64_t classes_sum(const nlohmann::json& certificate) {
    std::uint64_t sum = 0;
    for (const char* name : {"excluded", "set_aside", "measured", "raced_out", "failed", "unmeasured"}) {
        sum += certificate.at(name).get<std::uint64_t>();
    }
    return sum;
}

}  // namespace rooftune::test
