#include "tuner/report/markdown.h"

#include <fmt/format.h>

#include "tuner/base/page_width.h"
#include "tuner/base/si.h"
#include "tuner/base/text_width.h"

namespace rooftune::page {
namespace {

/// The first rows, as many as Markdown is to show.
std::string table_text(const DataTable& data) {
    Table shown(data.table.columns());
    const auto& rows = data.table.rows();
    for (std::size_t i = 0; i < std::min(rows.size(), data.markdown); ++i) shown.add(rows[i]);
    std::string text = markdown_safe(data.caption) + ":\n\n" + markdown_safe(shown.to_text(kWidestPage));
    if (rows.size() > data.markdown)
        text += fmt::format("\n… and {} more.\n", format_plural(rows.size() - data.markdown, "row"));
    return text + "\n";
}

struct BlockText {
    std::string operator()(const Paragraph& p) const { return wrap(markdown_safe(p.text), kProse) + "\n\n"; }
    std::string operator()(const List& list) const {
        std::string text;
        for (std::size_t i = 0; i < list.items.size(); ++i) {
            const std::string item = markdown_safe(list.items[i]);
            text += list.numbered ? numbered_item(i + 1, item, kProse) : list_item(item, kProse);
        }
        return text + "\n";
    }
    std::string operator()(const DataTable& data) const { return table_text(data); }
    std::string operator()(const Figure& figure) const {
        return figure.text.empty() ? "" : wrap(markdown_safe(figure.text), kProse) + "\n\n";
    }
};

std::string markdown_heading(int level, const std::string& text) {
    return std::string(static_cast<std::size_t>(level), '#') + " " + markdown_safe(printable(text)) + "\n\n";
}

std::string section_text(const Section& section, int level) {
    std::string text = markdown_heading(level, section.title);
    for (const Block& block : section.blocks) text += std::visit(BlockText{}, block);
    return text;
}

}  // namespace

std::string markdown_of(const Document& document) {
    std::string text = markdown_heading(1, document.title);
    if (!document.subtitle.empty())
        text += wrap(markdown_safe(printable(document.subtitle)), kProse) + "\n\n";
    for (const Section& section : document.overview) text += section_text(section, 2);
    for (const Chapter& chapter : document.chapters) {
        text += markdown_heading(2, chapter.title);
        if (!chapter.subtitle.empty()) text += wrap(markdown_safe(chapter.subtitle), kProse) + "\n\n";
        for (const Section& section : chapter.sections) text += section_text(section, 3);
    }
    for (const Section& section : document.background) text += section_text(section, 2);
    while (text.ends_with("\n\n")) text.pop_back();
    return text;
}

}  // namespace rooftune::page
