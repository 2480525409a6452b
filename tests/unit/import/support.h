// Messages of imports in tests.
#pragma once

#include <string>
#include <string_view>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tuner/formats/measured_points.h"

namespace rooftune::test {

/// What an InputError says; fails the test when none is thrown.
template <typename Read>
std::string complaint(Read&& read) {
    try {
        read();
    } catch (const InputError& e) {
        return e.what();
    }
    FAIL("no complaint");
    return "";
}

inline const MeasuredPoint& named(const MeasuredPoints& points, std::string_view begins) {
    for (const MeasuredPoint& p : points.points) {
        if (p.name.starts_with(begins)) return p;
    }
    throw InputError("no point " + std::string(begins));
}

}  // namespace rooftune::test
