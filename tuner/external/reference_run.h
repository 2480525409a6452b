// The reference of a user's kernel while it runs: who is told, and who is accused.
#pragma once

#include <string>

#include "kernels/contract/family.h"
#include "kernels/runtime/error.h"
#include "tuner/external/declaration.h"

namespace rooftune::external {

/// "mine.cpp:4:14:", of the reference, or of the call where that is its own.
inline std::string place_of_reference(const Declaration& d) {
    return place_of(d.file, d.reference ? *d.reference : d.call);
}

[[noreturn]] inline void accuse_reference(const Declaration& d, const std::string& what) {
    throw InputError(place_of_reference(d) + " " + what);
}

/// Calls it, with a word before and behind to whom it may concern (Bench::on_reference).
template <class Call>
void run_reference(const Bench& bench, const Declaration& d, const Call& call) {
    if (bench.on_reference) bench.on_reference(place_of_reference(d));
    call();
    if (bench.on_reference) bench.on_reference("");
}

}  // namespace rooftune::external
