#include "tuner/command/nodes_screen.h"

#include <algorithm>

#include "tuner/base/si.h"
#include "tuner/base/standard_error.h"
#include "tuner/base/text_width.h"

namespace rooftune {
namespace {

constexpr std::size_t kMostLines = 16;
constexpr double kLogEvery = 30.0;  // seconds
constexpr int kUnknownColumns = 80;

}  // namespace

std::vector<std::string> node_lines(const std::vector<NodeLine>& nodes, std::size_t most, int columns) {
    std::vector<std::string> lines;
    const std::size_t shown = nodes.size() <= most ? nodes.size() : most - 1;
    for (std::size_t i = 0; i < shown; ++i)
        lines.push_back(cut_to_width(nodes[i].node + "  " + nodes[i].text, columns - 1));
    if (shown < nodes.size())
        lines.push_back("and " + format_plural(static_cast<std::int64_t>(nodes.size() - shown), "node") +
                        " more");
    return lines;
}

void NodesScreen::clear() {
    if (drawn_ == 0) return;
    std::string text = "\r";
    for (std::size_t i = 0; i < drawn_; ++i) text += "\x1b[A\x1b[K";
    terminal_.write(text);
    drawn_ = 0;
}

void NodesScreen::notice(const std::string& text) {
    clear();
    if (!quiet_) tell(text);
}

void NodesScreen::nodes(const std::vector<NodeLine>& nodes) {
    if (quiet_) return;
    if (!terminal_.interactive) {
        const double now = terminal_.now();
        if (now - logged_ < kLogEvery) return;
        logged_ = now;
        for (const NodeLine& line : nodes) {
            std::string& said = said_[line.node];
            if (said != line.text) tell(line.node + ": " + line.text);
            said = line.text;
        }
        return;
    }
    clear();
    const int columns = terminal_.columns() > 0 ? terminal_.columns() : kUnknownColumns;
    std::string text;
    const std::vector<std::string> lines = node_lines(nodes, kMostLines, columns);
    for (const std::string& line : lines) text += line + "\n";
    terminal_.write(text);
    drawn_ = lines.size();
}

}  // namespace rooftune
