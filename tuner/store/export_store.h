// A store, or one job of it, as one file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rooftune {

struct StoreExport {
    std::int64_t jobs = 0, runs = 0, records = 0, history = 0, bytes = 0;
    std::vector<std::string> left_out;  ///< rows that are not as they were written
};

}  // namespace rooftune
