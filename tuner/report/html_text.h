// Text and small pieces of HTML. Everything that is not written in this folder's sources goes through one of
// these, so that no title or path can become markup.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "tuner/report/document.h"

namespace rooftune::page {

/// Text for content and for attributes in double quotes; control characters become spaces.
std::string html_escaped(std::string_view text);

/// The same, with `code` between backticks as <code>; a backtick without a partner stays one.
std::string inline_html(std::string_view text);

/// " data-series=… data-type=…".
std::string tag_attributes(const Tag& tag);

/// One drawing for wide screens and one for phones; the style sheet shows the one that fits. `draw` is given
/// the width in pixels and "wide" or "narrow".
std::string two_widths(const std::function<std::string(double width, const char* which)>& draw);

}  // namespace rooftune::page
