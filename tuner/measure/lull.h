// A pause, while what disturbs a machine in bursts passes.
#pragma once

#include <functional>

namespace rooftune {

/// Compilers, browsers and backups come and go within seconds. What is timed beside them tells little and
/// takes two to four times as long, so disturbed turns are followed by a pause until a look finds nobody: two
/// in a row, or one that took long. A short one by itself is most often nobody's burst, but a thread that
/// read a message: beside a coordinator that woke ten times a second, pauses of 80 ms for each took an
/// agent's helper 45 % of its time. Turns save up for pauses: all of them together take at most twice as long
/// as the turns before them did, and one at most four seconds. Where somebody never goes they are in vain,
/// and what turns save is halved every second and a half of that, down to a twentieth; undisturbed turns do
/// not make up for that, since those of few threads may be undisturbed on a machine on which those of many
/// never are.
class Lull {
public:
    /// `look` runs on what is measured on for a few hundredths of a second, and says whether it was
    /// undisturbed; `now` is a clock, and `sleep` sleeps, both in seconds.
    Lull(std::function<bool()> look, std::function<double()> now, std::function<void(double)> sleep);

    /// A turn ended that took so long, pauses left out.
    void note(double seconds, bool disturbed);

    /// Pauses if the last turns were disturbed so, at most for `most` seconds; how long it took.
    double pause(double most);

private:
    std::function<bool()> look_;
    std::function<double()> now_;
    std::function<void(double)> sleep_;
    double in_a_row_ = 0.0;  ///< seconds of the last turns, all disturbed
    int turns_in_a_row_ = 0;
    bool disturbed_ = false;   ///< they are worth a pause
    double saved_ = 0.0;       ///< seconds that pauses may take by now
    double share_ = 1.0;       ///< of a turn's time that is saved
    double in_vain_ = 0.0;     ///< seconds of pauses since the last quiet look, or since less was saved
    double look_took_ = 0.03;  ///< the last look, seconds
};

}  // namespace rooftune
