// What a comparison says: a table for people, a document for programs.
#pragma once

#include <string>
#include <vector>

#include "tests/peers/harness/child.h"
#include "tuner/formats/strict_json.h"
#include "tuner/formats/tune_result.h"

namespace rooftune::peers {

/// A figure of merit: how much of it one repetition does.
struct Rate {
    std::string unit;  ///< "flop/s", "LUP/s", "B/s"
    double amount = 0.0;
};

struct Line {
    std::string name;
    bool peer = false;
    Ready ready;
    std::vector<Slot> slots;  ///< one a round; empty when the arm was not ready
};

struct Comparison {
    std::string title, machine;
    std::map<std::string, std::string> problem;
    std::vector<int> cpus;
    std::vector<Rate> rates;
    std::vector<Line> lines;
    double longest_settle = 0.0;  ///< seconds until an arm was idle after its turn
    bool restless = false;        ///< an arm never came to rest
};

/// How many times as fast as `base` the arm is: per round, median and 95 % interval.
TimeInterval speed_over(const Line& base, const Line& arm);

/// Title, machine, a Markdown table with a column of ratios for each peer that was measured, what each
/// arm was, and what went wrong.
std::string to_text(const Comparison& comparison);

/// Schema "rooftune/peers/1".
Json to_json(const Comparison& comparison);

}  // namespace rooftune::peers
