#include "tuner/base/fit_lines.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "tuner/base/text_width.h"

namespace rooftune {
namespace {

constexpr int kLeastBeside = 30;  // columns that an explanation needs beside what it explains
constexpr std::size_t kIndent = 6;

// How a text becomes lines of at most so many columns.
using Breaking = std::vector<std::string> (*)(std::string_view, int);

std::vector<std::string> between_words(std::string_view text, int columns) {
    std::vector<std::string> lines;
    std::istringstream wrapped(wrap(text, columns));
    for (std::string line; std::getline(wrapped, line);) lines.push_back(line);
    if (lines.empty()) lines.emplace_back();
    return lines;
}

std::string indented(std::string_view text, std::size_t indent, int columns, Breaking breaking) {
    std::string out;
    for (const std::string& line : breaking(text, columns - static_cast<int>(indent)))
        out += std::string(indent, ' ') + line + "\n";
    return out;
}

std::string fit_line(std::string_view line, int columns, Breaking breaking) {
    if (display_width(line) <= columns) return std::string(line) + "\n";
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t gap = line.find("  ", begin);
    const bool narrow = columns < 30 + kLeastBeside;
    if (gap == std::string_view::npos) {
        const std::size_t indent = narrow ? std::min(begin, kIndent) : begin;
        return indented(line.substr(begin), indent, columns, breaking);
    }
    const std::size_t behind = std::min(line.find_first_not_of(' ', gap), line.size());
    const std::string_view explained = line.substr(begin, gap - begin), explanation = line.substr(behind);
    const int beside = display_width(line.substr(0, behind));
    if (columns - beside < kLeastBeside) {
        return indented(explained, std::min(begin, kIndent), columns, breaking) +
               indented(explanation, std::min(begin + kIndent, kIndent + 2), columns, breaking);
    }
    const std::string below = indented(explanation, static_cast<std::size_t>(beside), columns, breaking);
    return std::string(line.substr(0, behind)) + below.substr(static_cast<std::size_t>(beside));
}

// "- ", "12. ", "[3] " or "→ " at the beginning of a line: its length in bytes, 0 where there is none.
std::size_t mark_of(std::string_view text) {
    for (const std::string_view mark : {"- ", "* ", "† ", "→ ", "## ", "### "}) {
        if (text.starts_with(mark)) return mark.size();
    }
    const bool bracket = text.starts_with('[');
    const std::size_t first = bracket ? 1 : 0;
    const std::size_t end = std::min(text.find_first_not_of("0123456789", first), text.size());
    const bool number = end > first && text.substr(end).starts_with(bracket ? "] " : ". ");
    return number ? end + 2 : 0;
}

bool stays_whole(std::string_view line) {
    if (line.starts_with('|')) return true;
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    return line.starts_with("rooftune ") || line.starts_with("./rooftune ");
}

std::string fit_prose(std::string_view line, int columns) {
    if (display_width(line) <= columns || stays_whole(line)) return std::string(line) + "\n";
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t mark = mark_of(line.substr(begin));
    if (mark == 0) return fit_line(line, columns, between_words);
    const auto indent = begin + static_cast<std::size_t>(display_width(line.substr(begin, mark)));
    const std::string text = indented(line.substr(begin + mark), indent, columns, between_words);
    return std::string(line.substr(0, begin + mark)) + text.substr(indent);
}

template <typename Fit>
std::string each_line(std::string_view text, Fit fit) {
    std::string out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        out += fit(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
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
    return each_line(text, [&](std::string_view line) { return fit_line(line, columns, fold); });
}

std::string fit_page(std::string_view text, int columns) {
    std::string out = each_line(text, [&](std::string_view line) { return fit_prose(line, columns); });
    if (!out.empty() && !text.ends_with('\n')) out.pop_back();
    return out;
}

}  // namespace rooftune
