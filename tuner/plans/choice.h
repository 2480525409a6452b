// What a plan runs, and why: for logs, and for whoever wonders at a time.
#pragma once

#include <map>
#include <memory>
#include <string>

namespace rooftune {

class Workers;

struct PlanChoice {
    enum class From {
        tuned,     ///< the winner that was found for this very problem on this machine
        nearby,    ///< the winner of a like problem, by the rule of a tuned set, within its reach
        fallback,  ///< the family's default variant: safe anywhere, measured nowhere
    };
    From from = From::fallback;
    std::string why;      ///< a sentence
    std::string variant;  ///< in words: "SELL-16-512 with 16-bit indices on 2 threads"
    std::map<std::string, std::string> parameters;  ///< the same, by parameter
    int threads = 1;                                ///< that run it
    std::string file;                 ///< tuned config or set it is from; empty for the fallback
    double seconds_when_tuned = 0.0;  ///< of one run, where it was tuned; 0: not known
};

struct PlanOptions {
    /// Threads that a plan may use; 0: one for each processing unit that this process may run on. A config
    /// that was tuned for more is passed over.
    int threads = 0;
    /// The caches between runs: "warm", where one run follows another on the same data, or "cold".
    std::string state = "warm";
    /// Threads to run on; empty: those that all plans share, `Workers::shared(threads)`.
    std::shared_ptr<Workers> workers{};
};

}  // namespace rooftune
