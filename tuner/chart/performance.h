// What an axis of performance shows: flop/s, or repetitions a second of a kernel without flops.
#pragma once

#include <cmath>
#include <string>

#include "tuner/base/si.h"

namespace rooftune {

struct Performance {
    double flops = 0.0;  ///< of one repetition; 0: none are counted

    const char* unit() const { return flops > 0.0 ? "flop/s" : "/s"; }
    /// In that unit; 0 without a time.
    double of(double seconds) const {
        if (!(seconds > 0.0) || !std::isfinite(seconds)) return 0.0;
        return (flops > 0.0 ? flops : 1.0) / seconds;
    }
    std::string text(double value) const { return format_si(value, unit()); }
};

}  // namespace rooftune
