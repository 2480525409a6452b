// The tuned configs and sets behind the words of a command line.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tuner/verify/claim.h"

namespace rooftune::verify {

struct Found {
    std::vector<Claim> claims;                                    ///< configs before sets
    std::vector<std::pair<std::string, std::string>> unreadable;  ///< file and why
    std::vector<std::string> passed_over;                         ///< of folders: "FILE: why"
};

/// Files as they are named; of a folder the *.json in it and in its folder `tuned` (a results folder). There
/// other documents of ours are passed over, and so is a config where a newer one is for the same problem; a
/// file that is torn, of another version, or nothing of ours is unreadable and stops nobody. A file that is
/// named twice counts once. Throws, with what to do, InputError for a path that is not there and for a folder
/// without configs, and EnvironmentError for a folder that cannot be listed.
Found find_claims(const std::vector<std::string>& paths);

}  // namespace rooftune::verify
