// What takes part in a comparison: somebody's implementation of one problem, which lives in a process
// of its own.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tuner/measure/judge.h"

namespace rooftune::peers {

/// An implementation with its data, in the arm's process.
class Subject {
public:
    virtual ~Subject() = default;
    /// One repetition.
    virtual void run() = 0;
    /// One run from fresh input, judged by the family's oracle. Called before anything is timed.
    virtual Correctness check(std::uint64_t seed) = 0;
    /// What it turned out to be: the library's own name for its kernel, the variant's parameters.
    virtual std::string detail() const { return ""; }
};

/// How the process of an arm comes to its subject.
struct Arm {
    std::string name;   ///< short and without blanks, for --arms and as a key
    bool peer = false;  ///< somebody else's: ratios are reported against it
    /// Set in the arm's process before `make`: libraries that `make` loads find it.
    std::vector<std::pair<std::string, std::string>> environment;
    /// Called in the arm's process, whose affinity mask is `cpus` by then.
    std::function<std::unique_ptr<Subject>(const std::vector<int>& cpus)> make;
};

}  // namespace rooftune::peers
