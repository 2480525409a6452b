#include "tuner/track/environment_text.h"

#include <fmt/format.h>

#include "tuner/base/joined.h"
#include "tuner/base/table.h"
#include "tuner/base/text_width.h"

namespace rooftune {
namespace {

using namespace track;

// Behind what was compared.
std::string not_recorded(const EnvironmentDifference& difference) {
    if (difference.not_recorded.empty()) return "";
    return " Not recorded then, and not compared: " + joined(difference.not_recorded) + ".";
}

std::string since(const EnvironmentDifference& difference) {
    return difference.base_recorded ? "since A was recorded and B tuned" : "since they were tuned";
}

std::string nothing(const EnvironmentDifference& difference) {
    return std::string("Nothing differs from when ") +
           (difference.base_recorded ? "A was recorded and B was tuned" : "they were tuned") + " (" +
           joined(difference.compared) + ")." + not_recorded(difference);
}

}  // namespace

std::string environment_sentence(const EnvironmentDifference& difference) {
    if (difference.changes.empty()) return nothing(difference);
    std::vector<std::string> parts;
    for (const EnvironmentChange& c : difference.changes)
        parts.push_back(
            fmt::format("{} of {}: {} then, {} now", c.what, c.arms, printable(c.then), printable(c.now)));
    return "S" + since(difference).substr(1) + ": " + joined(parts, "; ", "; ") + "." +
           not_recorded(difference);
}

std::string rebuilt_sentence(const EnvironmentDifference& difference) {
    if (!difference.base_recorded || !difference.base_rebuilt) return "";
    return "Both are run by this build, which is not the one that A was recorded with; a change of the "
           "kernels themselves shows in `rooftune track report`.";
}

std::string environment_text(const EnvironmentDifference& difference) {
    if (difference.changes.empty()) return "  " + nothing(difference) + "\n";
    Table table(
        {{since(difference), Align::left}, {"of", Align::left}, {"then", Align::left}, {"now", Align::left}});
    for (const EnvironmentChange& c : difference.changes) table.add({c.what, c.arms, c.then, c.now});
    const std::string rest = not_recorded(difference);
    return "\n" + table.to_text() + (rest.empty() ? "" : "\n" + wrap(rest.substr(1)) + "\n");
}

}  // namespace rooftune
