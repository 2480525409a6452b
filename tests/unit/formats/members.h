// How many members a struct has, for tests that no list of fields forgets one: its writer and its reader
// would forget it together, so that nothing else would notice.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>

#include "tuner/formats/strict_json.h"

namespace rooftune::test {

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

/// Converts to whatever a member is; to what an optional one holds, because two ways to it would be none.
struct Anything {
    template <class T>
    requires(!is_optional<T>) operator T() const;  // NOLINT(google-explicit-constructor): that is its purpose
};

/// How many members an aggregate has: the most that its braces take.
template <class T, class... Given>
constexpr std::size_t members() {
    if constexpr (requires { T{Given{}..., Anything{}}; })
        return members<T, Given..., Anything>();
    else
        return sizeof...(Given);
}

/// The keys of the objects at these pointers.
inline std::size_t keys(const Json& json, std::initializer_list<const char*> pointers) {
    std::size_t all = 0;
    for (const char* pointer : pointers) all += json.at(Json::json_pointer(pointer)).size();
    return all;
}

}  // namespace rooftune::test
