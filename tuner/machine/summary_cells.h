// Cells of the tables in which a machine is shown.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "models/machine.h"

namespace rooftune {

/// "32 KiB", "1.5 MiB", "2 GiB"; "64 B" below a kilobyte.
std::string size_text(Bytes b);

/// In 10⁹ a second with one decimal, two below ten, three below one; "–" where nothing was measured.
std::string giga(double rate);

/// "1 thread", "2 threads"; "whole machine" for 0, a preset's rate.
std::string threads_text(int n);

/// Padded on the left to `width` columns (fmt counts bytes beyond ASCII, terminals do not).
std::string right(std::string_view text, std::size_t width);
/// The same, padded on the right.
std::string left(std::string_view text, std::size_t width);

/// The highest maximum among the ceilings that are wanted; 0 when there is none.
template <typename Wanted>
double best(const Machine& machine, const Wanted& wanted) {
    double rate = 0.0;
    for (const Ceiling& c : machine.ceilings) {
        if (wanted(c)) rate = std::max(rate, c.max);
    }
    return rate;
}

}  // namespace rooftune
