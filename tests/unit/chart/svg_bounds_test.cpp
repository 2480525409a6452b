// The judge of what leaves a page, by planted drawings, and every drawing that is kept in the tree.
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "tests/support/catch.h"
#include "tests/unit/chart/svg_check.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

constexpr double kWide = 200.0, kHigh = 100.0;

std::string page_with(const std::function<void(SvgCanvas&)>& draw) {
    SvgCanvas canvas;
    draw(canvas);
    return canvas.finish(kWide, kHigh, "title", "description", "");
}

}  // namespace

TEST_CASE("what lies within the page is no fault") {
    CHECK(first_outside(page_with([](SvgCanvas& c) {
              c.line(0, 0, kWide, kHigh, "class=\"grid\"");
              c.rectangle(10, 10, 180, 80, "class=\"frame\"");
              c.circle(100, 50, 50, "class=\"fill\"", "a tooltip that is longer than the page is wide");
              c.path(100, 50, "M0-9.5 2.6-3.1 9.4-2.6 4.2 1.9 5.8 8.6 0 5-5.8 8.6-4.2 1.9-9.4-2.6-2.6-3.1Z",
                     "");
              c.path(0, 0, "M10.0 10.0L190.0 90.0", "");
              c.polyline({{0, 0}, {200, 100}}, false, "");
              c.text(195, 50, "to the left", Anchor::end, {12.0});
              c.text(10, 90, "upwards", Anchor::start, {12.0}, 90.0);
              c.text_within(190, 5, 20, "cut, whatever its length, and also where its letters are bold",
                            Anchor::start, {17.0, "", true});
          })) == "");
}

TEST_CASE("each kind of mark and text that leaves the page is found") {
    const std::vector<std::function<void(SvgCanvas&)>> planted{
        [](SvgCanvas& c) { c.line(0, 0, kWide + 1, 5, ""); },
        [](SvgCanvas& c) { c.rectangle(150, 10, 51, 5, ""); },
        [](SvgCanvas& c) { c.circle(100, 96, 5, ""); },
        [](SvgCanvas& c) { c.path(195, 50, "M-5-5H6V5H-5Z", ""); },
        [](SvgCanvas& c) { c.path(0, 0, "M10.0 10.0L190.0 101.0", ""); },
        [](SvgCanvas& c) {
            c.polyline({{0, 0}, {100, -2}}, true, "");
        },
        [](SvgCanvas& c) { c.text(150, 50, "beyond the right edge", Anchor::start, {12.0}); },
        [](SvgCanvas& c) { c.text(30, 50, "beyond the left edge", Anchor::end, {12.0}); },
        [](SvgCanvas& c) { c.text(10, 20, "upwards, out at the top", Anchor::start, {12.0}, 90.0); },
        [](SvgCanvas& c) {
            c.text(100, 50, "a &amp; <sign> of an escaped text, half out", Anchor::middle, {12.0});
        },
        [](SvgCanvas& c) { c.text(10, 99, "descends", Anchor::start, {12.0}); }};
    for (std::size_t i = 0; i < planted.size(); ++i) {
        INFO(i);
        CHECK(outside_page(page_with(planted[i])).size() == 1);
    }
}

TEST_CASE("a path's commands, absolute and relative") {
    const auto last = [](const std::string& data) { return points_of_path(data).back(); };
    CHECK(last("M1 2h3v4").x == 4.0);
    CHECK(last("M1 2h3v4").y == 6.0);
    CHECK(last("M1 2H3V4").x == 3.0);
    CHECK(last("M1 2l3-4").y == -2.0);
    CHECK(last("M0 0A5 5 0 1 0 7 8").x == 7.0);
    CHECK(points_of_path("M1 1C2 3 4 5 6 7Z").size() == 4);
    CHECK(last("M1 1L5 5Zl1 0").x == 2.0);
}

TEST_CASE("no drawing that is kept in the tree has anything outside its page") {
    std::size_t seen = 0;
    for (const char* folder : {"tests/golden", "results", "docs"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            if (entry.path().extension() != ".svg" ||
                entry.path().string().find("results/local") != std::string::npos)
                continue;
            INFO(entry.path().string());
            std::ostringstream text;
            text << std::ifstream(entry.path()).rdbuf();
            CHECK(first_outside(text.str()) == "");
            ++seen;
        }
    }
    CHECK(seen > 1);
}
