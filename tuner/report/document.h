// A report as paragraphs, lists, tables and figures, before it is HTML or Markdown: what is said stands in
// sections.h, how it looks in html.h and markdown.h.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tuner/base/table.h"

namespace rooftune::page {

/// What filters of the page go by: the result's place in the report, and its element type.
struct Tag {
    std::size_t series = 0;
    std::string type{};
};

struct Paragraph {
    std::string text;  ///< `code` between backticks
};

struct List {
    std::vector<std::string> items;
    bool numbered = false;
};

struct DataTable {
    std::string caption;
    Table table;
    std::vector<Tag> tags{};      ///< one for each row; empty: rows belong to no result
    std::string fold{};           ///< what stands in its place until it is unfolded; empty: always shown
    std::size_t markdown = 1000;  ///< rows in Markdown, where nothing can be folded; the rest is counted
};

struct Figure {
    std::string html;  ///< drawings and controls, complete and escaped
    std::string text;  ///< in its place in Markdown
};

using Block = std::variant<Paragraph, List, DataTable, Figure>;

struct Section {
    std::string id;  ///< unique on the page; a link may end in it
    std::string title;
    std::vector<Block> blocks{};
};

/// One result.
struct Chapter {
    std::string id, title, subtitle;
    Tag tag{};
    std::vector<Section> sections{};
};

struct Document {
    std::string title, subtitle;
    std::vector<Section> overview{};    ///< of all results together
    std::vector<Chapter> chapters{};    ///< one for each result
    std::vector<Section> background{};  ///< machines and files
};

}  // namespace rooftune::page
