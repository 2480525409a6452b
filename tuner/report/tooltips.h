// Words of the glossary explained where a page first uses them.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace rooftune::page {

/// Of one page.
class Tooltips {
public:
    /// Content as HTML in which the first of each word on the page (in text, not in code nor in a tag) has
    /// its meaning as a tooltip.
    std::string added(std::string_view html);

private:
    std::set<std::string_view> explained_;
};

}  // namespace rooftune::page
