// Peers with faults, for the tests of an audit: the program that answers for them is audit_child.cpp.
#pragma once

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <vector>

#include "kernels/runtime/error.h"
#include "tuner/machine/audit/peer.h"

namespace rooftune::audit::test {

inline std::vector<Peer> faulty_peers() {
    const auto peer = [](const char* name, auto&& measure) {
        Peer p;
        p.name = name;
        p.package = std::string("lib") + name;
        p.find = [] { return Found{true, "version 1"}; };
        p.measure = measure;
        return p;
    };
    using Cpus = std::vector<int>;
    std::vector<Peer> peers{
        peer("right",
             [](const Case& c, const Cpus& cpus, double seconds) {
                 Measurement m;
                 m.outcome = Outcome::measured;
                 m.seconds = 0.25;
                 m.windows = 7;
                 m.error = seconds;
                 m.detail = c.kernel + " on " + std::to_string(cpus.size()) + ", " + c.arguments.at("key");
                 m.amounts = c.least;
                 return m;
             }),
        peer("crash",
             [](const Case&, const Cpus&, double) {
                 std::fputs("about to die\n", stderr);
                 raise(SIGSEGV);
                 return Measurement{};
             }),
        peer("leave", [](const Case&, const Cpus&, double) -> Measurement { _exit(7); }),
        peer("hang",
             [](const Case&, const Cpus&, double) -> Measurement {
                 for (;;) pause();
             }),
        peer("throw",
             [](const Case&, const Cpus&, double) -> Measurement {
                 throw EnvironmentError("not on a Sunday");
             }),
        peer("chatty",
             [](const Case&, const Cpus&, double) {
                 std::puts("{\"outcome\": 0}");
                 std::fflush(stdout);
                 Measurement m;
                 m.outcome = Outcome::measured;
                 m.seconds = 0.5;
                 return m;
             }),
    };
    Peer missing = peer("missing", [](const Case&, const Cpus&, double) { return Measurement{}; });
    missing.find = [] { return Found{false, "not installed"}; };
    peers.push_back(missing);
    Peer dies = peer("dies", [](const Case&, const Cpus&, double) { return Measurement{}; });
    dies.find = []() -> Found { std::abort(); };
    peers.push_back(dies);
    return peers;
}

}  // namespace rooftune::audit::test
