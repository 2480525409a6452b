#include "tuner/chart/plot_notes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rooftune {
namespace {

constexpr double kRoom = 2.0;  // between texts
constexpr double kMarkerCost = 30.0;

/// The box of this size outside a disc about the point, in this direction (radians, upwards from the right).
Box beside(const NoteRequest& request, double angle, double distance) {
    const double c = std::cos(angle), s = std::sin(angle);
    // The box touches the disc with the corner or edge that faces it.
    const double cx = request.at.x + distance * c + 0.5 * request.width * std::clamp(1.8 * c, -1.0, 1.0);
    const double cy = request.at.y - distance * s - 0.5 * request.height * std::clamp(1.8 * s, -1.0, 1.0);
    return {cx - 0.5 * request.width, cy - 0.5 * request.height, request.width, request.height};
}

double cost_of(const Surroundings& around, const Box& box, double distance, double most) {
    double cost = 0.12 * distance;
    if (cost >= most) return cost;
    for (const auto& [a, b] : around.lines) cost += crosses(box, a, b) ? 2.5 : 0.0;
    cost += kMarkerCost * around.markers.covered_by(box);
    // Between two markers it is not clear whose text it is. Its own is among them.
    cost += 2.0 * std::max(0, around.markers.covered_by(box.grown(5.0)) - 1);
    return cost + around.points.covered_by(box);
}

std::optional<Box> place_note(const Surroundings& around, const NoteRequest& request) {
    constexpr int kDirections = 24;
    constexpr double kStep = 3.0;
    std::optional<Box> best;
    double best_cost = request.needed ? INFINITY : kMarkerCost;
    for (double distance = request.clear; distance <= request.farthest; distance += kStep) {
        if (0.12 * (distance - request.clear) >= best_cost) break;
        for (int i = 0; i < kDirections; ++i) {
            const double angle = 2.0 * std::numbers::pi * i / kDirections;
            const Box box = beside(request, angle, distance);
            if (!box.grown(kRoom).within(around.area)) continue;
            if (around.texts.covered_by(box.grown(kRoom)) > 0) continue;
            const double cost = cost_of(around, box, distance - request.clear, best_cost);
            if (cost < best_cost) {
                best_cost = cost;
                best = box;
            }
        }
    }
    return best;
}

}  // namespace

std::vector<std::optional<Box>> place_notes(Surroundings& around, const std::vector<NoteRequest>& requests) {
    std::vector<std::optional<Box>> boxes;
    for (const NoteRequest& request : requests) {
        boxes.push_back(place_note(around, request));
        if (boxes.back()) around.texts.add(*boxes.back());
    }
    return boxes;
}

std::optional<std::pair<PixelPoint, PixelPoint>> leader_of(const NoteRequest& request, const Box& box) {
    constexpr double kFar = 8.0;
    const PixelPoint edge{std::clamp(request.at.x, box.left, box.left + box.width),
                          std::clamp(request.at.y, box.top, box.top + box.height)};
    const double distance = std::hypot(edge.x - request.at.x, edge.y - request.at.y);
    if (distance < request.clear + kFar) return std::nullopt;
    const double share = std::max(0.0, request.clear - 3.0) / distance;
    const PixelPoint start{request.at.x + share * (edge.x - request.at.x),
                           request.at.y + share * (edge.y - request.at.y)};
    return std::pair(start, edge);
}

}  // namespace rooftune
