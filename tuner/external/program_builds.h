// Builds of a program, one current at a time: a build runs in the program's own folder, as its author would
// run it, and leaves there what it leaves. Nothing else writes there: no file is copied, put back or removed,
// since it may be somebody else's by then. Variants that are measured in turn are built in turn.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace rooftune::external {

/// A word of a command that may be the file of a program.
struct ProgramWord {
    std::string file;         ///< as the command has it, from its folder
    bool is_by_build = true;  ///< false: other values of the build make a file of another name
};

class ProgramBuilds {
public:
    /// `folder`: where builds run. `state`: a file that tells which build was the last one; the processes of
    /// one tune share it, one after the other, and whoever begins removes it (lock_folder()).
    ProgramBuilds(std::string folder, std::string state);

    /// Makes `folder` what this build leaves; does nothing where it was the last one and the program is still
    /// as it left it. `words`: those of the command, of which the files that can be executed are the program.
    /// Throws VariantError with the build's last lines where it fails, takes longer than compile_limit(), or
    /// leaves the program of other values as it was; EnvironmentError for want of space or memory. Whatever a
    /// build leaves running is ended.
    void use(const std::vector<std::string>& build, const std::vector<ProgramWord>& words) const;

    /// Whether the last build was this one, and the program is as it left it.
    bool is_current(const std::vector<std::string>& build, const std::vector<ProgramWord>& words) const;

private:
    /// A file as it was seen: one of these changes when it is written, or another one stands in its place.
    struct Seen {
        std::int64_t changed = 0;
        std::uint64_t bytes = 0, inode = 0, device = 0;
        bool operator==(const Seen&) const = default;
    };
    using Listing = std::map<std::string, Seen>;

    /// Files and symbolic links below the folder.
    Listing listing() const;
    /// The program's files.
    Listing programs(const std::vector<ProgramWord>& words) const;
    static std::string text_of(const Listing& files);
    void run(const std::vector<std::string>& build) const;
    [[noreturn]] void refuse(const std::vector<std::string>& build, const Listing& programs) const;

    std::string folder_, state_;
};

}  // namespace rooftune::external
