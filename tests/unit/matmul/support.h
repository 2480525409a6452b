// The machine that matmul variants are tried on, and the trying.
#pragma once

#include <string>
#include <vector>

#include "kernels/contract/family.h"
#include "kernels/matmul/family.h"
#include "kernels/runtime/cpu.h"
#include "tests/support/catch.h"
#include "tests/support/places.h"

namespace rooftune::matmul_test {

using test::widths_up_to;

inline Target target_of(std::vector<int> widths, int threads) {
    Target target;
    target.width_bits = std::move(widths);
    target.threads = threads;
    return target;
}

/// `count` processing units; on a smaller machine some of them twice.
inline std::vector<int> cpus_of(int count) {
    const std::vector<int> usable = usable_cpus();
    std::vector<int> cpus;
    for (int i = 0; i < count; ++i) cpus.push_back(usable[static_cast<std::size_t>(i) % usable.size()]);
    return cpus;
}

/// "m=3,n=4,k=5,transa=yes"
inline ProblemSpec spec_of(const std::string& text) {
    ProblemSpec spec;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t equals = text.find('=', at);
        const std::size_t comma = std::min(text.find(',', at), text.size());
        spec[text.substr(at, equals - at)] = text.substr(equals + 1, comma - equals - 1);
        at = comma + 1;
    }
    return spec;
}

}  // namespace rooftune::matmul_test
