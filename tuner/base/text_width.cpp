#include "tuner/base/text_width.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "tuner/base/page_width.h"

namespace rooftune {
namespace {

struct CodePoint {
    char32_t value = 0;
    std::size_t bytes = 1;
};

bool continuation(unsigned char byte) {
    return (byte & 0xC0u) == 0x80u;
}

CodePoint next_code_point(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    const std::size_t length = lead < 0x80u    ? 1
                               : lead >= 0xF0u ? 4
                               : lead >= 0xE0u ? 3
                               : lead >= 0xC2u ? 2
                                               : 0;
    if (length == 0 || length > text.size()) return {0xFFFD, 1};
    char32_t value = length == 1 ? lead : lead & (0xFFu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (!continuation(byte)) return {0xFFFD, 1};
        value = (value << 6) | (byte & 0x3Fu);
    }
    return {value, length};
}

struct Range {
    char32_t first, last;
};

// Blocks that terminals draw two columns wide (Unicode's East Asian Width "W" and "F", in outline).
constexpr std::array<Range, 10> kWide{{{0x1100, 0x115F},
                                       {0x2E80, 0xA4CF},
                                       {0xAC00, 0xD7A3},
                                       {0xF900, 0xFAFF},
                                       {0xFE30, 0xFE6F},
                                       {0xFF00, 0xFF60},
                                       {0xFFE0, 0xFFE6},
                                       {0x1F300, 0x1F64F},
                                       {0x1F900, 0x1F9FF},
                                       {0x20000, 0x3FFFD}}};
constexpr std::array<Range, 6> kNone{{{0x0300, 0x036F},
                                      {0x200B, 0x200F},
                                      {0x2060, 0x2064},
                                      {0x20D0, 0x20FF},
                                      {0xFE00, 0xFE0F},
                                      {0xFE20, 0xFE2F}}};

template <std::size_t N>
bool within(const std::array<Range, N>& ranges, char32_t value) {
    for (const Range& range : ranges) {
        if (value >= range.first && value <= range.last) return true;
    }
    return false;
}

int width_of(char32_t value) {
    return within(kNone, value) ? 0 : within(kWide, value) ? 2 : 1;
}

bool breaks_behind(char32_t value) {
    constexpr std::u32string_view kMarks = U",;/|=-:_";
    return kMarks.find(value) != std::u32string_view::npos;
}

/// A number, or the opening of an interval: it belongs with the word behind it.
bool binds(std::string_view word) {
    if (word.starts_with('[')) return true;
    if (word.starts_with('(')) word.remove_prefix(1);
    bool digit = false;
    for (const char c : word) {
        if (c >= '0' && c <= '9') {
            digit = true;
        } else if (c != '.') {
            return false;
        }
    }
    return digit;
}

// "kc=512,loop=m,…": a variant as a command line takes it, which is one word and may be wider than any page.
bool is_assignment(std::string_view chunk) {
    const std::size_t equals = chunk.find('='), comma = chunk.find(',');
    return comma != std::string_view::npos && equals < comma &&
           chunk.find_first_of("`/ ") == std::string_view::npos;
}

}  // namespace

int display_width(std::string_view text) {
    int columns = 0;
    while (!text.empty()) {
        const CodePoint point = next_code_point(text);
        columns += width_of(point.value);
        text.remove_prefix(point.bytes);
    }
    return columns;
}

std::string cut_to_width(std::string_view text, int columns) {
    if (columns <= 0) return "";
    if (display_width(text) <= columns) return std::string(text);
    std::string kept;
    int used = 0;
    while (!text.empty()) {
        const CodePoint point = next_code_point(text);
        const int width = width_of(point.value);
        if (used + width > columns - 1) break;
        kept.append(text.substr(0, point.bytes));
        used += width;
        text.remove_prefix(point.bytes);
    }
    while (!kept.empty() && kept.back() == ' ') kept.pop_back();
    return kept + "…";
}

std::string printable(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const CodePoint point = next_code_point(text);
        // C0 controls, DEL, and the C1 controls that some terminals obey.
        const bool control = point.value < 0x20 || (point.value >= 0x7F && point.value < 0xA0);
        if (control) {
            out += ' ';
        } else if (point.value == 0xFFFD) {
            out += "\xEF\xBF\xBD";
        } else {
            out.append(text.substr(0, point.bytes));
        }
        text.remove_prefix(point.bytes);
    }
    return out;
}

std::string printable_lines(std::string_view text) {
    std::string all;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        all += printable(text.substr(from, end - from));
        if (end < text.size()) all += '\n';
        from = end + 1;
    }
    return all;
}

std::string markdown_safe(std::string_view text) {
    std::string out;
    bool is_blank = true, begins_with_bracket = false;  // this line, so far
    for (const char c : text) {
        if (c == '\n') {
            is_blank = true;
            begins_with_bracket = false;
        } else if (is_blank && c != ' ') {
            is_blank = false;
            begins_with_bracket = c == '[';
        }
        // A link or an image, or a line that gives one its address; our pages have none.
        if (out.ends_with(']') && (c == '(' || (c == ':' && begins_with_bracket))) out += '\\';
        out += c == '<' ? std::string("&lt;") : std::string(1, c);
    }
    return out;
}

std::string wrap(std::string_view text, int columns) {
    std::string out;
    int used = 0;
    while (!text.empty()) {
        // A chunk is a word together with the words that a number in front, or a pair of backquotes around
        // them, binds to it.
        std::size_t end = 0;
        bool quoted = false;
        while (true) {
            const std::size_t begin = end;
            end = text.find(' ', begin);
            if (end == std::string_view::npos) {
                end = text.size();
                break;
            }
            const std::string_view word = text.substr(begin, end - begin);
            const std::string_view after = text.substr(end + 1);
            if (std::count(word.begin(), word.end(), '`') % 2 == 1) quoted = !quoted;
            const bool goes_on = quoted && after.find('`') != std::string_view::npos;
            if (!goes_on && (!binds(word) || after.starts_with('(')) && !after.starts_with("%")) break;
            ++end;
        }
        const std::string_view chunk = text.substr(0, end);
        const int width = display_width(chunk);
        if (used > 0 && used + 1 + width > columns) {
            out += '\n';
            used = 0;
        }
        if (used > 0) {
            out += ' ';
            ++used;
        }
        if (width > columns && is_assignment(chunk)) {
            for (std::size_t from = 0; from < chunk.size();) {
                const std::size_t to = std::min(chunk.find(',', from), chunk.size() - 1) + 1;
                const std::string_view part = chunk.substr(from, to - from);
                if (used > 0 && from > 0 && used + display_width(part) > columns) {
                    out += '\n';
                    used = 0;
                }
                out += part;
                used += display_width(part);
                from = to;
            }
        } else {
            out += chunk;
            used += width;
        }
        text.remove_prefix(end);
        while (text.starts_with(' ')) text.remove_prefix(1);
    }
    return out;
}

std::vector<std::string> fold(std::string_view text, int columns) {
    std::vector<std::string> lines;
    columns = std::max(1, columns);
    while (display_width(text) > columns) {
        // The last places within the width: a space (in front of it), behind what separates parts, a space
        // that binds two words, behind any other mark, and the last of all.
        std::size_t space = 0, part = 0, bound = 0, mark = 0, last = 0, at = 0, word = 0;
        int used = 0;
        while (at < text.size()) {
            const CodePoint point = next_code_point(text.substr(at));
            const bool is_space = point.value == U' ';
            const bool is_bound = binds(text.substr(word, at - word)) || text.substr(at).starts_with(" %");
            if (is_space && at > 0) (is_bound ? bound : space) = at;
            if (is_space) word = at + 1;
            if (used + width_of(point.value) > columns) break;
            used += width_of(point.value);
            at += point.bytes;
            last = at;
            if (point.value == U',' || point.value == U';') part = at;
            if (breaks_behind(point.value)) mark = at;
        }
        std::size_t end = space > 0 ? space : part > 0 ? part : bound > 0 ? bound : mark > 0 ? mark : last;
        if (end == 0) end = next_code_point(text).bytes;  // wider than the line is
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(end);
        while (text.starts_with(' ')) text.remove_prefix(1);
    }
    if (!text.empty() || lines.empty()) lines.emplace_back(text);
    return lines;
}

int widest_chunk(std::string_view text) {
    int widest = 0;
    const std::string chunks = wrap(text, 1);
    for (std::size_t begin = 0; begin < chunks.size();) {
        const std::size_t end = std::min(chunks.find('\n', begin), chunks.size());
        widest = std::max(widest, display_width(std::string_view(chunks).substr(begin, end - begin)));
        begin = end + 1;
    }
    return widest;
}

int prose_width() {
    return std::min(kProse, page_width());
}

std::string list_item(std::string_view text, int columns) {
    std::string item = "- ";
    for (const char c : wrap(text, columns - 2)) {
        item += c;
        if (c == '\n') item += "  ";
    }
    return item + "\n";
}

std::string numbered_item(std::size_t number, std::string_view text, int columns) {
    const std::string mark = std::to_string(number) + ". ";
    std::string out = mark;
    for (const char c : wrap(text, columns - static_cast<int>(mark.size()))) {
        out += c;
        if (c == '\n') out.append(mark.size(), ' ');
    }
    return out + "\n";
}

}  // namespace rooftune
