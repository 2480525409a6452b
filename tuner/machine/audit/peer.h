// Somebody's code that an audit can run. Each peer is asked for its cases in the program and does its work in
// a child process of its own: loading a library may start threads, and measuring may crash or hang.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/machine.h"
#include "tuner/machine/audit/case.h"

namespace rooftune::audit {

/// A size to measure at: well inside what one level serves on so many threads.
struct Place {
    std::string level;  ///< "L1", "memory"
    int threads = 1;
    Bytes footprint{0.0};  ///< of all threads together
};

/// Where an audit takes place.
struct PeerSetting {
    Topology topology;
    std::vector<int> cpus;      ///< a case on n threads has the first n of them
    std::vector<Place> places;  ///< on one and on all threads, every level
    /// A rate in byte/s that a walk over the place will not pass by much, to size its windows with.
    std::function<double(const Place&)> expected_rate{};

    /// One, and all where that is another number.
    std::vector<int> thread_counts() const;
};

/// The middle of each region of the topology on one and on all threads. A cache that all threads share is not
/// counted once a thread; memory is several times the last cache and at most `largest`.
std::vector<Place> places_of(const Topology& topology, int threads, Bytes largest);

struct Found {
    bool ok = false;
    std::string detail;  ///< its version; unless ok, why it cannot be used here
};

struct Peer {
    std::string name;
    std::string package;  ///< Debian's; empty when it is part of this program
    /// Environment of the child for a case on so many threads, beyond what all children get (the numbers of
    /// threads that the usual libraries read); an empty value removes the variable. May be empty.
    std::function<std::vector<std::pair<std::string, std::string>>(int threads)> environment;
    std::function<std::vector<Case>(const PeerSetting&)> cases;
    /// In the child: whether it is there, and which.
    std::function<Found()> find;
    /// In the child, whose affinity mask is `cpus` by then: checks one answer, then measures for about
    /// `seconds`. May throw; a library that cannot run the case returns `absent`.
    std::function<Measurement(const Case&, const std::vector<int>& cpus, double seconds)> measure;
};

}  // namespace rooftune::audit
