#include "tuner/measure/pace_note.h"

#include <cstdio>

#include "tuner/measure/statistics.h"

namespace rooftune {

std::string pace_note(double seconds) {
    char text[60];
    std::snprintf(text, sizeof text, "pace %.6g s", seconds);
    return seconds > 0.0 ? text : "";
}

std::string rotation_note(std::span<const Record> rotation, std::size_t place) {
    std::string note = "place " + std::to_string(place) + " of " + std::to_string(rotation.size());
    const TimeInterval own = interval_of(rotation[place].slots);
    const TimeInterval ratio = ratio_interval(rotation[place].slots, rotation.front().slots);
    if (!(own.median > 0.0) || !(ratio.median > 0.0)) return note;
    char text[60];
    std::snprintf(text, sizeof text, ", the first %.6g s", own.median / ratio.median);
    return note + text;
}

double noted_pace(const Record& record) {
    double pace = 0.0;
    const char* note = record.detail.c_str();
    const bool noted =
        std::sscanf(note, "pace %lf s", &pace) == 1 ||
        (record.role == "heat" && std::sscanf(note, "place %*u of %*u, the first %lf s", &pace) == 1);
    return noted && pace > 0.0 ? pace : 0.0;
}

std::optional<std::size_t> noted_place(const Record& record) {
    std::size_t place = 0, of = 0;
    if (std::sscanf(record.detail.c_str(), "place %zu of %zu", &place, &of) != 2) return std::nullopt;
    return place;
}

}  // namespace rooftune
