#include "tuner/tune/edge_text.h"

#include <fmt/format.h>

#include <vector>

#include "tuner/base/joined.h"
#include "tuner/base/text_width.h"

namespace rooftune {

std::string growth_sentence(const TuneResult& r) {
    std::vector<std::string> grown;
    for (const GrowthReport& g : r.grown)
        grown.push_back(fmt::format("{} up to {} (at first {})", printable(g.parameter), printable(g.to),
                                    printable(g.from)));
    if (grown.empty()) return "";
    return fmt::format("More was on offer in the end than at first: {}.", joined(grown));
}

std::string edge_sentence(const TuneResult& r) {
    std::vector<std::string> edges;
    for (const EdgeReport& e : r.edges) {
        edges.push_back(fmt::format("{}={}{}", printable(e.parameter), printable(e.value),
                                    e.reason.empty() ? "" : fmt::format(" ({})", printable(e.reason))));
    }
    if (edges.empty()) return "";
    return fmt::format("The winner is on an edge of the space, and more was not tried: {}.", joined(edges));
}

}  // namespace rooftune
