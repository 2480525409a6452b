// The search as it went: what the best so far reached, and what share of the space was excluded by then, over
// evaluations.
#pragma once

#include <string>
#include <vector>

#include "tuner/config/tune_result.h"
#include "tuner/report/svg_canvas.h"

namespace rooftune {

/// A drawing with what a test wants to know of it.
struct CourseDrawing {
    std::string svg;
    std::vector<DrawnText> texts;
    Box page;
    std::vector<Box> panels;  ///< the best; the excluded share
};

/// An element for a page, whose `id` is unique there; `width` in pixels, at least 420. Empty when the result
/// does not hold the course of its search.
CourseDrawing draw_course(const TuneResult& result, double width, const std::string& id);

/// The course in sentences: when the best came, and how soon the space had shrunk. Empty as above.
std::string course_text(const TuneResult& result);

/// Values 0, step, 2·step, … up to `most`, in steps of 1, 2 or 5 times a power of ten, at most `count` of
/// them beside 0. Only 0 where `most` is not positive and finite.
std::vector<double> round_ticks(double most, int count);

}  // namespace rooftune
