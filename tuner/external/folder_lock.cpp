#include "tuner/external/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <system_error>

#include "kernels/runtime/error.h"
#include "tuner/base/atomic_file.h"
#include "tuner/base/descriptor.h"
#include "tuner/base/text_hash.h"
#include "tuner/external/compiled.h"

namespace rooftune::external {
namespace {

namespace fs = std::filesystem;

std::string real_path(const std::string& folder) {
    std::error_code error;
    const fs::path real = fs::canonical(folder, error);
    return error ? folder : real.string();
}

std::string name_of(const std::string& real) {
    TextHash hash;
    hash.add(real);
    return hash.text();
}

// Whether a file, or a folder, is locked now; false where its file system has no such lock.
bool locks(const Descriptor& file, const std::string& folder) {
    if (file.fd() < 0) return false;
    if (flock(file.fd(), LOCK_EX | LOCK_NB) == 0) return true;
    if (errno == EWOULDBLOCK)
        throw EnvironmentError("another rooftune builds in " + folder +
                               "; wait until it has ended, or give this one a copy of the folder");
    return false;
}

class HeldFolder final : public FolderLock {
public:
    explicit HeldFolder(const std::string& real) : state_(build_state(real)) {
        // The folder itself has the lock: whoever builds there sees it, whatever their cache.
        lock_ = Descriptor(open(real.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (!locks(lock_, real)) {
            // NFS locks files that can be written, and no folders.
            make_folder(kernel_cache());
            const std::string file = (fs::path(kernel_cache()) / ("folder-" + name_of(real))).string();
            lock_ = Descriptor(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
            if (!locks(lock_, real))
                throw EnvironmentError(file + " cannot be locked, so that another rooftune might build in " +
                                       real + " at the same time: " + std::generic_category().message(errno) +
                                       "; set $ROOFTUNE_KERNEL_CACHE to another folder");
        }
        forget();
    }
    ~HeldFolder() { forget(); }
    HeldFolder(const HeldFolder&) = delete;
    HeldFolder& operator=(const HeldFolder&) = delete;

private:
    void forget() const {
        std::error_code ignored;
        fs::remove(state_, ignored);
    }

    std::string state_;
    Descriptor lock_;
};

}  // namespace

std::string build_state(const std::string& folder) {
    // Nodes that share a home have folders of the same path.
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    return (fs::path(kernel_cache()) / fmt::format("build-{}-{}", host.data(), name_of(real_path(folder))))
        .string();
}

std::shared_ptr<FolderLock> lock_folder(const std::string& folder) {
    static std::mutex mutex;
    static std::map<std::string, std::weak_ptr<FolderLock>> held;
    const std::scoped_lock lock(mutex);
    const std::string real = real_path(folder);
    std::weak_ptr<FolderLock>& known = held[real];
    std::shared_ptr<FolderLock> own = known.lock();
    if (!own) known = own = std::make_shared<HeldFolder>(real);
    return own;
}

}  // namespace rooftune::external
