#include "tuner/tune/thread_counts.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <system_error>

#include "kernels/runtime/error.h"

namespace rooftune {

std::vector<int> thread_counts_from(const std::string& text) {
    constexpr int kMost = 65536;
    std::vector<int> counts;
    if (text.empty()) return counts;
    // With a comma behind the last, so that an empty number behind a comma is seen.
    std::istringstream list(text + ",");
    for (std::string item; std::getline(list, item, ',');) {
        int count = 0;
        const char* const last = item.data() + item.size();
        const auto [end, error] = std::from_chars(item.data(), last, count);
        if (error != std::errc() || end != last || count < 1 || count > kMost)
            throw InputError("--threads " + text + ": '" + item + "' is no number of 1 to " +
                             std::to_string(kMost) + "; write one, like 2, or several, like 1,2,4");
        if (std::find(counts.begin(), counts.end(), count) != counts.end())
            throw InputError("--threads " + text + ": " + item +
                             " is given twice, and would be tuned for twice; give each number once");
        counts.push_back(count);
    }
    return counts;
}

}  // namespace rooftune
