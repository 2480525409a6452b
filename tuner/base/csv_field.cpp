#include "tuner/base/csv_field.h"

#include <charconv>
#include <cmath>

namespace rooftune {
namespace {

// What a spreadsheet could run a program or fetch something by. Compiler flags begin with a minus, too;
// without calls, pipes and other sheets they do no harm, and programs read them here.
bool is_formula(const std::string& text) {
    if (text.empty()) return false;
    switch (text[0]) {
        case '=':
        case '@':
        case '\t':
        case '\r':
            return true;
        case '+':
        case '-':
            return text.find_first_of("(|!@") != std::string::npos;
        default:
            return false;
    }
}

}  // namespace

std::string csv_field(const std::string& text) {
    const std::string shown = is_formula(text) ? "'" + text : text;
    if (shown.find_first_of(",\"\r\n") == std::string::npos) return shown;
    std::string quoted = "\"";
    for (const char c : shown) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + "\"";
}

std::string csv_field(double value) {
    if (std::isnan(value)) return "nan";
    char digits[32];
    return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

}  // namespace rooftune
