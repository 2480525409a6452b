#include "tuner/machine/summary_cells.h"

namespace rooftune {
namespace {

std::size_t columns_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

std::string size_text(Bytes b) {
    if (b.value < 1024.0) return fmt::format("{:.4g} B", b.value);
    if (b.value >= 1024.0 * 1024.0 * 1024.0)
        return fmt::format("{:.4g} GiB", b.value / (1024.0 * 1024.0 * 1024.0));
    if (b.value >= 1024.0 * 1024.0) return fmt::format("{:.4g} MiB", b.value / (1024.0 * 1024.0));
    return fmt::format("{:.4g} KiB", b.value / 1024.0);
}

std::string giga(double rate) {
    if (rate <= 0.0) return "–";
    return fmt::format("{:.{}f}", rate / 1e9, rate < 1e9 ? 3 : rate < 10e9 ? 2 : 1);
}

std::string threads_text(int n) {
    if (n == 0) return "whole machine";
    return n == 1 ? "1 thread" : fmt::format("{} threads", n);
}

std::string right(std::string_view text, std::size_t width) {
    const std::size_t shown = columns_of(text);
    return std::string(shown < width ? width - shown : 0, ' ') + std::string(text);
}

std::string left(std::string_view text, std::size_t width) {
    const std::size_t shown = columns_of(text);
    return std::string(text) + std::string(shown < width ? width - shown : 0, ' ');
}

}  // namespace rooftune
