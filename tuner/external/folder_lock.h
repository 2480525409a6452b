// One rooftune at a time builds programs in a folder: another one's builds would be measured as this one's.
#pragma once

#include <memory>
#include <string>

namespace rooftune::external {

/// Holds a folder for builds, for as long as anybody in this process has one of it.
class FolderLock {
public:
    virtual ~FolderLock() = default;
};

/// The file that tells which build of a folder was the last one, in kernel_cache().
std::string build_state(const std::string& folder);

/// Takes the folder, or shares it with whoever in this process has it already, and forgets what was built
/// there before. Child processes need none of their own. Throws EnvironmentError where another process has
/// it.
std::shared_ptr<FolderLock> lock_folder(const std::string& folder);

}  // namespace rooftune::external
