// Catch2 for the tests, which are written for version 2 (Debian 12). Where version 3 is installed (Debian 13)
// this gives its things the names that they had.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)

#include <string>

#include <catch2/catch_all.hpp>

namespace Catch {
using Matchers::EndsWith;
using Matchers::Equals;
using Matchers::Matches;
using Matchers::StartsWith;
using Matchers::WithinAbs;

// Version 3 calls this ContainsSubstring: its own Contains looks for an element.
inline Matchers::StringContainsMatcher Contains(const std::string& part,
                                                CaseSensitive sensitive = CaseSensitive::Yes) {
    return Matchers::ContainsSubstring(part, sensitive);
}
}  // namespace Catch

using Catch::Approx;

#else

#include <catch2/catch.hpp>

#endif
