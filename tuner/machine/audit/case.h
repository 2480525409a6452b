// What an audit measures: one piece of somebody's code at one size, and what came of it.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "models/units.h"
#include "models/vocabulary.h"

namespace rooftune::audit {

/// The level of a kernel whose data fit into the caches of the machine, it is not said which: tables tell the
/// size beside it.
inline constexpr const char* kSomeCache = "a cache";

/// What one repetition does at least, whoever wrote it.
struct Amounts {
    Operations flops{0.0};  ///< by the textbook's count (2mnk); 0: not judged as compute
    /// Bytes that the loop itself must move: no write-allocation, nothing evicted and read again. 0: not
    /// judged.
    Bytes read{0.0}, written{0.0};
    Bytes footprint{0.0};  ///< distinct bytes over all threads together
    bool operator==(const Amounts&) const = default;
};

/// One kernel of one peer at one size.
struct Case {
    std::string peer;    ///< whose: "OpenBLAS"
    std::string kernel;  ///< "gemm 1024", "triad"
    std::string level;   ///< what serves the footprint: "L2", "memory"; a label only
    DType dtype = DType::f64;
    int threads = 1;
    Amounts least{};
    /// The mix that its instructions are nearest to, for a comparison with ceilings of the same kind.
    Mix like = Mix::none;
    bool whole_kernel = false;  ///< a whole kernel, whose traffic is a part of what it does; not a plain loop
    int turn = -1;  ///< of three passes the one that it takes part in (0, 1, 2); −1: all of them
    std::map<std::string, std::string> arguments{};  ///< for the peer's own use

    bool operator==(const Case&) const = default;
};

/// "OpenBLAS gemm 1024, f64, 2 threads".
std::string describe(const Case& c);

enum class Outcome {
    measured,
    absent,   ///< the peer cannot do this here: not installed, wrong processor
    wrong,    ///< its answer is not right
    failed,   ///< says why
    crashed,  ///< by a signal, or an exit without an answer
    hung,     ///< killed at the deadline
};
std::string_view to_text(Outcome o);

struct Measurement {
    Outcome outcome = Outcome::failed;
    std::string detail{};  ///< what the code turned out to be; unless measured, what went wrong
    double seconds = 0.0;  ///< of one repetition, in the fastest window
    int windows = 0;       ///< that it was the fastest of
    /// What a repetition really does, where only the child knows; else what the case says.
    std::optional<Amounts> amounts{};
    double error = 0.0;  ///< of the checked answer, over what rounding explains
};

}  // namespace rooftune::audit
