// How many members a struct has, for tests that no list of fields forgets one: its writer and its reader
// would forget it together, so that nothing else would notice.
#pragma once

#include <cstddef>

namespace rooftune::test {

/// Converts to whatever a member is.
struct Anything {
    template <class T>
    operator T() const;  // NOLINT(google-explicit-constructor): that is its purpose
};

/// How many members an aggregate has: the most that its braces take.
template <class T, class... Given>
constexpr std::size_t members() {
    if constexpr (requires { T{Given{}..., Anything{}}; })
        return members<T, Given..., Anything>();
    else
        return sizeof...(Given);
}

}  // namespace rooftune::test
