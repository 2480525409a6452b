#include "tuner/report/html.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "tuner/chart/plot_style.h"
#include "tuner/report/assets.h"
#include "tuner/report/html_text.h"
#include "tuner/report/tooltips.h"

namespace rooftune::page {
namespace {

// No address is allowed but what is in the file: a page that tried to load anything would be stopped.
constexpr std::string_view kPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

std::string heading(int level, std::string_view text) {
    return fmt::format("<h{0}>{1}</h{0}>\n", level, html_escaped(text));
}

std::string cell_html(const TableCell& cell, Align align) {
    constexpr std::size_t kLong = 60;  // characters that deserve a wide column
    const char* look = align == Align::right      ? " class=\"num\""
                       : cell.text.size() > kLong ? " class=\"long\""
                                                  : "";
    const std::string key = std::isfinite(cell.key) ? fmt::format(" data-key=\"{}\"", cell.key) : "";
    return fmt::format("<td{}{}>{}</td>", look, key, html_escaped(cell.text));
}

std::string table_html(const DataTable& data) {
    const std::vector<Column>& columns = data.table.columns();
    std::string html = fmt::format(
        "<div class=\"table\"><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\">"
        "<table><caption>{0}</caption>\n<thead><tr>",
        html_escaped(data.caption));
    for (const Column& column : columns)
        html +=
            fmt::format("<th scope=\"col\"{}>{}</th>", column.align == Align::right ? " class=\"num\"" : "",
                        html_escaped(column.header));
    html += "</tr></thead>\n<tbody>\n";
    const auto& rows = data.table.rows();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        html += "<tr" + (i < data.tags.size() ? tag_attributes(data.tags[i]) : std::string()) + ">";
        for (std::size_t c = 0; c < columns.size(); ++c) html += cell_html(rows[i][c], columns[c].align);
        html += "</tr>\n";
    }
    html += "</tbody></table></div></div>\n";
    if (data.fold.empty()) return html;
    return fmt::format("<details class=\"fold\"><summary>{}</summary>\n{}</details>\n",
                       html_escaped(data.fold), html);
}

struct BlockHtml {
    Tooltips& tooltips;

    std::string operator()(const Paragraph& p) const {
        return "<p>" + tooltips.added(inline_html(p.text)) + "</p>\n";
    }
    std::string operator()(const List& list) const {
        const char* name = list.numbered ? "ol" : "ul";
        std::string html = fmt::format("<{}>\n", name);
        for (const std::string& item : list.items)
            html += "<li>" + tooltips.added(inline_html(item)) + "</li>\n";
        return html + fmt::format("</{}>\n", name);
    }
    std::string operator()(const DataTable& data) const { return table_html(data); }
    std::string operator()(const Figure& figure) const { return figure.html + "\n"; }
};

std::string section_html(const Section& section, int level, Tooltips& tooltips) {
    std::string html =
        fmt::format("<section id=\"{}\">\n", html_escaped(section.id)) + heading(level, section.title);
    for (const Block& block : section.blocks) html += std::visit(BlockHtml{tooltips}, block);
    return html + "</section>\n";
}

std::string chapter_html(const Chapter& chapter, bool folds, Tooltips& tooltips) {
    std::string inside;
    if (!chapter.subtitle.empty()) inside = "<p class=\"sub\">" + html_escaped(chapter.subtitle) + "</p>\n";
    for (const Section& section : chapter.sections) inside += section_html(section, 3, tooltips);
    const std::string head = heading(2, chapter.title);
    return fmt::format("<article id=\"{}\"{}>\n", html_escaped(chapter.id), tag_attributes(chapter.tag)) +
           (folds ? "<details class=\"chapter\" open><summary>" + head + "</summary>\n" + inside +
                        "</details>\n"
                  : head + inside) +
           "</article>\n";
}

std::string link(const std::string& id, const std::string& text) {
    return fmt::format("<a href=\"#{}\">{}</a>\n", html_escaped(id), html_escaped(text));
}

std::string navigation(const Document& document) {
    std::string html = "<nav aria-label=\"Sections\">\n";
    for (const Section& section : document.overview) html += link(section.id, section.title);
    for (const Chapter& chapter : document.chapters) html += link(chapter.id, chapter.title);
    for (const Section& section : document.background) html += link(section.id, section.title);
    return html + "</nav>\n";
}

}  // namespace

std::string html_of(const Document& document) {
    std::string html = fmt::format(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<link rel=\"icon\" "
        "href=\"data:,\">\n",
        kPolicy, html_escaped(document.title));
    html += fmt::format("<style>\n{}{}</style>\n</head>\n<body>\n", report_css(), plot_style::css());
    html += "<header>\n" + heading(1, document.title);
    if (!document.subtitle.empty()) html += "<p class=\"sub\">" + html_escaped(document.subtitle) + "</p>\n";
    html += navigation(document) + "</header>\n<main>\n";
    Tooltips tooltips;
    for (const Section& section : document.overview) html += section_html(section, 2, tooltips);
    for (const Chapter& chapter : document.chapters)
        html += chapter_html(chapter, document.chapters.size() > 1, tooltips);
    for (const Section& section : document.background) html += section_html(section, 2, tooltips);
    html += fmt::format("</main>\n<script>\n{}</script>\n</body>\n</html>\n", report_js());
    return html;
}

}  // namespace rooftune::page
