#include "tuner/base/quantity.h"

#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include "kernels/runtime/error.h"

namespace rooftune {
namespace {

struct Multiple {
    std::string_view text;
    double factor;
    bool binary;
};

// Two letters before one, so that "Gi" is not read as "G".
constexpr std::array<Multiple, 13> kMultiples{{{"Ki", 1024.0, true},
                                               {"Mi", 1048576.0, true},
                                               {"Gi", 1073741824.0, true},
                                               {"Ti", 1099511627776.0, true},
                                               {"Pi", 1125899906842624.0, true},
                                               {"k", 1e3, false},
                                               {"K", 1e3, false},
                                               {"M", 1e6, false},
                                               {"G", 1e9, false},
                                               {"T", 1e12, false},
                                               {"P", 1e15, false},
                                               {"E", 1e18, false},
                                               {"", 1.0, false}}};

std::vector<std::string_view> spellings(std::string_view unit) {
    if (unit == "byte/s") return {"", "B/s", "byte/s", "bytes/s"};
    if (unit == "byte") return {"", "B", "byte", "bytes"};
    if (unit == "op/s") return {"", "op/s", "Op/s", "ops/s"};
    return {"", "flop/s", "Flop/s", "flops/s"};
}

std::string example(std::string_view unit) {
    if (unit == "byte/s") return "8.1e11 or 810GB/s";
    if (unit == "byte") return "1.6e10 or 16GB";
    if (unit == "op/s") return "3.94e14 or 394Top/s";
    return "1e15 or 1Pflop/s";
}

std::string_view without_spaces(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

}  // namespace

double quantity_from(std::string_view text, std::string_view unit, const std::string& what) {
    const auto refuse = [&](const std::string& why) -> double {
        throw InputError(what + ": '" + std::string(text) + "' " + why + "; write " + example(unit));
    };
    const std::string_view whole = without_spaces(text);
    double number = 0.0;
    const auto [rest, error] = std::from_chars(whole.data(), whole.data() + whole.size(), number);
    if (error != std::errc{}) return refuse("is no number of " + std::string(unit));
    const std::string_view tail = without_spaces(whole.substr(static_cast<std::size_t>(rest - whole.data())));
    const bool bytes = unit == "byte/s" || unit == "byte";
    if (bytes &&
        (tail.ends_with("b/s") || tail.ends_with("bit/s") || tail.ends_with("bps") || tail.ends_with("b"))) {
        return refuse("counts bits, and bytes are meant");
    }
    for (const Multiple& prefix : kMultiples) {
        if (!tail.starts_with(prefix.text) || (prefix.binary && !bytes)) continue;
        const std::string_view named = tail.substr(prefix.text.size());
        for (const std::string_view spelling : spellings(unit)) {
            if (named != spelling) continue;
            const double value = number * prefix.factor;
            if (!std::isfinite(value) || value <= 0.0) return refuse("is not a finite number above 0");
            return value;
        }
    }
    return refuse("does not end in a unit of " + std::string(unit));
}

}  // namespace rooftune
