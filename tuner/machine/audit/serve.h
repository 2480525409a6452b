// The two ends of an audit's question: the program that asks, and the child that answers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tuner/machine/audit/peer.h"

namespace rooftune::audit {

/// The flag that makes a program an audit's child: `PROGRAM --audit-child PID`, PID being its parent's.
inline constexpr const char* kChildFlag = "--audit-child";

/// In the program: whether a peer can be used here, asked of a child.
Found find_peer(const std::string& program, const Peer& peer, const std::vector<int>& cpus,
                double deadline_seconds = 10.0);

/// In the program: one measurement of about `seconds` in a child of its own.
Measurement measure_in_child(const std::string& program, const Peer& peer, const Case& what,
                             const std::vector<int>& cpus, double seconds, double deadline_seconds);

/// In the child: answers the one question on standard input. Returns the exit status. Dies with `parent`.
int serve(const std::vector<Peer>& peers, int parent);

/// For a program's main: the exit status of the child that the arguments ask for, or nothing.
std::optional<int> serve_if_asked(int argc, char** argv, const std::vector<Peer>& peers);

}  // namespace rooftune::audit
