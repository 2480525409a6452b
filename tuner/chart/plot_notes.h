// Where the texts beside points stand: near their points, apart from each other and from every text that is
// there already, within the frame.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "tuner/chart/label_layout.h"

namespace rooftune {

/// A text to be placed: its size, the point that it belongs to, and how far from that its marker reaches.
struct NoteRequest {
    double width = 0.0, height = 0.0;
    PixelPoint at;
    double clear = 8.0;
    double farthest = 150.0;  ///< pixels from the point to the nearest edge of the text
    bool needed = true;       ///< written even where it covers a marker
};

/// What stands around: texts are never covered, markers and lines only where it must be, points seldom.
struct Surroundings {
    Box area;  ///< texts stay within
    Taken texts, markers, points;
    std::vector<std::pair<PixelPoint, PixelPoint>> lines;
};

/// A box for each request in turn, none where no room is left for it. Those placed are added to the texts.
std::vector<std::optional<Box>> place_notes(Surroundings& around, const std::vector<NoteRequest>& requests);

/// From a point to the edge of its text, where it had to go so far that a leader helps.
std::optional<std::pair<PixelPoint, PixelPoint>> leader_of(const NoteRequest& request, const Box& box);

}  // namespace rooftune
