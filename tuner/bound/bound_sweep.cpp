#include "tuner/bound/bound_sweep.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "kernels/runtime/error.h"

namespace rooftune {
namespace {

constexpr std::size_t kMostValues = 100000;

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
    throw InputError("--sweep " + text + ": " + why +
                     "; write SIZE=LOW:HIGH:xFACTOR or SIZE=LOW:HIGH:+STEP, like n=1:32768:x2");
}

double number(const std::string& whole, std::string_view text) {
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value) || value <= 0.0)
        refuse(whole, "'" + std::string(text) + "' is not a finite number above 0");
    return value;
}

}  // namespace

SweepValues sweep_from(const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::size_t first = text.find(':');
    const std::size_t second = first == std::string::npos ? first : text.find(':', first + 1);
    if (equals == std::string::npos || equals == 0 || second == std::string::npos || equals > first)
        refuse(text, "that is no sweep");
    const std::string_view all = text;
    const double low = number(text, all.substr(equals + 1, first - equals - 1));
    const double high = number(text, all.substr(first + 1, second - first - 1));
    const std::string_view step = all.substr(second + 1);
    if (step.size() < 2 || (step[0] != 'x' && step[0] != '+'))
        refuse(text, "the step '" + std::string(step) + "' is neither xFACTOR nor +STEP");
    const bool factor = step[0] == 'x';
    const double by = number(text, step.substr(1));
    if (factor && by <= 1.0) refuse(text, "a factor of " + std::string(step.substr(1)) + " leads nowhere");
    if (low > high) refuse(text, "it begins above its end");
    SweepValues sweep{text.substr(0, equals), {}};
    // Multiples rather than running sums, and a little tolerance: 0.1:0.5:+0.1 ends once, at 0.5.
    for (double i = 0.0;; i += 1.0) {
        const double value = factor ? low * std::pow(by, i) : low + i * by;
        if (value >= high * (1.0 - 1e-12)) break;
        sweep.values.push_back(value);
        if (sweep.values.size() > kMostValues) refuse(text, "that is more than 100000 values");
    }
    sweep.values.push_back(high);
    return sweep;
}

std::vector<double> dense_between(const std::vector<double>& values, int extra) {
    std::vector<double> all = values;
    const double low = values.front(), high = values.back();
    for (int i = 1; i < extra && low < high; ++i) {
        all.push_back(low * std::pow(high / low, static_cast<double>(i) / extra));
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

}  // namespace rooftune
