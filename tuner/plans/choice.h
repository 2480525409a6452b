// What a plan runs, and why: for logs, and for whoever wonders at a time.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "kernels/runtime/public.h"
#include "tuner/plans/workers.h"

namespace rooftune {

// No container of the standard library crosses the border of the library: those of a program that is compiled
// with -D_GLIBCXX_DEBUG are others. What a header makes of them is a template, so that each has its own.

/// The values of a variant's parameters, in the order of their names. Cheap to copy.
class ROOFTUNE_PUBLIC PlanParameters {
public:
    PlanParameters() = default;
    std::size_t size() const;
    /// Throws InputError for an index that there is none of.
    const std::string& name(std::size_t index) const;
    const std::string& value(std::size_t index) const;

    /// All of them.
    template <typename Map = std::map<std::string, std::string>>
    Map map() const {
        Map all;
        for (std::size_t i = 0; i < size(); ++i) all[name(i)] = value(i);
        return all;
    }

    struct Inside;
    explicit PlanParameters(std::shared_ptr<const Inside> inside);

private:
    std::shared_ptr<const Inside> inside_;
};

struct PlanChoice {
    enum class From {
        tuned,     ///< the winner that was found for this very problem on this machine, or for a matrix of
                   ///< the same pattern and other values, which takes the same time
        nearby,    ///< the winner of a like problem, by the rule of a tuned set, within its reach, or of this
                   ///< one on more threads than the plan has, or with other factors
        fallback,  ///< the family's default variant: safe anywhere, measured nowhere
    };
    From from = From::fallback;
    std::string why;                  ///< a sentence
    std::string variant;              ///< in words: "SELL-16-512 with 16-bit indices on 2 threads"
    PlanParameters parameters;        ///< the same, by parameter
    int threads = 1;                  ///< that run it, at most: where there is less to share out, fewer do
    std::string file;                 ///< tuned config or set it is from; empty for the fallback
    double seconds_when_tuned = 0.0;  ///< of one run, where it was tuned; 0: not known
};

struct PlanOptions {
    /// Threads that a plan may use; 0: one for each processing unit that this process may run on, less where
    /// it shares them with others (see Workers). A config that was tuned for more threads serves where there
    /// is none for as many or fewer.
    int threads = 0;
    /// The caches between runs: "warm", where one run follows another on the same data, or "cold".
    std::string state = "warm";
    /// Threads to run on; empty: those of `Workers::shared(threads)`, which all plans of so many share.
    std::shared_ptr<Workers> workers{};
};

}  // namespace rooftune
