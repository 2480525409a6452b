// Builds of a program, one current at a time: a build runs in the program's own folder, as its author would
// run it, and leaves there what it leaves. What it changed is copied aside, so that a build that was made
// before is put back in milliseconds: variants that are measured in turn would otherwise be built in turn.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace rooftune::external {

class KeptBuilds {
public:
    /// `folder`: where builds run, and below which all that they change lies. `store`: where copies are kept,
    /// made where it is not there; processes that have the same one share what they built, one after the
    /// other.
    KeptBuilds(std::string folder, std::string store);

    /// Makes `folder` what this build leaves; does nothing where it is so. `names_differ`: each build makes a
    /// program of another name, so that one may find everything made. Throws VariantError with the build's
    /// last lines where it fails, takes longer than compile_limit(), or changes nothing at all after another
    /// one; EnvironmentError where copies cannot be kept.
    void use(const std::vector<std::string>& build, bool names_differ);

private:
    /// A file as a listing sees it: any of these changes when it is written.
    struct Seen {
        std::int64_t changed = 0;
        std::uint64_t bytes = 0, inode = 0;
        bool operator==(const Seen&) const = default;
    };
    using Listing = std::map<std::string, Seen>;

    Listing listing() const;
    bool is_kept(const std::string& key) const;
    void keep(const std::string& key) const;
    void put_back(const std::string& key) const;
    void run(const std::vector<std::string>& build) const;

    std::string folder_, store_;
    std::string current_;  ///< key of what lies in the folder; empty: not known
};

}  // namespace rooftune::external
