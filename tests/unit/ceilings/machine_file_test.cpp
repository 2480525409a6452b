#include <unistd.h>

#include <filesystem>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tuner/ceilings/probe_machine.h"
#include "tuner/formats/machine_file.h"

using namespace rooftune;

namespace {

Machine example() {
    Machine m;
    m.id = std::string("an identity of more than a few letters");
    m.name = "a \"name\"";
    m.topology.cpu = "cpu";
    m.topology.vendor = "vendor";
    m.topology.memory = Bytes(1e9);
    m.topology.width_bits = {128, 512};
    m.topology.caches = {{1, Bytes(49152.0), Bytes(32768.0), 1}, {3, Bytes(5e8), Bytes(0.0), 2}};
    Ceiling c;
    c.resource = Resource::bandwidth;
    c.when.mix = Mix::nt_copy;
    c.when.streams = 4;
    c.when.threads = 2;
    c.when.footprint = Bytes(4096.0);
    c.when.huge_pages = true;
    c.max = 123456789012.34567;
    c.p95 = 0.1 + 0.2;
    c.windows = 7;
    c.seen = "2026-01-02T03:04:05Z";
    c.source = "probe";
    m.ceilings.push_back(c);
    c.resource = Resource::gather;
    c.when = {.dtype = DType::f32};
    c.excludes = false;
    m.ceilings.push_back(c);
    return m;
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    return text.replace(at, what.size(), with);
}

}  // namespace

TEST_CASE("a machine comes back from its file to the last digit") {
    const Machine m = example();
    CHECK(parse_machine(machine_to_json(m), "m.json") == m);
    std::string folder = (std::filesystem::temp_directory_path() / "rooftune-machine-XXXXXX").string();
    REQUIRE(mkdtemp(folder.data()) != nullptr);
    const std::string path = folder + "/m.json";
    write_machine_file(path, m);
    CHECK(read_machine_file(path) == m);
    CHECK(std::distance(std::filesystem::directory_iterator(folder), {}) == 1);
    std::filesystem::remove_all(folder);
    CHECK_THROWS_AS(write_machine_file(folder + "/m.json", m), EnvironmentError);
}

TEST_CASE("what is wrong in a machine file is named with file, place and expectation") {
    const std::string good = machine_to_json(example());
    struct Fault {
        const char* what;
        const char* with;
        const char* place;
    };
    const Fault fault = GENERATE(Fault{"rooftune/machine/2", "rooftune/machine/3", "rooftune/machine/2"},
                                 Fault{"\"cores\": 1", "\"cores\": 0", "/topology/cores"},
                                 Fault{"\"cores\": 1", "\"cores\": 1.5", "/topology/cores"},
                                 Fault{"\"cores\": 1", "\"cores\": \"1\"", "/topology/cores"},
                                 Fault{"\"cores\": 1", "\"coers\": 1", "cores"},
                                 Fault{"\"cores\": 1", "\"cores\": 1, \"cores\": 1", "cores"},
                                 Fault{"\"cores\": 1", "\"cores\": 1, \"sockets\": 1", "sockets"},
                                 Fault{"\"cores\": 1", "\"cores\": NaN", "m.json"},
                                 Fault{"\"cores\": 1", "\"cores\": 99999999999999999999", "cores"},
                                 Fault{"\"unit\": \"byte/s\"", "\"unit\": \"GB/s\"", "/ceilings/0/unit"},
                                 Fault{"\"bandwidth\"", "\"bandwith\"", "/ceilings/0/resource"},
                                 Fault{"\"nt_copy\"", "\"copies\"", "/ceilings/0/when/mix"},
                                 Fault{"\"streams\": 4", "\"streams\": -4", "/ceilings/0/when/streams"},
                                 Fault{"\"excludes\": true", "\"excludes\": 1", "/ceilings/0/excludes"},
                                 Fault{"\"windows\": 7", "\"windows\": null", "/ceilings/0/windows"},
                                 Fault{"\"max\": 123456789012.34567", "\"max\": 0.1", "/ceilings/0/p95"},
                                 Fault{"\"max\": 123456789012.34567", "\"max\": -1", "/ceilings/0/max"},
                                 Fault{"\"level\": 3", "\"level\": 1", "/topology/caches/1/level"},
                                 Fault{"512\n", "96\n", "/topology/width_bits"});
    INFO(fault.what << " → " << fault.with);
    const std::string bad = replaced(good, fault.what, fault.with);
    CHECK_THROWS_AS(parse_machine(bad, "m.json"), InputError);
    CHECK_THROWS_WITH(parse_machine(bad, "m.json"),
                      Catch::Contains("m.json") && Catch::Contains(fault.place));
}

TEST_CASE("text that is no document, or more than one, is refused") {
    const std::string good = machine_to_json(example());
    for (const std::string& bad :
         {std::string(), std::string("[]"), good + "{}", good.substr(0, good.size() / 2)}) {
        CHECK_THROWS_AS(parse_machine(bad, "m.json"), InputError);
    }
    CHECK_THROWS_AS(read_machine_file("/no/such/machine.json"), InputError);
}

TEST_CASE("the same conditions twice are refused") {
    Machine m = example();
    m.ceilings.push_back(m.ceilings.front());
    CHECK_THROWS_WITH(parse_machine(machine_to_json(m), "m.json"), Catch::Contains("/ceilings/2/when"));
}

TEST_CASE("a short plan is probed, merged, called back and can be stopped") {
    Machine m = new_machine();
    Team team({usable_cpus().front()});
    ProbePlan plan;
    plan.rounds = 2;
    plan.deadline = Seconds(5.0);
    plan.groups = {
        {{Resource::clock, {}}, {Resource::compute, {.width_bits = 64, .mix = Mix::add, .chains = 4}}},
        {{Resource::clock, {.threads = 9}}}};
    int calls = 0;
    CHECK(probe_machine(m, team, plan, [&](const Ceiling& c, double done) {
              CHECK(c.max > 0.0);
              CHECK(c.source == "probe");
              CHECK((done >= 0.0 && done <= 1.0));
              ++calls;
              return true;
          }) == 2);
    CHECK(m.ceilings.size() == 2);
    CHECK(calls >= 4);  // and more until both are saturated
    CHECK(m.ceilings.front().windows >= 2);
    const double before = m.ceilings.front().max;
    const std::vector<Ceiling> fresh = reprobe(m, team, {0, 1}, 0.02);
    REQUIRE(fresh.size() == 2);
    CHECK(fresh[0].max > 0.0);
    CHECK(m.ceilings.front().max >= before);
    Machine stopped = new_machine();
    CHECK(probe_machine(stopped, team, plan, [](const Ceiling&, double) { return false; }) == 1);
    CHECK(stopped.ceilings.size() == 1);
}
