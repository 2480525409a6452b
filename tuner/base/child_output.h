// What a child says, read with a limit on time and size, so that no child can hold this process up or fill
// its memory.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tuner/base/child_process.h"

namespace rooftune {

/// Lines of an answer, in their order.
class LineReader {
public:
    enum class End {
        line,         ///< one was read
        closed,       ///< there are no more
        late,         ///< none came in time
        too_long,     ///< what was said is longer than what is kept
        interrupted,  ///< Ctrl-C in this process
    };

    LineReader() = default;
    /// Keeps at most about `most` bytes that are not asked for yet.
    LineReader(Descriptor from, std::size_t most) : from_(std::move(from)), most_(most) {}

    /// The next line, without its end. Waits at most `seconds`.
    End next(double seconds, std::string& line);

private:
    Descriptor from_;
    std::size_t most_ = 0;
    std::string pending_;
};

/// The end of what is said on a pipe that nobody waits at.
class ChildOutput {
public:
    /// Keeps the last `keep` bytes.
    ChildOutput(Descriptor from, std::size_t keep);

    /// Reads what is there.
    void drain();
    /// For poll(); −1 when nobody writes any more.
    int fd() const { return from_.fd(); }
    /// Bytes so far.
    std::size_t seen() const { return seen_; }
    std::string text() const;

private:
    Descriptor from_;
    std::size_t keep_;
    std::size_t seen_ = 0;
    std::string text_;
};

/// Why a child has to be ended that did not end by itself.
enum class Cut { late, flooded, interrupted };

struct ChildLimits {
    double until = 0.0;              ///< by monotonic_seconds()
    std::size_t most = 0;            ///< bytes of one output
    bool stops_at_interrupt = true;  ///< false: for what has to be done after Ctrl-C
};

/// Reads what the child says until it ends, or until it has to. That others hold its outputs open then keeps
/// nobody. Outputs may have more to drain() after its end.
std::optional<Cut> wait_for_end(const ChildProcess& child, const std::vector<ChildOutput*>& outputs,
                                const ChildLimits& limits);

/// Text of several lines on one, for a message.
std::string one_line(std::string text);

}  // namespace rooftune
