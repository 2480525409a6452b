#include "tuner/base/page_width.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace rooftune {

namespace {

int width_behind(int descriptor) {
    winsize size{};
    const bool known = ioctl(descriptor, TIOCGWINSZ, &size) == 0;
    return page_width_of(std::getenv("COLUMNS"), known ? static_cast<int>(size.ws_col) : 0);
}

}  // namespace

int page_width() {
    return width_behind(STDOUT_FILENO);
}

int error_page_width() {
    if (isatty(STDERR_FILENO) != 1 && std::getenv("COLUMNS") == nullptr) return kWidestPage;
    return width_behind(STDERR_FILENO);
}

int page_width_of(const char* columns, int terminal) {
    int width = terminal > 0 ? terminal : kPipedPage;
    if (columns != nullptr) {
        const std::string_view text(columns);
        int asked = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), asked);
        if (error == std::errc() && end == text.data() + text.size() && asked > 0) width = asked;
    }
    return std::clamp(width, kNarrowestPage, kWidestPage);
}

}  // namespace rooftune
