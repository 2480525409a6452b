// `--set`: what each path replaces, what it says of it, and what it refuses.
#include "tuner/formats/machine_override.h"
#include "kernels/runtime/error.h"
#include "models/roofs.h"
#include "tests/support/catch.h"
#include "tests/support/toy.h"
#include "tuner/base/quantity.h"
#include "tuner/formats/machine_file.h"

using namespace rooftune;

namespace {

Machine preset(const std::string& name) {
    return read_machine_file("configs/machines/" + name + ".json");
}

double peak(const Machine& m, DType dtype) {
    return Roofs(m).compute(dtype, 4096, 1).rate;
}

BandwidthStep memory(const Machine& m) {
    return Roofs(m).bandwidth(m.topology.threads).back();
}

MachineOverride only(Machine& m, const std::string& text, const OverrideContext& context = {}) {
    const std::vector<MachineOverride> changes = apply_overrides(m, {text}, context);
    REQUIRE(changes.size() == 1);
    return changes[0];
}

std::string complaint(const std::string& preset_name, const std::vector<std::string>& texts) {
    Machine m = preset(preset_name);
    try {
        apply_overrides(m, texts, {});
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("a quantity is a number, a prefix and a unit") {
    CHECK(quantity_from("8.1e11", "byte/s", "x") == 8.1e11);
    CHECK(quantity_from("810GB/s", "byte/s", "x") == Approx(8.1e11));
    CHECK(quantity_from("810 GB/s", "byte/s", "x") == Approx(8.1e11));
    CHECK(quantity_from("810G", "byte/s", "x") == Approx(8.1e11));
    CHECK(quantity_from("16GiB", "byte", "x") == 17179869184.0);
    CHECK(quantity_from("1Pflop/s", "flop/s", "x") == 1e15);
    CHECK(quantity_from("394 Top/s", "op/s", "x") == Approx(3.94e14));
    CHECK(quantity_from("2E", "byte", "x") == 2e18);
    CHECK(quantity_from("2e3", "byte", "x") == 2e3);
    for (const char* bad : {"", "nan", "inf", "-1", "0", "1e400", "GB/s", "1 Gb/s", "810Gbit/s", "1x",
                            "1 flop/s", "1e11 GB/s extra", "--1", "1Ki Ki"}) {
        INFO(bad);
        CHECK_THROWS_AS(quantity_from(bad, "byte/s", "x"), InputError);
    }
    CHECK_THROWS_WITH(quantity_from("810Gb/s", "byte/s", "--set m"),
                      Catch::Contains("--set m") && Catch::Contains("bits"));
    CHECK_THROWS_AS(quantity_from("1Kiflop/s", "flop/s", "x"), InputError);
}

TEST_CASE("set: a peak is the roof of its element type, higher or lower, and of no other") {
    Machine m = preset("h100-sxm");
    const MachineOverride change = only(m, "peak=1e15", {.dtype = DType::bf16});
    CHECK(peak(m, DType::bf16) == 1e15);
    CHECK(peak(m, DType::f16) == 9.89e14);
    CHECK(change.path == "peak");
    CHECK(change.was == 9.89e14);
    CHECK(change.unit == "flop/s");
    CHECK(change.source.find("NVIDIA") != std::string::npos);
    only(m, "peak.bf16=1e13");
    CHECK(peak(m, DType::bf16) == 1e13);
    only(m, "peak.int8=2P");
    CHECK(peak(m, DType::int8) == 2e15);
}

TEST_CASE("set: a unit's peak leaves the other unit as it is") {
    Machine m = preset("h100-sxm");
    only(m, "peak.f64.vector=1e13");
    CHECK(peak(m, DType::f64) == 6.7e13);
    only(m, "peak=2e13", {.dtype = DType::f64, .unit = "matrix"});
    CHECK(peak(m, DType::f64) == 2e13);
}

TEST_CASE("set: what the machine does not state can be given") {
    Machine m = preset("m1-max");
    const MachineOverride change = only(m, "peak.f64=1e11");
    CHECK(change.was == 0.0);
    CHECK(change.source.empty());
    CHECK(peak(m, DType::f64) == 1e11);
    only(m, "link.bandwidth=1e10");
    CHECK(Roofs(m).link().rate == 1e10);
}

TEST_CASE("set: memory bandwidth is that of either direction") {
    Machine m = preset("xeon-e5345");
    const MachineOverride change = only(m, "memory.bandwidth=8GB/s");
    CHECK(memory(m).read == 8e9);
    CHECK(memory(m).write == 8e9);
    CHECK(memory(m).both == 8e9);
    CHECK(change.was == 21.33e9);
    CHECK(only(m, "memory.capacity=16GiB").was == 0.0);
    CHECK(m.topology.memory.value == 17179869184.0);
}

TEST_CASE("set: on a measured machine caches keep their bandwidth, and memory gets the new one") {
    Machine m;
    m.topology.threads = 2;
    for (const double footprint : {1e5, 1e7, 9e7, 1e8}) {
        for (const Mix mix : {Mix::load, Mix::nt_copy}) {
            Conditions when;
            when.mix = mix;
            when.threads = 2;
            when.footprint = Bytes(footprint);
            m.ceilings.push_back(toy::ceiling(Resource::bandwidth, when, 1e15 / footprint));
        }
    }
    const MachineOverride change = only(m, "memory.bandwidth=5e6");
    const std::vector<BandwidthStep> steps = Roofs(m).bandwidth(2);
    REQUIRE(steps.size() == 3);
    CHECK(steps[0].both == 1e10);
    CHECK(steps[1].both == 1e8);
    CHECK(steps[2].both == 5e6);
    CHECK(steps[2].from == 9e7);
    CHECK(change.was == Approx(1e15 / 9e7));
}

TEST_CASE("set: a link by its name, or the fastest") {
    Machine m = preset("h100-sxm");
    only(m, "link.bandwidth.pcie=1e10");
    CHECK(Roofs(m).link().rate == 4.5e11);
    only(m, "link.bandwidth=2e10");
    CHECK(Roofs(m).link().rate == 2e10);
    Machine v5e = preset("tpu-v5e");
    CHECK(only(v5e, "link.bandwidth=1e9", {.link = "pcie"}).was == 1.5e10);
    CHECK(Roofs(v5e).link().rate == 4.5e10);
}

TEST_CASE("set: what is refused, and what the message offers") {
    CHECK(complaint("tpu-v5e", {"memory.bandwith=1"}).find("memory.bandwidth") != std::string::npos);
    CHECK(complaint("tpu-v5e", {"peak.bf61=1e15"}).find("peak.bf16") != std::string::npos);
    CHECK(complaint("tpu-v5e", {"peak.bf16.vektor=1e15"}).find("peak.bf16.matrix") != std::string::npos);
    CHECK(complaint("tpu-v5e", {"link.bandwidth.icy=1"}).find("link.bandwidth.ici") != std::string::npos);
    CHECK(complaint("tpu-v5e", {"peak"}).find("PATH=VALUE") != std::string::npos);
    CHECK(complaint("tpu-v5e", {"=3"}).find("PATH=VALUE") != std::string::npos);
    CHECK(complaint("tpu-v5e", {"peak.bf16=1", "peak.bf16=2"}).find("twice") != std::string::npos);
    for (const char* value : {"nan", "-1", "0", "", "inf"}) {
        INFO(value);
        CHECK_FALSE(complaint("tpu-v5e", {std::string("memory.bandwidth=") + value}).empty());
    }
    CHECK(complaint("tpu-v5e", {"memory.bandwidth=8.1e11", "peak.bf16=1e15"}).empty());
}

TEST_CASE("set: every path that is offered works") {
    for (const char* name : {"tpu-v5p", "h100-sxm", "xeon-e5345"}) {
        for (const std::string& path : override_paths(preset(name))) {
            INFO(name << " " << path);
            Machine m = preset(name);
            CHECK_NOTHROW(only(m, path + "=1e10"));
            CHECK_NOTHROW(parse_machine(machine_to_json(m), "m.json"));
        }
    }
}
