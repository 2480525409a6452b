#include "tuner/tune/short_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include "tuner/base/si.h"
#include "tuner/tune/summary.h"

namespace rooftune {
namespace {

constexpr int kMostThreads = 10;

// Of the winner; older results know only what it was allowed.
int threads_of(const TuneResult& r) {
    if (r.needs.threads > 0) return r.needs.threads;
    const auto chosen = r.best.find("threads");
    return std::max(1, chosen == r.best.end() ? r.threads : std::atoi(chosen->second.c_str()));
}

}  // namespace

bool is_mostly_call(const TuneResult& r) {
    const int parts = r.backend == "opencl" ? kMostThreads : std::clamp(threads_of(r), 1, kMostThreads);
    const double gap = usable_gap(r.certificate).value;
    return !r.best.empty() && r.seconds.median > 0.0 && r.seconds.median < kShortCall * parts &&
           std::isfinite(gap) && gap >= 1.0 && r.fraction_of_variant_bound < 0.5;
}

std::string left_text(const TuneResult& r) {
    std::string left = gap_sentence(r.certificate);
    if (!is_mostly_call(r)) return left;
    left.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(left.front())));
    const int threads = threads_of(r);
    const std::string call = r.backend == "opencl" ? "starting its work groups"
                             : threads > 1
                                 ? fmt::format("calling it and starting and joining {} threads", threads)
                                 : std::string("calling it");
    return fmt::format(
        "Not known: a repetition takes {}, of which {} may be the most, and no bound covers that. By the "
        "bounds "
        "alone: {}",
        format_seconds(r.seconds.median), call, left);
}

std::string left_cell(const TuneResult& r) {
    return is_mostly_call(r) ? "not known" : gap_share(usable_gap(r.certificate));
}

std::string short_call_advice() {
    return "Put more work into one call (a larger problem, or many of this size together): only then do "
           "bounds "
           "say how much is left.";
}

}  // namespace rooftune
