#include "tuner/formats/json_values.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "tuner/formats/fields.h"

namespace rooftune {

Json finite_or_null(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json positive_or_null(double value) {
    return std::isfinite(value) && value > 0.0 ? Json(value) : Json(nullptr);
}

Json text_or_null(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

void fields(Fields& f, TimeInterval& t) {
    f("median", t.median);
    f("low", t.low, 0.0, t.median);
    f("high", t.high, t.median);
    f("min", t.min);
    f("slots", t.slots);
}

Json interval_json(const TimeInterval& t) {
    Json json;
    write_fields(json, t);
    return json;
}

}  // namespace rooftune
