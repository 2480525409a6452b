// A file descriptor with an owner, and pairs of them. What is opened here does not outlive an exec.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace rooftune {

class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor() { close(); }
    Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }

    /// −1 when there is none.
    int fd() const { return fd_; }
    /// False, with errno, where the system tells only now that it could not keep what was written.
    bool close();

private:
    int fd_ = -1;
};

struct Pipe {
    Descriptor read, write;
    /// Opens both ends; 0 or the errno.
    int open();
};

/// A file in memory, for what nobody reads unless something goes wrong; without a descriptor where the
/// system has none.
Descriptor memory_file(const char* name);

/// At most the last `most` bytes of a file; empty without one.
std::string tail_of(const Descriptor& file, std::size_t most);

/// Writes the whole text, whatever signals come between. False where nobody reads any more: that is told by
/// this answer and not by SIGPIPE, which would end this process.
bool write_whole(const Descriptor& to, std::string_view text);

/// Writes what a descriptor that does not wait (O_NONBLOCK) takes now: how many bytes, 0 where it takes none.
/// Nothing where nobody reads any more, of which SIGPIPE is not heard either.
std::optional<std::size_t> write_some(const Descriptor& to, std::string_view text);

}  // namespace rooftune
