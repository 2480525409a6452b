#include "tuner/base/fit_lines.h"

#include <algorithm>

#include "tuner/base/text_width.h"

namespace rooftune {
namespace {

constexpr int kLeastBeside = 30;  // columns that an explanation needs beside what it explains
constexpr std::size_t kIndent = 6;

std::string indented(std::string_view text, std::size_t indent, int columns) {
    std::string out;
    for (const std::string& line : fold(text, columns - static_cast<int>(indent)))
        out += std::string(indent, ' ') + line + "\n";
    return out;
}

std::string fit_line(std::string_view line, int columns) {
    if (display_width(line) <= columns) return std::string(line) + "\n";
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t gap = line.find("  ", begin);
    const bool narrow = columns < 30 + kLeastBeside;
    if (gap == std::string_view::npos) {
        const std::size_t indent = narrow ? std::min(begin, kIndent) : begin;
        return indented(line.substr(begin), indent, columns);
    }
    const std::size_t behind = std::min(line.find_first_not_of(' ', gap), line.size());
    const std::string_view explained = line.substr(begin, gap - begin), explanation = line.substr(behind);
    const int beside = display_width(line.substr(0, behind));
    if (columns - beside < kLeastBeside) {
        return indented(explained, std::min(begin, kIndent), columns) +
               indented(explanation, std::min(begin + kIndent, kIndent + 2), columns);
    }
    const std::string below = indented(explanation, static_cast<std::size_t>(beside), columns);
    return std::string(line.substr(0, behind)) + below.substr(static_cast<std::size_t>(beside));
}

}  // namespace

std::string without_soft_breaks(std::string_view text) {
    constexpr std::string_view kExample = "  ", kEnds = ".:)";
    std::string out;
    bool joins = false, labelled = false;  // the line before: goes on, has an explanation behind a label
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (joins && labelled && !line.starts_with(' ')) joins = false;
        if (joins) {
            line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
            out += ' ';
        } else if (!out.empty()) {
            out += '\n';
        }
        const bool is_example = !joins && line.starts_with(kExample);
        if (!joins)
            labelled = line.find(kExample, std::min(line.find_first_not_of(' '), line.size())) < line.size();
        joins = !line.empty() && !is_example && kEnds.find(line.back()) == std::string_view::npos;
        out += line;
    }
    return out;
}

std::string fit_lines(std::string_view text, int columns) {
    std::string out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        out += fit_line(text.substr(0, end), columns);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

}  // namespace rooftune
