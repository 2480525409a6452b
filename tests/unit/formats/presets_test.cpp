// Conformance of the presets: every file in configs/machines reads, fits the schema, says where each value
// is from, and gives roofs and ridges that a chip could have.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "models/conditions.h"
#include "models/roofs.h"
#include "tests/support/catch.h"
#include "tests/support/schema_check.h"
#include "tuner/formats/machine_file.h"

using namespace rooftune;
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> presets() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator("configs/machines")) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<std::string> schema_faults(const std::string& text) {
    return test::SchemaCheck("configs/schema").faults(parse_json(text, "m.json"), "machine.schema.json");
}

double preset_peak(const Machine& m, DType dtype) {
    return Roofs(m).compute(dtype, 4096, 1).rate;
}

double ridge(const std::string& preset, DType dtype) {
    const Machine m = read_machine_file("configs/machines/" + preset + ".json");
    return preset_peak(m, dtype) / Roofs(m).bandwidth(1).front().both;
}

// A preset with one thing taken away or put in, as text.
std::string changed(const std::string& pointer, const Json& value) {
    Json document = read_json_file("configs/machines/tpu-v5e.json");
    const Json::json_pointer at(pointer);
    if (value.is_null()) {
        document.at(at.parent_pointer()).erase(at.back());
    } else {
        document[at] = value;
    }
    return document.dump();
}

}  // namespace

TEST_CASE("presets: every file reads, comes back the same, fits the schema and is named as its machine") {
    REQUIRE(presets().size() >= 11);
    for (const fs::path& file : presets()) {
        INFO(file.string());
        REQUIRE(file.extension() == ".json");
        const Machine m = read_machine_file(file.string());
        CHECK(m.id == file.stem().string());
        CHECK_FALSE(m.name.empty());
        CHECK(parse_machine(machine_to_json(m), "again.json") == m);
        CHECK(schema_faults(read_text_file(file.string())).empty());
        CHECK(schema_faults(machine_to_json(m)).empty());
    }
}

TEST_CASE("presets: every value is positive, whole-machine, and says where it was published") {
    for (const fs::path& file : presets()) {
        const Machine m = read_machine_file(file.string());
        INFO(m.id);
        CHECK(m.topology.source.size() > 10);
        for (const Ceiling& c : m.ceilings) {
            INFO(describe(c));
            CHECK(c.max > 0.0);
            CHECK(c.source.size() > 10);
            CHECK(c.source != "probe");
            CHECK(c.when.threads == 0);
            CHECK(c.when.footprint.value == 0.0);
            CHECK(c.excludes == may_exclude(c.resource, c.when));
            CHECK((!c.when.sparse || !c.note.empty()));
        }
    }
}

TEST_CASE("presets: the ridge of every element type is one that a chip could have") {
    for (const fs::path& file : presets()) {
        const Machine m = read_machine_file(file.string());
        const Roofs roofs(m);
        INFO(m.id);
        REQUIRE(roofs.bandwidth(1).size() == 1);
        const BandwidthStep& step = roofs.bandwidth(1).front();
        CHECK(step.from == 0.0);
        // Reads, writes and both together are bounded, and both together are no more than each on its own.
        CHECK(step.read > 0.0);
        CHECK(step.write > 0.0);
        CHECK(step.both >= step.read);
        CHECK(step.both >= step.write);
        CHECK(step.both <= step.read + step.write);
        int types = 0;
        for (int i = 0; i < kDTypes; ++i) {
            const double top = preset_peak(m, static_cast<DType>(i));
            if (top == 0.0) continue;
            ++types;
            CHECK(top / step.both > 0.2);
            CHECK(top / step.both < 2000.0);
        }
        CHECK(types >= 1);
    }
}

TEST_CASE("presets: the ridges that are published") {
    CHECK(ridge("tpu-v5e", DType::bf16) == Approx(240.24).margin(0.005));
    CHECK(ridge("h100-sxm", DType::bf16) == Approx(295.2).margin(0.05));
    CHECK(ridge("m2-ultra", DType::f32) == Approx(34.0).margin(0.05));
    CHECK(ridge("m1-max", DType::f32) == Approx(26.0).margin(0.05));
    CHECK(ridge("tpu-v5p", DType::f32) == Approx(3.0).margin(0.5));
}

TEST_CASE("presets: what the two files of the same study state in two directions") {
    const auto step = [](const char* preset) {
        const Machine m = read_machine_file(std::string("configs/machines/") + preset + ".json");
        return Roofs(m).bandwidth(1).front();
    };
    CHECK(step("xeon-e5345").read == Approx(21.33e9));
    CHECK(step("xeon-e5345").write == Approx(10.66e9));
    CHECK(step("xeon-e5345").both == Approx(21.33e9));
    CHECK(step("t5140").read == Approx(42.66e9).epsilon(1e-3));
    CHECK(step("t5140").write == Approx(21.33e9).epsilon(1e-3));
    CHECK(step("t5140").both == Approx(64e9));
    CHECK(step("opteron-2356").write == Approx(21.33e9));
}

TEST_CASE("presets: a measured file lacks nothing, a preset may, and neither without a word of its source") {
    for (const char* key : {"/topology/cpu", "/topology/memory_bytes", "/ceilings/0/note"}) {
        INFO(key);
        const std::string text = changed(key, nullptr);
        CHECK_NOTHROW(parse_machine(text, "m.json"));
        CHECK(schema_faults(text).empty());
    }
    for (const char* key : {"/topology/source", "/ceilings/0/source", "/ceilings/0/max",
                            "/ceilings/0/excludes", "/ceilings/0/when", "/id"}) {
        INFO(key);
        const std::string text = changed(key, nullptr);
        CHECK_THROWS_AS(parse_machine(text, "m.json"), InputError);
        CHECK_FALSE(schema_faults(text).empty());
    }
    const std::string probed = changed("/ceilings/0/source", "probe");
    CHECK_THROWS_WITH(parse_machine(probed, "m.json"), Catch::Contains("/ceilings/0"));
    CHECK_FALSE(schema_faults(probed).empty());
    const std::string unknown = changed("/topology/sockets", 2);
    CHECK_THROWS_WITH(parse_machine(unknown, "m.json"), Catch::Contains("sockets"));
    CHECK_FALSE(schema_faults(unknown).empty());
}
