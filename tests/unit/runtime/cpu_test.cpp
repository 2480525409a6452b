#include <cstdlib>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "kernels/runtime/team.h"
#include "tests/support/catch.h"

using namespace rooftune;

namespace {

struct MaxWidth {
    explicit MaxWidth(const char* value) { setenv("ROOFTUNE_MAX_WIDTH", value, 1); }
    ~MaxWidth() { unsetenv("ROOFTUNE_MAX_WIDTH"); }
};

}  // namespace

TEST_CASE("processors that take a gather apart are told by their vendor") {
    Topology topology;
    for (const char* slow : {"AuthenticAMD", "AMD", "HygonGenuine", "Hygon"}) {
        topology.vendor = slow;
        CHECK(gathers_are_slow(topology));
    }
    for (const char* other : {"GenuineIntel", "Intel", "synthetic", ""}) {
        topology.vendor = other;
        CHECK_FALSE(gathers_are_slow(topology));
    }
}

TEST_CASE("usable widths ascend, and the mask only takes away") {
    const std::vector<int> all = usable_widths();
    CHECK(std::is_sorted(all.begin(), all.end()));
    {
        const MaxWidth mask("128");
        for (const int width : usable_widths()) CHECK(width == 128);
    }
    {
        const MaxWidth mask("256");
        for (const int width : usable_widths()) CHECK(width <= 256);
    }
    {
        const MaxWidth mask("512");
        CHECK(usable_widths() == all);
    }
}

TEST_CASE("a mask that is no width is an input error that names it") {
    for (const char* wrong : {"64", "512 ", "AVX2", "-128"}) {
        const MaxWidth mask(wrong);
        CHECK_THROWS_AS(usable_widths(), InputError);
        CHECK_THROWS_WITH(usable_widths(), Catch::Contains("ROOFTUNE_MAX_WIDTH") && Catch::Contains(wrong));
    }
}

TEST_CASE("synthetic topologies tell nodes, cores and processing units") {
    const Topology t = read_topology("numa:2 core:4 pu:2");
    CHECK(t.numa_nodes == 2);
    CHECK(t.cores == 8);
    CHECK(t.threads == 16);
    CHECK(read_topology("core:3 pu:1").numa_nodes == 1);
    const Topology cached =
        read_topology("numa:1 l3:1(size=8388608) l2:2(size=1048576) l1:1(size=32768) pu:2");
    REQUIRE(cached.caches.size() == 3);
    CHECK(cached.caches[0].level == 1);
    CHECK(cached.caches[0].reported.value == 32768.0);
    CHECK(cached.caches[0].shared_by == 2);
    CHECK(cached.caches[2].reported.value == 8388608.0);
    CHECK(cached.caches[2].shared_by == 4);
    CHECK(cached.caches[2].probed.value == 0.0);
}

TEST_CASE("what is no topology is said to be none") {
    CHECK_THROWS_AS(read_topology("nonsense:"), EnvironmentError);
    CHECK_THROWS_WITH(read_topology("nonsense:"), Catch::Contains("nonsense:"));
}

TEST_CASE("this machine's topology is the same before and after a team pins its thread") {
    const Topology before = read_topology();
    CHECK(before.threads == static_cast<int>(usable_cpus().size()));
    CHECK(before.threads >= 1);
    const Team team(usable_cpus());
    CHECK(read_topology() == before);
    CHECK(fingerprint(read_topology()) == fingerprint(before));
}

TEST_CASE("what was tuned on more of this machine than a process has is of this machine") {
    Topology present = read_topology("numa:2 core:4 pu:2"), allowed = present, machine = present;
    present.threads = 2;
    machine = read_topology("numa:4 core:4 pu:2");
    const std::vector<std::string> all = fingerprints_here(present, allowed, machine);
    CHECK(all == std::vector<std::string>{fingerprint(present), fingerprint(allowed), fingerprint(machine)});
    CHECK(fingerprints_here(allowed, allowed, machine).size() == 2);
    CHECK(fingerprints_here(allowed, allowed, allowed).size() == 1);
    CHECK(fingerprints_here().front() == fingerprint(read_topology()));
}

TEST_CASE("fingerprints tell machines apart by what decides speed, and can name a file") {
    Topology t;
    t.vendor = "Genuine Intel/™";
    t.family = 6;
    t.width_bits = {128, 256};
    t.caches = {{1, Bytes(32768.0), Bytes(0.0), 1}};
    const std::string key = fingerprint(t);
    CHECK(key.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") ==
          std::string::npos);
    Topology probed = t;
    probed.caches[0].probed = Bytes(30000.0);
    probed.memory = Bytes(1e9);
    CHECK(fingerprint(probed) == key);
    for (const int what : {0, 1, 2, 3, 4}) {
        Topology other = t;
        if (what == 0) other.threads = 2;
        if (what == 1) other.width_bits = {128};
        if (what == 2) other.caches[0].reported = Bytes(49152.0);
        if (what == 3) other.hypervisor = "KVM";
        if (what == 4) other.stepping = 1;
        CHECK(fingerprint(other) != key);
    }
    CHECK(fingerprint(Topology{}).find("unknown") == 0);
}
