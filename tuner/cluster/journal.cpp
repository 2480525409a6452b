#include "tuner/cluster/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"

namespace rooftune {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlock = std::size_t{1} << 16;

[[noreturn]] void fail(const std::string& file, const std::string& what) {
    throw EnvironmentError(file + ": " + what + " (" + std::strerror(errno) +
                           "); what was measured so far is in the store and in this file, so that the same "
                           "command goes on once that is mended");
}

// Two runs of one job would write over each other's lines. Where the file system knows no locks there is
// none.
void keep_others_out(const Descriptor& fd, const std::string& file) {
    if (flock(fd.fd(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    throw EnvironmentError(file +
                           ": another run of this job is under way; wait for its end, or give this one "
                           "another folder by --out");
}

// The line that begins at `place`, without its end; empty where it has none.
std::string line_at(int fd, std::int64_t place) {
    std::string line;
    std::array<char, kBlock> block;
    while (true) {
        const ssize_t n = pread(fd, block.data(), block.size(), place + static_cast<off_t>(line.size()));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return {};
        const auto* end =
            static_cast<const char*>(std::memchr(block.data(), '\n', static_cast<std::size_t>(n)));
        if (end) return line.append(block.data(), static_cast<std::size_t>(end - block.data()));
        line.append(block.data(), static_cast<std::size_t>(n));
    }
}

std::string text_of(const Json& line) {
    return line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

ClusterJournal::ClusterJournal(const std::string& file, const Json& job, bool fresh) : file_(file) {
    const std::string first = job.dump(-1, ' ', false, Json::error_handler_t::replace);
    fd_ = Descriptor(open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (fd_.fd() < 0) fail(file_, "cannot be opened");
    keep_others_out(fd_, file_);
    if (fresh && ftruncate(fd_.fd(), 0) != 0) fail(file_, "cannot be emptied");
    const std::string found = line_at(fd_.fd(), 0);
    if (!found.empty() && found != first) {
        set_aside_ = file_ + ".other";
        std::error_code error;
        fs::rename(file_, set_aside_, error);
        if (error) fail(file_, "is of another job and cannot be kept aside");
        fd_ = Descriptor(open(file_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
        if (fd_.fd() < 0) fail(file_, "cannot be made");
        keep_others_out(fd_, file_);
    }
    if (found != first) {
        if (ftruncate(fd_.fd(), 0) != 0) fail(file_, "cannot be emptied");
        add(job);
        return;
    }
    end_ = static_cast<std::int64_t>(first.size()) + 1;
}

void ClusterJournal::each(const std::function<void(JournalPlace, const Json&)>& line) {
    while (true) {
        const std::string text = line_at(fd_.fd(), end_);
        if (text.empty()) break;
        Json json;
        try {
            json = parse_json(text, file_);
        } catch (const InputError&) {
            break;  // what follows a torn line was not written by us
        }
        const JournalPlace place = end_;
        end_ += static_cast<std::int64_t>(text.size()) + 1;
        line(place, json);
    }
    if (ftruncate(fd_.fd(), end_) != 0) fail(file_, "cannot be cut off where its last line ends");
}

JournalPlace ClusterJournal::add(const Json& line) {
    const JournalPlace place = end_;
    write(text_of(line));
    return place;
}

std::pair<JournalPlace, JournalPlace> ClusterJournal::add(const Json& first, const Json& second) {
    std::string text = text_of(first);
    const JournalPlace place = end_, next = place + static_cast<JournalPlace>(text.size());
    write(text += text_of(second));
    return {place, next};
}

void ClusterJournal::write(const std::string& text) {
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t n =
            pwrite(fd_.fd(), text.data() + done, text.size() - done, end_ + static_cast<off_t>(done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            const int error = errno;
            static_cast<void>(!ftruncate(fd_.fd(), end_));
            errno = error;
            fail(file_, "cannot be written");
        }
        done += static_cast<std::size_t>(n);
    }
    if (fdatasync(fd_.fd()) != 0) fail(file_, "cannot be written");
    end_ += static_cast<std::int64_t>(text.size());
}

Json ClusterJournal::at(JournalPlace place) const {
    return parse_json(line_at(fd_.fd(), place), file_);
}

void ClusterJournal::remove() {
    unlink(file_.c_str());
}

}  // namespace rooftune
