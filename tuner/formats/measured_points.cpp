#include "tuner/formats/measured_points.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tuner/formats/strict_json.h"

namespace rooftune {
namespace {

constexpr double kMostAmount = 1e30;
constexpr double kMostSeconds = 1e12;

Json point_to_json(const MeasuredPoint& p) {
    Json types = Json::object();
    for (const auto& [type, count] : p.flops_by_type) types[type] = count;
    return {{"name", p.name},
            {"seconds", p.seconds},
            {"flops", p.flops},
            {"bytes", p.bytes},
            {"flops_by_type", types},
            {"launches", p.launches},
            {"intensity", p.intensity()},
            {"flops_per_second", p.flops_per_second()},
            {"note", p.note}};
}

MeasuredPoint read_point(StrictObject& o) {
    MeasuredPoint p;
    p.name = o.text("name");
    p.seconds = o.number("seconds", 0.0, kMostSeconds);
    p.flops = o.number("flops", 0.0, kMostAmount);
    p.bytes = o.number("bytes", 0.0, kMostAmount);
    p.flops_by_type = o.number_map("flops_by_type");
    p.launches = o.small("launches", 1);
    p.note = o.text("note");
    // Derived from the others: for readers that only look.
    o.number_or("intensity", 0.0);
    o.number_or("flops_per_second", 0.0);
    o.finish();
    return p;
}

}  // namespace

void sort_by_time(MeasuredPoints& points) {
    std::stable_sort(points.points.begin(), points.points.end(),
                     [](const MeasuredPoint& a, const MeasuredPoint& b) { return a.seconds > b.seconds; });
}

std::string points_to_json(const MeasuredPoints& points) {
    Json list = Json::array();
    for (const MeasuredPoint& p : points.points) list.push_back(point_to_json(p));
    const Json document{
        {"schema", kPointsSchema}, {"tool", points.tool}, {"file", points.file}, {"points", std::move(list)}};
    return document.dump(1) + "\n";
}

MeasuredPoints read_points_file(const std::string& path) {
    const Json document = read_json_file(path);
    StrictObject o(document, path);
    o.schema(kPointsSchema);
    MeasuredPoints points;
    points.tool = o.text("tool");
    points.file = o.text("file");
    for (StrictObject& entry : o.objects("points")) points.points.push_back(read_point(entry));
    o.finish();
    return points;
}

}  // namespace rooftune
