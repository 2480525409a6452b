// What a coordinator and its agents say to each other, as a reader of any bytes.
#pragma once

#include <string>
#include <vector>

#include "kernels/registry.h"

namespace rooftune::fuzz {

/// A stream of one message for each kind, and one with foreign lines before it. `result` and `config` are
/// texts of such documents, which some of them carry.
std::vector<std::string> node_messages(const std::string& result, const std::string& config);

/// Reads each message of the stream as whoever gets it does, with all that it carries. Throws InputError.
void read_node_messages(const std::string& bytes, const Registry& registry);

}  // namespace rooftune::fuzz
