#include "tuner/track/program_sets.h"

#include <fmt/format.h>

#include "kernels/runtime/error.h"
#include "tuner/base/command_words.h"
#include "tuner/measure/ranking.h"
#include "tuner/track/parameter_scan.h"

namespace rooftune {
namespace {

using track::ScannedParameter;
using track::ScanPoint;

// The programs in their order, before any value stands in them.
std::vector<ProgramCommand> commands_of(const ProgramWish& wish) {
    std::vector<ProgramCommand> commands;
    if (wish.commands.empty()) {
        if (wish.base.empty() || wish.candidate.empty())
            throw InputError(
                "--command-a and --command-b belong together; give both (they may be the same), or one "
                "program with --command and --parameter");
        commands.push_back({.text = wish.base, .flag = "--command-a"});
        commands.push_back({.text = wish.candidate, .flag = "--command-b"});
    } else {
        if (!wish.base.empty() || !wish.candidate.empty())
            throw InputError(
                "--command takes the place of --command-a and --command-b; name all programs by --command, "
                "the baseline first");
        for (const std::string& text : wish.commands) commands.push_back({.text = text, .flag = "--command"});
    }
    if (commands.size() > track::kMostArms)
        throw InputError(fmt::format("{} programs are given by --command, and a comparison has at most {}",
                                     commands.size(), track::kMostArms));
    for (ProgramCommand& command : commands) command.prepare = wish.prepare;
    return commands;
}

std::vector<ScannedParameter> parameters_of(const ProgramWish& wish,
                                            const std::vector<ProgramCommand>& commands) {
    std::vector<ScannedParameter> parameters;
    for (const std::string& text : wish.parameters) parameters.push_back(track::parameter_from(text));
    std::vector<std::string> texts;
    for (const ProgramCommand& command : commands) texts.push_back(command.text);
    track::check_all_are_named(parameters, texts);
    return parameters;
}

ProgramCommand at(ProgramCommand command, const ScanPoint& point) {
    command.text = track::replaced(command.text, point, command.flag);
    command.prepare = track::replaced(command.prepare, point, "--prepare");
    return command;
}

// A value that does not fit into its program's words is told before any other is measured.
void check_words(const std::vector<ProgramSet>& sets) {
    for (const ProgramSet& set : sets) {
        for (const ProgramCommand& arm : set.arms) {
            command_words(arm.text, arm.flag);
            if (!arm.prepare.empty()) command_words(arm.prepare, "--prepare");
        }
    }
}

// The combinations of values as arms of one set.
ProgramSet scan_of(const ProgramCommand& command, const std::vector<ScanPoint>& points) {
    if (points.size() < 2)
        throw InputError(
            "one --command with one value has nothing to be compared with; give --parameter "
            "several values, or a second --command");
    if (points.size() > track::kMostArms)
        throw InputError(
            fmt::format("the values of --parameter make {} arms of one --command, and a "
                        "comparison has at most {}; give fewer values",
                        points.size(), track::kMostArms));
    ProgramSet set;
    set.title = program_name(command.text);  // its arguments are told with each arm
    set.sweep = true;
    for (const ScanPoint& point : points) {
        set.arms.push_back(at(command, point));
        set.arms.back().label = track::point_text(point);
    }
    return set;
}

}  // namespace

std::string ProgramWish::first_flag() const {
    const ProgramWish usual;
    if (reads_time) return "--reads-time";
    if (control != usual.control) return "--control";
    if (!parameters.empty()) return "--parameter";
    if (!prepare.empty()) return "--prepare";
    if (warmup != usual.warmup) return "--warmup";
    return "";
}

std::vector<ProgramSet> program_sets(const ProgramWish& wish) {
    const std::vector<ProgramCommand> commands = commands_of(wish);
    const std::vector<ScannedParameter> parameters = parameters_of(wish, commands);
    const std::vector<ScanPoint> points = track::points_of(parameters);
    std::vector<ProgramSet> sets;
    if (parameters.empty()) {
        if (commands.size() < 2)
            throw InputError(
                "--command is given once; give it again for what is compared with that program, "
                "or --parameter with its values");
        // Without parameters braces mean nothing.
        sets.push_back({.arms = commands});
    } else if (commands.size() == 1) {
        sets.push_back(scan_of(commands.front(), points));
    } else {
        for (const ScanPoint& point : points) {
            sets.emplace_back();
            sets.back().title = track::point_text(point);
            for (const ProgramCommand& command : commands) sets.back().arms.push_back(at(command, point));
        }
    }
    check_words(sets);
    const int arms = static_cast<int>(sets.front().arms.size()), count = static_cast<int>(sets.size());
    for (ProgramSet& set : sets) {
        set.reads_time = wish.reads_time;
        set.control = track::control_from(wish.control);
        set.warmup = wish.warmup;
        set.together = count * (arms - 1);
        set.pairs_together = count * track::pairs_of(arms);
    }
    return sets;
}

}  // namespace rooftune
