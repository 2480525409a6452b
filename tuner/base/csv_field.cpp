#include "tuner/base/csv_field.h"

#include <charconv>
#include <cmath>

namespace rooftune {

std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + "\"";
}

std::string csv_field(double value) {
    if (std::isnan(value)) return "nan";
    char digits[32];
    return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

}  // namespace rooftune
