#include "tuner/cluster/node_link.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "kernels/runtime/error.h"
#include "tuner/base/how_it_ended.h"

namespace rooftune {
namespace {

constexpr std::size_t kErrorsKept = 4096;
constexpr int kBlocksAtOnce = 16;
constexpr std::size_t kReadAtOnce = std::size_t{1} << 18;

void do_not_wait(const Descriptor& d) {
    fcntl(d.fd(), F_SETFL, fcntl(d.fd(), F_GETFL) | O_NONBLOCK);
}

}  // namespace

std::string NodeLink::start(const std::vector<std::string>& words, double now) {
    Pipe in, out, errors;
    if (in.open() != 0 || out.open() != 0 || errors.open() != 0)
        return "no pipe can be had; raise the limit of open files (ulimit -n)";
    ChildSetup setup;
    setup.words = words;
    setup.descriptors = {{in.read.fd(), 0}, {out.write.fd(), 1}, {errors.write.fd(), 2}};
    if (const int error = child_.start(setup); error != 0)
        return words.front() + " could not be started: " + std::strerror(error);
    to_ = std::move(in.write);
    from_ = std::move(out.read);
    do_not_wait(to_);
    do_not_wait(from_);
    do_not_wait(errors.read);
    errors_ = ChildOutput(std::move(errors.read), kErrorsKept);
    reader_ = MessageReader(true);
    unsent_.clear();
    sent_ = 0;
    fault_.clear();
    last_heard_ = now;
    return {};
}

void NodeLink::send(const Message& message) {
    if (!is_up()) return;
    unsent_.erase(0, sent_);
    sent_ = 0;
    unsent_ += message_text(message);
    flush();
}

bool NodeLink::flush() {
    while (sent_ < unsent_.size()) {
        // Not write_whole(): an agent that does not read must not hold up all the others.
        const std::optional<std::size_t> taken = write_some(to_, std::string_view(unsent_).substr(sent_));
        if (!taken) return false;
        if (*taken == 0) return true;
        sent_ += *taken;
    }
    unsent_.clear();
    sent_ = 0;
    return true;
}

void NodeLink::watch(std::vector<pollfd>& ends) const {
    if (!is_up()) return;
    ends.push_back({from_.fd(), POLLIN, 0});
    if (unsent() > 0) ends.push_back({to_.fd(), POLLOUT, 0});
    if (errors_.fd() >= 0) ends.push_back({errors_.fd(), POLLIN, 0});
}

bool NodeLink::pump(std::vector<Message>& received, double now) {
    errors_.drain();
    flush();  // of an agent that is gone reading tells
    std::array<char, kReadAtOnce> bytes;
    bool open = true;
    try {
        // No more than so much at once: one that never stops is not to hold up all the others.
        for (int block = 0; block < kBlocksAtOnce; ++block) {
            const ssize_t n = read(from_.fd(), bytes.data(), bytes.size());
            if (n < 0 && errno == EINTR) continue;
            if (n < 0 && errno == EAGAIN) break;
            if (n <= 0) {
                open = false;
                break;
            }
            last_heard_ = now;
            reader_.add({bytes.data(), static_cast<std::size_t>(n)});
            while (std::optional<Message> message = reader_.next()) received.push_back(std::move(*message));
        }
    } catch (const InputError& error) {
        fault_ = error.what();
        return false;
    }
    return open;
}

std::string NodeLink::end(double patience) {
    if (!is_up()) return {};
    to_.close();
    const ChildProcess::End end = child_.end(patience);
    errors_.drain();
    from_.close();
    std::string text = how_it_ended(end.status);
    const std::string said = one_line(errors_.text() + reader_.foreign());
    if (!said.empty()) text += "; it said: " + said;
    return text;
}

}  // namespace rooftune
