// What the tuner and its worker processes say to each other: one JSON document a line, over pipes.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "kernels/contract/family.h"
#include "models/machine.h"
#include "tuner/formats/record.h"
#include "tuner/measure/sampling.h"
#include "tuner/measure/turn_limits.h"

namespace rooftune {

/// Everything a worker needs to hold a problem. The matrix or grid itself comes by file descriptor.
struct WorkerSetup {
    std::string family;
    ProblemSpec spec;
    Target target;  ///< of a device only the id travels; the worker finds it again
    State state = State::warm;
    std::vector<int> cpus;       ///< operating-system indices, one a thread
    bool shared = false;         ///< the problem is mapped from kSharedDescriptor
    CompilerLimits compilers{};  ///< the tuner's own; they do not travel
};

/// How a worker is started: with this flag and the number of the process that starts it, which the variable
/// of its environment repeats. No program's own arguments are taken for that.
inline constexpr const char* kWorkerFlag = "--rooftune-worker";
inline constexpr const char* kWorkerMark = "ROOFTUNE_WORKER_OF";

/// The descriptor at which a worker finds the shared problem.
inline constexpr int kSharedDescriptor = 3;

/// With this detail of its answer a worker asks to be replaced (Bench::is_spoiled).
inline constexpr const char* kSpoiled = "spoiled";

struct MeasureRequest {
    std::map<std::string, std::string> variant;
    SamplingRules rules;
    int slots = 8;
    double incumbent_high = 0.0;
    std::vector<std::uint64_t> seeds;
    /// Timed in turn with the variant (EvaluationRequest::companion); empty: none.
    std::map<std::string, std::string> companion{};
    /// False: a turn of a variant that was verified before. Data are filled from the first seed, no answer is
    /// compared, and a disturbed slot is not taken again: the caller drops what is disturbed.
    bool verify = true;
    /// Whether disturbed turns are followed by pauses (lull.h): who compares turns of several processes drops
    /// disturbed rounds himself, and wants none between them.
    bool pauses = false;
};

struct RotateRequest {
    std::vector<std::map<std::string, std::string>> variants;
    SamplingRules rules;
    int rounds = 8;
    double seconds = 1.0;
    std::vector<std::uint64_t> seeds;
    std::vector<Ceiling> beside{};  ///< as in RotationRequest
    int turns_of_far_slower = 0;    ///< as in RotationRequest
};

struct ProbeRequest {
    std::vector<Ceiling> ceilings;
    double seconds = 1.0;
};

/// A worker's line: a phase that was reached, or the final answer.
struct WorkerLine {
    /// "loaded", "prepared", "screened", "verified", "round", "reference"; for the answer "done"; "failed",
    /// and "refused" where the input is at fault.
    std::string phase;
    /// failed, refused: why; loaded: kernels_build(); reference: Bench::on_reference; done: kSpoiled, or
    /// empty.
    std::string detail;
    std::vector<Record> records;               ///< done: one a variant
    std::vector<Ceiling> ceilings;             ///< done: fresh rates; of a rotation, of what was beside it
    std::vector<std::vector<double>> rates{};  ///< done, of a rotation: of each ceiling beside it, by rounds
};

/// A message as one line of JSON, without its end.
std::string to_text(const WorkerSetup& setup);
std::string to_text(const MeasureRequest& request);
std::string to_text(const RotateRequest& request);
std::string to_text(const ProbeRequest& request);
std::string to_text(const WorkerLine& line);

/// The message of one of these types. Throws nlohmann::json::exception for what is none. Impossible times and
/// rates are refused here (checked_evaluator.h).
template <class T>
T message_from(const nlohmann::json& in);

}  // namespace rooftune
