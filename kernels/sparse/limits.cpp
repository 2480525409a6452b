#include "kernels/sparse/limits.h"

#include <algorithm>
#include <cstdio>

namespace rooftune::sparse {
namespace {

std::string number(const char* format, double value) {
    char text[64];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

/// Exact where a person would count digits, short where only the magnitude matters.
std::string count(double value) {
    return value < 1e15 ? number("%.0f", value) : number("%.3g", value);
}

}  // namespace

double problem_bytes(double rows, double cols, double stored) {
    return 12.0 * stored + 8.0 * (rows + 1.0) + 8.0 * (rows + cols);
}

std::string readable_bytes(double bytes) {
    constexpr double kKiB = 1024.0;
    constexpr double kMiB = kKiB * kKiB;
    constexpr double kGiB = kMiB * kKiB;
    if (bytes >= 1e6 * kGiB) return number("%.3g GiB", bytes / kGiB);
    if (bytes >= kGiB) return number("%.1f GiB", bytes / kGiB);
    if (bytes >= kMiB) return number("%.1f MiB", bytes / kMiB);
    return number("%.1f KiB", bytes / kKiB);
}

std::string size_fault(double rows, double cols, double stored, double working, double available) {
    const double needed = problem_bytes(rows, cols, stored) + working;
    if (needed > available) {
        return "the matrix (" + count(rows) + " x " + count(cols) + ", " + count(stored) +
               " entries) needs about " + readable_bytes(needed) + " of memory and " +
               readable_bytes(std::max(0.0, available)) +
               " are free; take a smaller matrix or a machine with more memory";
    }
    const auto beyond = [&](const char* what, double have, std::int64_t most) {
        return std::string("the matrix has ") + count(have) + " " + what + " (about " +
               readable_bytes(needed) + " of memory) and at most " + std::to_string(most) +
               " are supported; take a smaller matrix";
    };
    if (rows > static_cast<double>(kMostLines)) return beyond("rows", rows, kMostLines);
    if (cols > static_cast<double>(kMostLines)) return beyond("columns", cols, kMostLines);
    if (stored > static_cast<double>(kMostStored)) return beyond("stored entries", stored, kMostStored);
    return {};
}

}  // namespace rooftune::sparse
