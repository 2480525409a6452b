// What every example says about its plan, and how it ends.
#pragma once

#include <rooftune/rooftune.h>

#include <cstdio>
#include <exception>

/// Which variant runs, and why that one.
inline void show(const rooftune::PlanChoice& choice) {
    std::printf("runs %s: %s\n", choice.variant.c_str(), choice.why.c_str());
}

/// Loads the configs of a folder (none: of $ROOFTUNE_TUNED) and tells what it had to pass over.
inline rooftune::Tuned load_and_tell(const char* folder) {
    rooftune::Tuned tuned = rooftune::load_tuned(folder ? folder : "");
    for (const std::string& notice : tuned.notices()) std::fprintf(stderr, "note: %s\n", notice.c_str());
    return tuned;
}

/// Runs `example`, which returns the exit status; an error is its text and status 2.
template <typename Example>
int end_well(Example&& example) {
    try {
        return example();
    } catch (const std::exception& e) {
        std::fprintf(stderr, "error: %s\n", e.what());
        return 2;
    }
}
