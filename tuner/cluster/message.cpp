#include "tuner/cluster/message.h"

#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tuner/formats/json_message.h"

namespace rooftune {
namespace {

// Handed out text is dropped once there is this much of it: not for each line anew.
constexpr std::size_t kDropped = std::size_t{1} << 16;

}  // namespace

std::string message_text(const Message& message) {
    // Texts of other programs may hold any bytes. The body is not copied: a result has a hundred kilobytes.
    const auto text = [](const Json& json) {
        return json.dump(-1, ' ', false, Json::error_handler_t::replace);
    };
    return std::string(kMessageStart) + text(message.kind) + ",\"body\":" + text(message.body) + "}\n";
}

Message message_from_line(std::string_view line) {
    Json whole = parse_json(line, kMessageName, {kMostMessageBytes});
    StrictObject object(whole, kMessageName);
    Message message;
    message.kind = object.text("rooftune");
    object.object("body");
    object.finish();
    message.body = std::move(whole["body"]);
    return message;
}

void MessageReader::add(std::string_view bytes) {
    pending_.append(bytes);
    if (pending() > kMostMessageBytes && pending_.find('\n', scanned_) == std::string::npos)
        throw InputError("a message is longer than " + std::to_string(kMostMessageBytes >> 20) + " MiB");
    if (foreign_ && foreign_text_.size() + pending() > kMostForeignBytes &&
        pending_.find(kMessageStart, begin_) == std::string::npos)
        throw InputError("what came is not what an agent says: " + shortened(pending_.substr(begin_, 60)));
}

std::optional<Message> MessageReader::next() {
    while (true) {
        const std::size_t end = pending_.find('\n', scanned_);
        if (end == std::string::npos) {
            scanned_ = pending_.size();
            return std::nullopt;
        }
        std::string line = pending_.substr(begin_, end - begin_);
        begin_ = scanned_ = end + 1;
        if (begin_ > kDropped || begin_ == pending_.size()) {
            pending_.erase(0, begin_);
            begin_ = scanned_ = 0;
        }
        if (foreign_) {
            // A login script's last line may have no end.
            const std::size_t start = line.find(kMessageStart);
            foreign_text_ += start == std::string::npos ? line + "\n" : line.substr(0, start);
            if (start == std::string::npos) continue;
            line.erase(0, start);
        }
        foreign_ = false;
        return message_from_line(line);
    }
}

}  // namespace rooftune
