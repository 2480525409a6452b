// The control of comparisons between programs: a small piece of work that never changes, timed in every
// round. What bounds a program is not known, so its user says what is watched: the clock or the memory.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace rooftune::track {

enum class ControlKind {
    compute,  ///< dependent products in registers: the clock
    memory,   ///< a sum over 64 MiB: bandwidth of one thread
};

std::optional<ControlKind> control_from(std::string_view text);
/// What it is, for reports: "64 MiB read by one thread".
std::string_view describe(ControlKind kind);

class ControlLoop {
public:
    /// Takes the memory that it reads. `work` is how much there is to do, the usual being 1. Throws
    /// std::bad_alloc.
    explicit ControlLoop(ControlKind kind, double work = 1.0);

    /// Seconds of the work, the shortest of five times: some 20 ms in all. The shortest, because an
    /// interruption of a millisecond is no change of the machine.
    double seconds();

private:
    ControlKind kind_;
    int products_;
    std::vector<double> data_;
};

}  // namespace rooftune::track
