#include "tuner/cluster/outbox.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>

#include "kernels/runtime/error.h"

namespace rooftune {
namespace {

constexpr std::size_t kMostUnsent = std::size_t{256} << 20;
constexpr std::size_t kChunk = std::size_t{1} << 16;

std::chrono::duration<double> seconds_of(double seconds) {
    return std::chrono::duration<double>(seconds);
}

}  // namespace

Outbox::Outbox(Descriptor to, double goodbye_seconds)
    : to_(std::move(to)), goodbye_seconds_(goodbye_seconds) {
    if (wake_.open() != 0) throw EnvironmentError("no pipe can be had");
    fcntl(to_.fd(), F_SETFL, fcntl(to_.fd(), F_GETFL) | O_NONBLOCK);
    thread_ = std::thread([this] { run(); });
}

Outbox::~Outbox() {
    {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, seconds_of(goodbye_seconds_), [&] { return broken_ || lines_.empty(); });
        ending_ = true;
    }
    changed_.notify_all();
    // A reader that has stopped reading is not waited for.
    wake_.write.close();
    thread_.join();
}

// At once where the stream takes it: a thread that wakes up to write would do so while the kernel is timed
// that this message announces.
void Outbox::send(const Message& message) {
    std::string line = message_text(message);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return broken_ || bytes_ < kMostUnsent; });
    if (broken_) return;
    said_ = std::chrono::steady_clock::now();
    if (lines_.empty()) {
        const std::optional<std::size_t> taken = write_some(to_, line);
        if (taken && *taken == line.size()) return;
        // What went wrong is seen again by who sends the rest.
        if (taken) line.erase(0, *taken);
    }
    bytes_ += line.size();
    lines_.push_back(std::move(line));
    lock.unlock();
    changed_.notify_all();
}

void Outbox::alive_every(double seconds) {
    {
        const std::lock_guard lock(mutex_);
        alive_ = seconds;
    }
    changed_.notify_all();
}

void Outbox::run() {
    const std::string alive = message_text({"alive", Json::object()});
    std::unique_lock lock(mutex_);
    while (true) {
        const double waits = alive_;
        const bool woken = changed_.wait_for(lock, seconds_of(waits),
                                             [&] { return ending_ || !lines_.empty() || alive_ != waits; });
        if (lines_.empty() && ending_) return;
        if (lines_.empty() && woken) continue;
        if (!woken) {
            // Nothing has been said for a while.
            if (std::chrono::steady_clock::now() - said_ >= seconds_of(alive_)) {
                bytes_ += alive.size();
                lines_.push_back(alive);
            }
            continue;
        }
        const std::string line = lines_.front();
        lock.unlock();
        const bool sent = send_whole(line);
        lock.lock();
        // Only now: what is empty has been sent.
        bytes_ -= line.size();
        lines_.pop_front();
        if (!sent) {
            broken_ = true;
            lines_.clear();
        }
        changed_.notify_all();
        if (!sent) return;
    }
}

bool Outbox::send_whole(std::string_view line) {
    while (!line.empty()) {
        const std::optional<std::size_t> taken = write_some(to_, line);
        if (!taken) return false;
        line.remove_prefix(*taken);
        if (line.empty()) break;
        std::array<pollfd, 2> ends{{{to_.fd(), POLLOUT, 0}, {wake_.read.fd(), POLLIN, 0}}};
        if (poll(ends.data(), ends.size(), -1) < 0 && errno != EINTR) return false;
        if (ends[1].revents != 0) return false;
    }
    return true;
}

Inbox::Inbox(Descriptor from, double silent_seconds)
    : from_(std::move(from)), silent_seconds_(silent_seconds) {
    if (const int error = wake_.open(); error != 0) throw EnvironmentError("no pipe can be had");
    thread_ = std::thread([this] { run(); });
}

Inbox::~Inbox() {
    wake_.write.close();
    thread_.join();
}

std::optional<Message> Inbox::take(const std::string& kind) {
    const auto at = std::find_if(messages_.begin(), messages_.end(),
                                 [&](const Message& m) { return kind.empty() || m.kind == kind; });
    if (at == messages_.end()) return std::nullopt;
    Message message = std::move(*at);
    messages_.erase(at);
    return message;
}

std::optional<Message> Inbox::next(double seconds, const std::string& kind) {
    std::unique_lock lock(mutex_);
    std::optional<Message> message;
    changed_.wait_for(lock, seconds_of(seconds),
                      [&] { return (message = take(kind)).has_value() || closed_; });
    if (!message && !fault_.empty()) throw InputError(fault_);
    return message;
}

void Inbox::run() {
    MessageReader reader(false);
    std::string fault;
    std::array<char, kChunk> bytes;
    while (fault.empty()) {
        std::array<pollfd, 2> ends{{{from_.fd(), POLLIN, 0}, {wake_.read.fd(), POLLIN, 0}}};
        const int ready = poll(ends.data(), ends.size(), static_cast<int>(1e3 * silent_seconds_));
        if (ready == 0 || (ready < 0 && errno != EINTR)) break;
        if (ends[1].revents != 0) break;
        if (ends[0].revents == 0) continue;
        const ssize_t n = read(from_.fd(), bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        try {
            reader.add({bytes.data(), static_cast<std::size_t>(n)});
            while (std::optional<Message> message = reader.next()) {
                if (message->kind == "alive") continue;
                if (message->kind == "stop" || message->kind == "bye") stopped_ = true;
                const std::lock_guard lock(mutex_);
                messages_.push_back(std::move(*message));
            }
        } catch (const InputError& error) {
            fault = error.what();
        }
        changed_.notify_all();
    }
    {
        const std::lock_guard lock(mutex_);
        fault_ = fault;
        stopped_ = true;
        closed_ = true;
    }
    changed_.notify_all();
}

}  // namespace rooftune
