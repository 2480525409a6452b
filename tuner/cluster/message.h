// What a coordinator and its agents say to each other: one JSON object a line, over whatever stream the
// launcher gives. Strict at both ends: what is not of the shape that its kind has ends the connection, and
// nothing else.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/formats/strict_json.h"

namespace rooftune {

/// Changes with any change of a message. The kernels' build is compared besides.
inline constexpr int kClusterProtocol = 2;

/// What every line begins with. Login scripts and launchers write to the same stream: before an agent's first
/// message, lines without this are theirs.
inline constexpr std::string_view kMessageStart = "{\"rooftune\":";

/// A longer line is no message of ours: the largest, a problem's result with what it teaches others, has some
/// hundred kilobytes.
inline constexpr std::size_t kMostMessageBytes = std::size_t{64} << 20;
/// What others may write before an agent's first message.
inline constexpr std::size_t kMostForeignBytes = std::size_t{1} << 20;

/// What messages about a message call it.
inline constexpr const char* kMessageName = "a message";

/// One message: its kind and what it holds.
struct Message {
    std::string kind;
    Json body = Json::object();
};

/// With the end of its line.
std::string message_text(const Message& message);

/// Throws InputError for what is no message.
Message message_from_line(std::string_view line);

/// Cuts a stream into messages.
class MessageReader {
public:
    /// `foreign_first`: lines before the first message that are none of ours are passed over.
    explicit MessageReader(bool foreign_first) : foreign_(foreign_first) {}

    /// Adds what was read. Throws InputError where it can be no message; nothing can be read after that.
    void add(std::string_view bytes);
    /// The next message that is whole. Throws InputError.
    std::optional<Message> next();
    /// What others wrote before the first message, for messages about an agent that never came up.
    const std::string& foreign() const { return foreign_text_; }
    /// Bytes that are kept.
    std::size_t pending() const { return pending_.size() - begin_; }

private:
    std::string pending_;
    std::size_t begin_ = 0;    ///< of what was not handed out yet
    std::size_t scanned_ = 0;  ///< no line ends before
    bool foreign_ = false;
    std::string foreign_text_;
};

}  // namespace rooftune
