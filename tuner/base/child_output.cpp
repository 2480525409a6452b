#include "tuner/base/child_output.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "tuner/base/clock.h"
#include "tuner/base/interrupt.h"

namespace rooftune {
namespace {

// A Ctrl-C that comes between the question for it and a wait is not lost for longer than this, seconds.
constexpr double kLongestWait = 0.5;

constexpr std::size_t kBlock = std::size_t{64} << 10;

}  // namespace

LineReader::End LineReader::next(double seconds, std::string& line) {
    const double until = monotonic_seconds() + seconds;
    for (;;) {
        if (const std::size_t end = pending_.find('\n'); end != std::string::npos) {
            line = pending_.substr(0, end);
            pending_.erase(0, end + 1);
            return End::line;
        }
        const double left = until - monotonic_seconds();
        if (left <= 0.0) return End::late;
        if (interrupted()) return End::interrupted;
        if (pending_.size() > most_) return End::too_long;
        pollfd waiting{from_.fd(), POLLIN, 0};
        const int ready = poll(&waiting, 1, static_cast<int>(std::min(left, kLongestWait) * 1e3) + 1);
        if (ready < 0 && errno != EINTR) return End::closed;
        if (ready <= 0) continue;
        std::array<char, kBlock> block;
        const ssize_t n = read(from_.fd(), block.data(), block.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return End::closed;
        pending_.append(block.data(), static_cast<std::size_t>(n));
    }
}

ChildOutput::ChildOutput(Descriptor from, std::size_t keep) : from_(std::move(from)), keep_(keep) {
    fcntl(fd(), F_SETFL, fcntl(fd(), F_GETFL) | O_NONBLOCK);
}

void ChildOutput::drain() {
    // No more than a pipe may hold: who writes as fast as this reads is not to keep it here.
    constexpr int kMostBlocks = 16;
    std::array<char, kBlock> block;
    for (int i = 0; i < kMostBlocks && fd() >= 0; ++i) {
        const ssize_t n = read(fd(), block.data(), block.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return;  // nothing there yet
        if (n == 0) from_.close();
        seen_ += static_cast<std::size_t>(n);
        text_.append(block.data(), static_cast<std::size_t>(n));
        if (text_.size() > 2 * keep_) text_.erase(0, text_.size() - keep_);
    }
}

std::string ChildOutput::text() const {
    return text_.size() > keep_ ? text_.substr(text_.size() - keep_) : text_;
}

std::optional<Cut> wait_for_end(const ChildProcess& child, const std::vector<ChildOutput*>& outputs,
                                const ChildLimits& limits) {
    while (!child.has_ended()) {
        if (limits.stops_at_interrupt && interrupted()) return Cut::interrupted;
        for (const ChildOutput* output : outputs) {
            if (output->seen() > limits.most) return Cut::flooded;
        }
        const double left = limits.until - monotonic_seconds();
        if (left <= 0.0) return Cut::late;
        std::vector<pollfd> waiting{{child.end_descriptor(), POLLIN, 0}};
        for (const ChildOutput* output : outputs) waiting.push_back({output->fd(), POLLIN, 0});
        const double most = child.end_descriptor() < 0 ? 1e-3 : kLongestWait;
        const timespec wait{0, std::max(1L, static_cast<long>(std::min(left, most) * 1e9))};
        ppoll(waiting.data(), waiting.size(), &wait, nullptr);
        for (ChildOutput* output : outputs) output->drain();
    }
    return std::nullopt;
}

std::string one_line(std::string text) {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

}  // namespace rooftune
