#include "tuner/config/json_values.h"

#include <cmath>
#include <nlohmann/json.hpp>

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

Json interval_json(const TimeInterval& t) {
    return {{"median", finite_or_null(t.median)},
            {"low", finite_or_null(t.low)},
            {"high", finite_or_null(t.high)},
            {"min", finite_or_null(t.min)},
            {"slots", t.slots}};
}

}  // namespace rooftune
