// Builds of a program, one current at a time: a build runs in the program's own folder, as its author would
// run it, and leaves there what it leaves. What it changed is copied aside, so that a build that was made
// before is put back in milliseconds: variants that are measured in turn would otherwise be built in turn.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
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
    static std::optional<Seen> seen_at(const std::string& file);
    /// Files as this left them, be it by a build or by putting them back.
    Listing left() const;
    void write_left(const Listing& left) const;
    /// Whether somebody else has written a file since then. It is theirs, and stays as it is, unless it is a
    /// program, which only builds make.
    bool is_of_others(const std::string& name, const Listing& left) const;
    bool is_kept(const std::string& key) const;
    void keep(const std::string& key, const std::vector<std::string>& names) const;
    void put_back(const std::string& key) const;
    void run(const std::vector<std::string>& build) const;

    std::string folder_, store_;
    std::string current_;  ///< key of what lies in the folder; empty: not known
};

}  // namespace rooftune::external
