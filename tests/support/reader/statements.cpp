#include "tests/support/reader/statements.h"

#include <algorithm>
#include <regex>
#include <sstream>

namespace rooftune::test {
namespace {

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string one_spaced(const std::string& text) {
    std::string out;
    for (const char c : text) {
        const bool space = c == ' ' || c == '\t' || c == '\r' || c == '\n';
        if (!space) out += c;
        if (space && !out.empty() && out.back() != ' ') out += ' ';
    }
    return trimmed(out);
}

// A variant as a command line takes it is one word, and a line may end behind a comma of it.
bool inside_assignment(const std::string& text) {
    const std::size_t word = text.find_last_of(' ') + 1;
    return text.ends_with(',') && text.find('=', word) != std::string::npos;
}

std::vector<std::string> cells_of(const std::string& row) {
    std::vector<std::string> cells(1);
    for (std::size_t i = 1; i < row.size(); ++i) {
        if (row[i] == '\\' && i + 1 < row.size() && row[i + 1] == '|') {
            cells.back() += row[++i];
        } else if (row[i] == '|') {
            cells.emplace_back();
        } else {
            cells.back() += row[i];
        }
    }
    if (trimmed(cells.back()).empty()) cells.pop_back();
    for (std::string& cell : cells) cell = one_spaced(cell);
    return cells;
}

bool is_rule(const std::string& row) {
    return row.find_first_not_of("|-: ") == std::string::npos;
}

// How a line begins: its indentation, and whether a mark or a label stands there, under whose text later
// lines hang: "- one", "2. two", "Winner   SELL". A verdict in capitals has its details below and not under
// its text.
struct Beginning {
    std::size_t indent = 0;
    bool mark = false, hangs = false;
};

Beginning beginning_of(const std::string& line) {
    static const std::regex mark(R"(^ *(?:[-*#$]|[0-9]+\. |[A-Z][A-Za-z_]*  ).*)"),
        verdict(R"(^[A-Z][A-Z ]*  .*)");
    Beginning b;
    b.indent = std::min(line.find_first_not_of(' '), line.size());
    b.mark = std::regex_match(line, mark);
    b.hangs = b.mark && !std::regex_match(line, verdict);
    return b;
}

// Whether a line goes on with what the paragraph says that began so.
bool goes_on(const Beginning& line, const Beginning& paragraph) {
    if (line.mark) return false;
    if (paragraph.hangs) return line.indent > paragraph.indent;
    return line.indent == 0 ? paragraph.indent == 0 && !paragraph.mark
                            : paragraph.indent > 0 && line.indent > paragraph.indent;
}

// Sentences end at a full stop before a capital; a stop within a number or a name is none.
void add_sentences(const std::string& paragraph, std::vector<Statement>& out) {
    const std::string text = one_spaced(paragraph);
    std::size_t from = 0;
    for (std::size_t i = 0; i + 2 < text.size(); ++i) {
        const bool stop = text[i] == '.' && text[i + 1] == ' ' && text[i + 2] >= 'A' && text[i + 2] <= 'Z';
        if (!stop) continue;
        out.push_back({text.substr(from, i + 1 - from)});
        from = i + 2;
    }
    if (from < text.size()) out.push_back({text.substr(from)});
}

std::string unescaped(std::string text) {
    const std::pair<const char*, const char*> entities[] = {{"&lt;", "<"},  {"&gt;", ">"},   {"&quot;", "\""},
                                                            {"&#39;", "'"}, {"&nbsp;", " "}, {"&amp;", "&"}};
    for (const auto& [entity, character] : entities) {
        const std::string name = entity;
        for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; ++at)
            text.replace(at, name.size(), character);
    }
    return text;
}

// Without its tags; `line` says what ends a line, `bar` what ends a cell.
template <typename Ends>
std::string without_tags(const std::string& text, const Ends& put_for) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '<') {
            out += text[i] == '\n' ? ' ' : text[i];
            continue;
        }
        const std::size_t end = std::min(text.find('>', i), text.size() - 1);
        const std::string tag = text.substr(i + 1, end - i - 1);
        out += put_for(tag.substr(0, tag.find_first_of(" \t\n")));
        i = end;
    }
    return unescaped(out);
}

// Of the elements of these names with all that is in them; what is not ended ends with the text.
std::string without_elements(std::string text, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        for (std::size_t at = 0; (at = text.find("<" + name, at)) != std::string::npos;) {
            const std::string end = "</" + name + ">";
            const std::size_t behind = text.find(end, at);
            text.erase(at, behind == std::string::npos ? std::string::npos : behind + end.size() - at);
        }
    }
    return text;
}

}  // namespace

std::vector<Statement> statements(const std::string& text) {
    std::vector<Statement> out;
    std::vector<std::string> columns;
    std::string paragraph;
    Beginning begun;
    int table = 0;
    const auto end_paragraph = [&] {
        add_sentences(paragraph, out);
        paragraph.clear();
    };
    // Markdown pages spell what HTML would take for its own.
    std::istringstream lines(unescaped(text));
    for (std::string line; std::getline(lines, line);) {
        const std::string bare = trimmed(line);
        if (bare.empty() || bare.front() != '|') columns.clear();
        if (bare.empty()) {
            end_paragraph();
        } else if (bare.front() == '|') {
            end_paragraph();
            if (is_rule(bare)) continue;
            std::vector<std::string> cells = cells_of(bare);
            if (columns.empty()) {
                columns = cells;
                ++table;
            }
            out.push_back({one_spaced(bare), columns, std::move(cells), table});
        } else {
            const Beginning beginning = beginning_of(line);
            if (paragraph.empty() || !goes_on(beginning, begun)) {
                end_paragraph();
                begun = beginning;
            }
            paragraph += (paragraph.empty() || inside_assignment(paragraph) ? "" : " ") + bare;
        }
    }
    end_paragraph();
    return out;
}

std::string text_of_svg(const std::string& svg) {
    std::string out, before;
    for (std::size_t at = 0; (at = svg.find('<', at)) != std::string::npos;) {
        const std::size_t end = std::min(svg.find('>', at), svg.size());
        const std::string tag = svg.substr(at + 1, end - at - 1);
        const std::string name = tag.substr(0, tag.find_first_of(" \t\n/"));
        at = end;
        const bool shows = name == "text" || name == "title" || name == "desc";
        if (shows) {
            at = std::min(svg.find("</" + name + ">", end), svg.size());
            const bool is_tick = name == "text" && before.starts_with("line ") &&
                                 before.find("class=\"grid\"") != std::string::npos;
            out += (is_tick ? "tick: " : "") +
                   without_tags(svg.substr(end + 1, at - end - 1),
                                [](const std::string& inner) { return inner == "/title" ? "\n\n" : ""; }) +
                   "\n\n";
            at += name.size() + 2;
        }
        if (!tag.starts_with('/') && name != "title") before = tag;
    }
    return out;
}

std::string text_of_html(const std::string& html) {
    std::string text = without_elements(html, {"script", "style"}), drawings;
    for (std::size_t at = 0; (at = text.find("<svg", at)) != std::string::npos;) {
        const std::size_t end = std::min(text.find("</svg>", at), text.size());
        drawings += text_of_svg(text.substr(at, end - at));
        text.erase(at, end - at);
    }
    return without_tags(text,
                        [](const std::string& name) -> std::string {
                            if (name == "tr") return "\n| ";
                            if (name == "/td" || name == "/th") return " | ";
                            if (name == "br" || name == "br/") return "\n";
                            if (name == "/tr") return "";
                            const bool inner = name == "b" || name == "/b" || name == "a" || name == "/a" ||
                                               name == "code" || name == "/code" || name == "em" ||
                                               name == "/em" || name == "span" || name == "/span" ||
                                               name == "strong" || name == "/strong" || name == "td" ||
                                               name == "thead" || name == "button" || name == "/button" ||
                                               name == "/thead" || name == "tbody" || name == "/tbody" ||
                                               name == "th" || name == "abbr" || name == "/abbr";
                            return inner ? "" : "\n\n";
                        }) +
           "\n\n" + drawings;
}

std::string quoted(const std::string& text) {
    static const std::regex special(R"([\[\](){}.*+?^$|\\])");
    return std::regex_replace(text, special, R"(\$&)");
}

}  // namespace rooftune::test
