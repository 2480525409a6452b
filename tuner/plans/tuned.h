// What was tuned, as a program finds it: the configs of a folder, read once.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "kernels/runtime/public.h"

namespace rooftune {

/// A value that is cheap to copy; any number of plans may be made from it.
class ROOFTUNE_PUBLIC Tuned {
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
    template <typename Texts = std::vector<std::string>>
    Texts notices() const {
        Texts all;
        for (std::size_t i = 0; i < notice_count(); ++i) all.push_back(notice(i));
        return all;
    }
    std::size_t notice_count() const;
    const std::string& notice(std::size_t index) const;

    struct Inside;
    explicit Tuned(std::shared_ptr<const Inside> inside);
    const Inside& inside() const { return *inside_; }

private:
    std::shared_ptr<const Inside> inside_;
};

/// Reads the tuned configs and sets (*.json) of `folder` and of `folder`/tuned, which is where `rooftune
/// tune` puts them. Without a folder that of the environment variable ROOFTUNE_TUNED, if it is set. A program
/// must start without its configs too: whatever cannot be read is a notice, never an exception.
ROOFTUNE_PUBLIC Tuned load_tuned(const std::string& folder = {});

}  // namespace rooftune
