// What of an SVG document lies outside its page: texts by the estimate of their width, and the corners of all
// else. Reads what SvgCanvas writes, and no other SVG.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tuner/chart/svg_canvas.h"

namespace rooftune::test {

/// An attribute of a tag; empty where it has none.
inline std::string attribute_of(std::string_view tag, std::string_view name) {
    const std::string begin = " " + std::string(name) + "=\"";
    const std::size_t at = tag.find(begin);
    if (at == std::string_view::npos) return "";
    const std::size_t from = at + begin.size();
    return std::string(tag.substr(from, tag.find('"', from) - from));
}

inline std::vector<double> numbers_in(const std::string& text) {
    std::vector<double> all;
    for (const char* at = text.c_str(); *at != '\0';) {
        char* end = nullptr;
        const double value = std::strtod(at, &end);
        if (end == at) {
            ++at;
        } else {
            all.push_back(value);
            at = end;
        }
    }
    return all;
}

inline std::string unescaped(std::string text) {
    for (const auto& [entity, letter] : std::array<std::pair<const char*, const char*>, 5>{
             {{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}}}) {
        const std::string from = entity;
        for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; ++at)
            text.replace(at, from.size(), letter);
    }
    return text;
}

/// The points that a path passes through or is bent by; every command that the drawings use.
inline std::vector<PixelPoint> points_of_path(const std::string& data) {
    std::vector<PixelPoint> points;
    PixelPoint at, start;
    for (std::size_t i = 0; i < data.size();) {
        const char command = data[i++];
        std::size_t end = i;
        while (end < data.size() &&
               (std::isalpha(static_cast<unsigned char>(data[end])) == 0 || data[end] == 'e'))
            ++end;
        // A sign begins a number, without a blank before it.
        std::string spaced;
        for (const char c : data.substr(i, end - i))
            spaced += c == '-' ? std::string(" -") : std::string(1, c);
        const std::vector<double> values = numbers_in(spaced);
        i = end;
        const char kind = static_cast<char>(std::toupper(static_cast<unsigned char>(command)));
        const bool relative = kind != command;
        const std::size_t each = kind == 'H' || kind == 'V' ? 1 : kind == 'A' ? 7 : kind == 'C' ? 6 : 2;
        if (kind == 'Z') at = start;
        for (std::size_t v = 0; v + each <= values.size(); v += each) {
            const PixelPoint from = relative ? at : PixelPoint{};
            if (kind == 'H') {
                at.x = from.x + values[v];
            } else if (kind == 'V') {
                at.y = from.y + values[v];
            } else {
                for (std::size_t c = 0; kind == 'C' && c < 4; c += 2)
                    points.push_back({from.x + values[v + c], from.y + values[v + c + 1]});
                at = {from.x + values[v + each - 2], from.y + values[v + each - 1]};
            }
            if (kind == 'M' && v == 0) start = at;
            points.push_back(at);
        }
    }
    return points;
}

/// The corners of what a tag draws; nothing for what draws nothing. `content` is that of a text.
inline std::vector<PixelPoint> corners_of(const std::string& name, const std::string& tag,
                                          const std::string& content) {
    const auto number = [&](const char* key) { return std::atof(attribute_of(tag, key).c_str()); };
    if (name == "line") return {{number("x1"), number("y1")}, {number("x2"), number("y2")}};
    if (name == "rect")
        return {{number("x"), number("y")}, {number("x") + number("width"), number("y") + number("height")}};
    if (name == "circle") {
        const double r = number("r");
        return {{number("cx") - r, number("cy") - r}, {number("cx") + r, number("cy") + r}};
    }
    std::vector<PixelPoint> points;
    if (name == "polyline" || name == "polygon") {
        const std::vector<double> values = numbers_in(attribute_of(tag, "points"));
        for (std::size_t i = 0; i + 1 < values.size(); i += 2) points.push_back({values[i], values[i + 1]});
    } else if (name == "path") {
        const std::vector<double> moved = numbers_in(attribute_of(tag, "transform"));
        points = points_of_path(attribute_of(tag, "d"));
        for (PixelPoint& p : points) p = {p.x + moved.at(0), p.y + moved.at(1)};
    } else if (name == "text") {
        const std::string anchor = attribute_of(tag, "text-anchor");
        const std::vector<double> turn = numbers_in(attribute_of(tag, "transform"));
        const TextStyle style{number("font-size"), "", !attribute_of(tag, "font-weight").empty()};
        const SlantedBox box = text_box(number("x"), number("y"), unescaped(content),
                                        anchor == "end"      ? Anchor::end
                                        : anchor == "middle" ? Anchor::middle
                                                             : Anchor::start,
                                        style, turn.empty() ? 0.0 : -turn.front());
        points.assign(box.corners().begin(), box.corners().end());
    }
    return points;
}

/// Each text and mark that leaves the page of the drawing that it is in; `document` may hold several
/// drawings, as a page does.
inline std::vector<std::string> outside_page(const std::string& document) {
    constexpr double kRounding = 0.11;  // of coordinates, which have one decimal
    std::vector<std::string> faults;
    std::vector<double> page;
    bool drawing = false;
    for (std::size_t at = document.find('<'); at != std::string::npos; at = document.find('<', at + 1)) {
        const std::size_t end = document.find('>', at);
        if (end == std::string::npos) break;
        const std::string tag = document.substr(at, end - at);
        const std::string name = tag.substr(1, tag.find_first_of(" \n/", 1) - 1);
        if (name == "svg") {
            page = numbers_in(attribute_of(tag, "viewBox"));
            drawing = page.size() == 4;
        }
        if (tag == "</svg") drawing = false;
        if (!drawing) continue;
        std::string content;
        if (name == "text") {
            content = document.substr(end + 1, document.find("</text>", end) - end - 1);
            if (content.starts_with("<title>")) content = content.substr(content.find("</title>") + 8);
        }
        for (const PixelPoint& p : corners_of(name, tag, content)) {
            if (p.x >= page[0] - kRounding && p.x <= page[0] + page[2] + kRounding &&
                p.y >= page[1] - kRounding && p.y <= page[1] + page[3] + kRounding)
                continue;
            std::ostringstream fault;
            fault << name << " at " << p.x << " " << p.y << " of " << page[2] << " x " << page[3] << ": "
                  << (content.empty() ? tag : content);
            faults.push_back(fault.str());
            break;
        }
    }
    return faults;
}

inline std::string first_outside(const std::string& document) {
    const std::vector<std::string> faults = outside_page(document);
    return faults.empty() ? "" : faults.front();
}

}  // namespace rooftune::test
