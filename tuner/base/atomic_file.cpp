#include "tuner/base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "kernels/runtime/error.h"
#include "tuner/base/descriptor.h"

namespace rooftune {
namespace {

/// A new hidden file in a folder, removed on destruction unless it was renamed away.
class Temporary {
public:
    explicit Temporary(const std::string& folder) {
        static std::atomic<unsigned> counter{0};
        // Made with open() and 0666, so that the umask decides who may read results; mkstemp's 0600
        // would hide them from the others in the group.
        do {
            path_ = folder + "/.rooftune-" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
            file_ = Descriptor(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
        } while (file_.fd() < 0 && errno == EEXIST);
        if (file_.fd() < 0) {
            const int why = errno;
            path_.clear();
            throw EnvironmentError(folder + ": cannot create a file there: " + std::strerror(why) +
                                   "; name a folder that exists and is writable");
        }
    }
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    ~Temporary() {
        if (!path_.empty()) ::unlink(path_.c_str());
    }

    /// False with errno set when the device refuses.
    bool write(std::string_view text) {
        while (!text.empty()) {
            const ssize_t put = ::write(file_.fd(), text.data(), text.size());
            if (put < 0 && errno == EINTR) continue;
            if (put < 0) return false;
            text.remove_prefix(static_cast<std::size_t>(put));
        }
        return ::fsync(file_.fd()) == 0;
    }
    /// Some file systems tell of a lack of space only when the file is closed.
    bool close() { return file_.close(); }
    bool mode(mode_t bits) const { return ::fchmod(file_.fd(), bits) == 0; }
    bool rename_to(const std::string& path) {
        if (::rename(path_.c_str(), path.c_str()) != 0) return false;
        path_.clear();
        return true;
    }

private:
    std::string path_;
    Descriptor file_;
};

std::string folder_of(const std::string& path) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
}

// Where a symbolic link at `path` leads; a folder is refused.
std::string target_of(const std::string& path) {
    std::error_code code;
    std::string target = path;
    if (std::filesystem::is_symlink(path, code)) {
        const auto resolved = std::filesystem::weakly_canonical(path, code);
        if (!code) target = resolved.string();
    }
    if (std::filesystem::is_directory(target, code))
        throw EnvironmentError(path + ": is a folder; a file was to be written there");
    return target;
}

}  // namespace

void check_can_be_written(const std::string& path) {
    const Temporary temporary(folder_of(target_of(path)));
}

void write_atomically(const std::string& path, std::string_view text) {
    const std::string target = target_of(path);
    const std::string folder = folder_of(target);
    const auto refuse = [&](int why) {
        return EnvironmentError(path + ": cannot be written: " + std::strerror(why) +
                                "; what was there before is unchanged");
    };
    Temporary temporary(folder);
    if (!temporary.write(text)) throw refuse(errno);
    struct stat old {};
    if (::stat(target.c_str(), &old) == 0 && !temporary.mode(old.st_mode & 07777)) throw refuse(errno);
    if (!temporary.close()) throw refuse(errno);
    if (!temporary.rename_to(target)) throw refuse(errno);
    // The rename is only durable once the folder is; a file system that cannot sync a folder
    // (EINVAL) has no better to offer.
    const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.fd() < 0) return;
    const int failed = ::fsync(directory.fd()) == 0 ? 0 : errno;
    if (failed == EIO || failed == ENOSPC)
        throw EnvironmentError(folder + ": cannot be synchronised: " + std::strerror(failed));
}

void make_folder(const std::string& path) {
    std::error_code code;
    std::filesystem::create_directories(path, code);
    if (code)
        throw EnvironmentError(path + ": the folder cannot be made: " + code.message() +
                               "; name another with --results or --out");
}

void check_writable(const std::string& folder, std::size_t bytes) {
    Temporary temporary(folder);
    if (!temporary.write(std::string(bytes, '\0')) || !temporary.close()) {
        const int why = errno;
        throw EnvironmentError(folder + ": cannot hold " + std::to_string(bytes) + " more bytes: " +
                               std::strerror(why) + "; free some space or name another folder");
    }
}

}  // namespace rooftune
