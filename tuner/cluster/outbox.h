// The two ends of an agent's stream, each with a thread of its own: who measures never waits for who reads.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "tuner/base/descriptor.h"
#include "tuner/cluster/message.h"

namespace rooftune {

/// Sends in order. While nothing is to be said it says "alive".
class Outbox {
public:
    /// Throws EnvironmentError where no pipe can be had.
    explicit Outbox(Descriptor to, double goodbye_seconds = 5.0);
    /// Sends what is left, for at most `goodbye_seconds`.
    ~Outbox();
    Outbox(const Outbox&) = delete;
    Outbox& operator=(const Outbox&) = delete;

    /// Waits only where so much is unsent that memory would fill.
    void send(const Message& message);
    void alive_every(double seconds);
    /// Nobody reads any more.
    bool broken() const { return broken_; }

private:
    void run();
    bool send_whole(std::string_view line);

    Descriptor to_;
    double goodbye_seconds_;
    Pipe wake_;
    std::chrono::steady_clock::time_point said_{};
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::string> lines_;
    std::size_t bytes_ = 0;
    double alive_ = 10.0;
    bool ending_ = false;
    std::atomic<bool> broken_{false};
    std::thread thread_;
};

/// Receives. "stop" is seen at once, whatever else waits to be read.
class Inbox {
public:
    /// After so many seconds without a word the other end is taken for gone.
    explicit Inbox(Descriptor from, double silent_seconds = 150.0);
    ~Inbox();
    Inbox(const Inbox&) = delete;
    Inbox& operator=(const Inbox&) = delete;

    /// The next message, of this kind where one is named; nothing where none came within `seconds`, or the
    /// stream has ended. Throws InputError for what is no message.
    std::optional<Message> next(double seconds, const std::string& kind = {});

    /// The coordinator asked for an end, or is gone.
    bool stopped() const { return stopped_; }
    bool closed() const { return closed_; }

private:
    void run();
    std::optional<Message> take(const std::string& kind);

    Descriptor from_;
    double silent_seconds_;
    Pipe wake_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Message> messages_;
    std::string fault_;
    std::atomic<bool> stopped_{false}, closed_{false};
    std::thread thread_;
};

}  // namespace rooftune
