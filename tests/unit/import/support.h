// Messages of imports in tests.
#pragma once

#include <catch2/catch.hpp>
#include <string>

#include "kernels/runtime/error.h"
#include "tuner/config/measured_points.h"

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

inline const MeasuredPoint& named(const MeasuredPoints& points, const std::string& begins) {
    for (const MeasuredPoint& p : points.points) {
        if (p.name.starts_with(begins)) return p;
    }
    throw InputError("no point " + begins);
}

}  // namespace rooftune::test
