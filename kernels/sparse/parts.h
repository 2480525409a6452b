// Work on a matrix that is shared out among processors before there is a team.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace rooftune::sparse {

/// Processors that the calling thread may use: of its mask as it is now, no more than the control group
/// allows, at least 1 (std::thread::hardware_concurrency() knows neither).
std::int64_t usable_processors();

/// Calls body(i, cuts[i], cuts[i+1]) for all i, each on a thread of its own, the first on the caller's. Not
/// on the pinned team: problems are made before a team exists, and pinning the caller here would outlive the
/// call. The threads run where the caller may, take no signals of the program's, and are gone afterwards;
/// parts that no thread could be started for run on the caller's. The first exception of a part is thrown
/// again.
void for_parts(const std::vector<std::int64_t>& cuts,
               const std::function<void(std::size_t, std::int64_t, std::int64_t)>& body);

}  // namespace rooftune::sparse
