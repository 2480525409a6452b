#include "tuner/base/descriptor.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>

namespace rooftune {
namespace {

// While it lives, SIGPIPE waits in this thread, and is gone with it. Ignoring it would change the whole
// process, other threads included.
class NoBrokenPipe {
public:
    NoBrokenPipe() {
        sigemptyset(&pipe_);
        sigaddset(&pipe_, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
    }
    ~NoBrokenPipe() {
        const timespec at_once{};
        while (sigtimedwait(&pipe_, nullptr, &at_once) < 0 && errno == EINTR) {
        }
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    NoBrokenPipe(const NoBrokenPipe&) = delete;
    NoBrokenPipe& operator=(const NoBrokenPipe&) = delete;

private:
    sigset_t pipe_{}, before_{};
};

}  // namespace

bool Descriptor::close() {
    const int fd = std::exchange(fd_, -1);
    return fd < 0 || ::close(fd) == 0;
}

int Pipe::open() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return errno;
    read = Descriptor(ends[0]);
    write = Descriptor(ends[1]);
    return 0;
}

Descriptor memory_file(const char* name) {
    return Descriptor(memfd_create(name, MFD_CLOEXEC));
}

std::string tail_of(const Descriptor& file, std::size_t most) {
    const off_t size = file.fd() >= 0 ? lseek(file.fd(), 0, SEEK_END) : 0;
    if (size <= 0) return {};
    const off_t from = std::max<off_t>(0, size - static_cast<off_t>(most));
    std::string text(static_cast<std::size_t>(size - from), '\0');
    const ssize_t got = pread(file.fd(), text.data(), text.size(), from);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, got)));
    return text;
}

std::optional<std::size_t> write_some(const Descriptor& to, std::string_view text) {
    const NoBrokenPipe guard;
    while (true) {
        const ssize_t n = write(to.fd(), text.data(), text.size());
        if (n >= 0) return static_cast<std::size_t>(n);
        if (errno == EAGAIN) return 0;
        if (errno != EINTR) return std::nullopt;
    }
}

bool write_whole(const Descriptor& to, std::string_view text) {
    const NoBrokenPipe guard;
    for (std::size_t sent = 0; sent < text.size();) {
        const ssize_t n = write(to.fd(), text.data() + sent, text.size() - sent);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        sent += static_cast<std::size_t>(n);
    }
    return true;
}

}  // namespace rooftune
