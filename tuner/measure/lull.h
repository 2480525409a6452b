// A pause, while what disturbs a machine in bursts passes.
#pragma once

#include <functional>

namespace rooftune {

/// Compilers, browsers and backups come and go within seconds. What is timed beside them tells little and
/// takes two to four times as long, so a disturbed turn is followed by a pause: until a look finds nobody, at
/// most as long as the turn had taken. Where somebody never goes, pauses are in vain, and each of those makes
/// the next half as long.
class Lull {
public:
    /// `look` runs on what is measured on for a few hundredths of a second, and says whether it was
    /// undisturbed; `now` is a clock, and `sleep` sleeps, both in seconds.
    Lull(std::function<bool()> look, std::function<double()> now, std::function<void(double)> sleep);

    /// A turn ended that took so long, pauses left out.
    void note(double seconds, bool disturbed);

    /// Pauses if the last turn was disturbed, at most for `most` seconds; how long it took.
    double pause(double most);

private:
    std::function<bool()> look_;
    std::function<double()> now_;
    std::function<void(double)> sleep_;
    double owed_ = 0.0;   ///< the length of the last turn where it was disturbed, else 0
    double share_ = 1.0;  ///< of it that a pause may take
};

}  // namespace rooftune
