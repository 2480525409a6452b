// What was tuned, as a program finds it: the configs of a folder, read once.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace rooftune {

/// A value that is cheap to copy; any number of plans may be made from it.
class Tuned {
public:
    /// Nothing tuned: every plan takes its family's default variant.
    Tuned();

    /// Tuned configs (one problem each) and tuned sets of this machine.
    std::size_t configs() const;
    std::size_t sets() const;
    /// Those that were passed over because they are of another machine.
    std::size_t of_other_machines() const;
    /// Sentences for a log: files that could not be read, configs of other machines, a folder that is
    /// missing.
    const std::vector<std::string>& notices() const;

    struct Inside;
    explicit Tuned(std::shared_ptr<const Inside> inside);
    const Inside& inside() const { return *inside_; }

private:
    std::shared_ptr<const Inside> inside_;
};

/// Reads the tuned configs and sets (*.json) of `folder` and of `folder`/tuned, which is where `rooftune
/// tune` puts them. Without a folder that of the environment variable ROOFTUNE_TUNED, if it is set. A program
/// must start without its configs too: whatever cannot be read is a notice, never an exception.
Tuned load_tuned(const std::string& folder = {});

}  // namespace rooftune
