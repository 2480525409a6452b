#include "tuner/track/environment_text.h"

#include <fmt/format.h>

#include "tuner/base/joined.h"
#include "tuner/base/suggested.h"
#include "tuner/base/table.h"
#include "tuner/base/text_width.h"

namespace rooftune {
namespace {

using namespace track;

std::string since(const EnvironmentDifference& difference) {
    return difference.base_recorded ? "since A was recorded and B tuned" : "since they were tuned";
}

// "processor and libc of A; kernel of B": the parts of one arm together. What neither arm recorded is passed
// over: it is so of every two configs, and tells nothing of these.
std::string by_arm(const std::vector<std::string>& parts) {
    std::vector<std::string> groups;
    for (const std::string_view arm : {" of A", " of B"}) {
        std::vector<std::string> names;
        for (const std::string& part : parts) {
            if (part.ends_with(arm)) names.push_back(part.substr(0, part.size() - arm.size()));
        }
        if (!names.empty()) groups.push_back(joined(names) + std::string(arm));
    }
    return joined(groups, "; ", "; ");
}

std::string nothing(const EnvironmentDifference& difference) {
    // Of one arm a part may be known, and of the other not.
    return std::string(by_arm(difference.not_recorded).empty()
                           ? "Nothing differs from when "
                           : "Nothing that was recorded differs from when ") +
           (difference.base_recorded ? "A was recorded and B was tuned" : "they were tuned") + " (" +
           joined(difference.compared) + ").";
}

// A sentence behind others.
std::string behind(const std::string& sentence) {
    return sentence.empty() ? "" : " " + sentence;
}

}  // namespace

std::string not_recorded_sentence(const EnvironmentDifference& difference) {
    const std::string parts = by_arm(difference.not_recorded);
    if (parts.empty()) return "";
    return "Not recorded at that time, so that nobody knows whether it changed: " + parts + ".";
}

std::string environment_sentence(const EnvironmentDifference& difference) {
    const std::string rest = behind(not_recorded_sentence(difference));
    if (difference.changes.empty()) return nothing(difference) + rest;
    std::vector<std::string> parts;
    for (const EnvironmentChange& c : difference.changes)
        parts.push_back(
            fmt::format("{} of {}: {} then, {} now", c.what, c.arms, printable(c.then), printable(c.now)));
    return "S" + since(difference).substr(1) + ": " + joined(parts, "; ", "; ") + "." + rest;
}

std::string rebuilt_sentence(const EnvironmentDifference& difference) {
    if (!difference.base_recorded || !difference.base_rebuilt) return "";
    return "Both are run by this build, which is not the one that A was recorded with; a change of the "
           "kernels themselves shows in " +
           suggested("track report") + ".";
}

std::string environment_text(const EnvironmentDifference& difference, bool rest_is_told) {
    const std::string rest = rest_is_told ? "" : not_recorded_sentence(difference);
    if (difference.changes.empty()) return "  " + nothing(difference) + behind(rest) + "\n";
    Table table(
        {{since(difference), Align::left}, {"of", Align::left}, {"then", Align::left}, {"now", Align::left}});
    for (const EnvironmentChange& c : difference.changes) table.add({c.what, c.arms, c.then, c.now});
    return "\n" + table.to_text() + (rest.empty() ? "" : "\n" + wrap(rest) + "\n");
}

}  // namespace rooftune
