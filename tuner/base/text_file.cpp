#include "tuner/base/text_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "kernels/runtime/error.h"
#include "tuner/base/descriptor.h"

namespace rooftune {

std::string read_text_file(const std::string& path, std::size_t most_bytes) {
    // O_NONBLOCK: opening a FIFO nobody writes to would otherwise wait for ever.
    int opened = -1;
    while ((opened = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) < 0 && errno == EINTR) {
    }
    const Descriptor file(opened);
    if (file.fd() < 0) {
        const int why = errno;
        const std::string said = path + ": cannot be opened: " + std::strerror(why);
        // Another name would not help.
        if (why == EMFILE || why == ENFILE || why == ENOMEM || why == EIO || why == ESTALE ||
            why == ETIMEDOUT)
            throw EnvironmentError(said);
        throw InputError(said + (why == ENOENT   ? "; check the path"
                                 : why == EACCES ? "; make it readable, or name another"
                                                 : ""));
    }
    struct stat status {};
    if (::fstat(file.fd(), &status) != 0) throw EnvironmentError(path + ": " + std::strerror(errno));
    if (!S_ISREG(status.st_mode))
        throw InputError(
            path + ": expected a regular file, found " +
            (S_ISDIR(status.st_mode) ? "a directory; name a file in it" : "something else; name a file"));
    const auto too_large = [&] {
        return InputError(path + ": expected at most " + std::to_string(most_bytes) + " bytes, found more");
    };
    if (static_cast<std::uint64_t>(status.st_size) > most_bytes) throw too_large();
    std::string text(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t filled = 0;
    while (true) {
        if (filled == text.size()) text.resize(text.size() + 4096);
        const ssize_t got = ::read(file.fd(), text.data() + filled, text.size() - filled);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw EnvironmentError(path + ": cannot be read: " + std::strerror(errno));
        if (got == 0) break;
        filled += static_cast<std::size_t>(got);
        if (filled > most_bytes) throw too_large();
    }
    text.resize(filled);
    return text;
}

}  // namespace rooftune
