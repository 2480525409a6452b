// What `check` tells of bounds: the lowest, the first variant's and the highest, on a machine that is
// planted.
#include "tuner/own/check_bounds.h"

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/toy.h"
#include "tuner/external/declared_space.h"
#include "tuner/external/declared_work.h"
#include "tuner/external/instance.h"

using namespace rooftune;
using namespace rooftune::external;

namespace {

struct Told {
    std::string text;
    nlohmann::ordered_json json;
};

// Reads at 10 GB/s a thread, one thread unless the lines say otherwise.
Told told_of(const std::string& lines, const Machine& machine = toy::machine(), Target target = {}) {
    const std::string source =
        "// rooftune: size n = 1000\n// rooftune: inout y f64[n]\n// rooftune: call f(n, y)\n" + lines;
    Instance instance = instance_of(declaration_from(source, "mine.cpp"), {}, 1e12);
    instance.source = source;
    target.threads = 2;
    const Space space = make_space(instance, target);
    const auto model = make_work_model(instance, space, target, State::warm);
    const CheckedBounds bounds = check_bounds(space, *model, first_variant(instance, space), machine, target);
    return {bounds_text(bounds, target), bounds_json(bounds)};
}

const std::string kPasses = "// rooftune: parameter PASSES 2 1 3\n// rooftune: reads PASSES*10^9\n";

}  // namespace

TEST_CASE("bounds that differ are told of the lowest, the first and the highest") {
    const Told told = told_of(kPasses);
    CHECK(told.text ==
          "Bounds on toy: at least 100 ms (reads) in any variant, 200 ms (reads) in the first and 300 ms "
          "(reads) "
          "in the one with the highest bound.");
    CHECK(told.json.at("machine") == "toy");
    CHECK(told.json.at("least").at("seconds").get<double>() == Approx(0.1));
    CHECK(told.json.at("first").at("seconds").get<double>() == Approx(0.2));
    CHECK(told.json.at("most").at("seconds").get<double>() == Approx(0.3));
    CHECK(told.json.at("most").at("binding") == "reads");
}

TEST_CASE("no bound is told twice") {
    CHECK(told_of("// rooftune: parameter PASSES 1 2\n// rooftune: reads PASSES*10^9\n").text ==
          "Bounds on toy: at least 100 ms (reads) in any variant and 200 ms (reads) in the one with the "
          "highest "
          "bound.");
    CHECK(told_of("// rooftune: parameter PASSES 2 1\n// rooftune: reads PASSES*10^9\n").text ==
          "Bounds on toy: at least 100 ms (reads) in any variant and 200 ms (reads) in the first.");
    CHECK(
        told_of("// rooftune: parameter T 1 2\n// rooftune: reads 10^9\n").text ==
        "Bounds on toy: at least 100 ms (reads) in any variant; it is the same of all, so that none will be "
        "excluded.");
    CHECK(told_of("// rooftune: reads 10^9\n").text == "Bounds on toy: at least 100 ms (reads).");
}

TEST_CASE("where nothing bounds a variant it is not told as a time") {
    const Told some = told_of("// rooftune: parameter PASSES 0 2\n// rooftune: reads PASSES*10^9\n");
    CHECK(some.text == "Bounds on toy: at least 200 ms (reads) in the one with the highest bound.");
    CHECK(some.json.at("least").is_null());
    CHECK(some.json.at("first").is_null());
    const Told none = told_of("");
    CHECK(none.text == "Bounds: no ceiling of toy bounds a variant by this work.");
    CHECK(none.json.at("most").is_null());
}

TEST_CASE("a space too large to look through has no highest bound, and its lowest is one of all") {
    std::string many = kPasses;
    for (const char* name : {"A", "B", "C", "D", "E"})
        many += std::string("// rooftune: parameter ") + name + " 1:100\n";
    const Told told = told_of(many);
    CHECK(told.text ==
          "Bounds on toy: at least 100 ms (reads) in any variant and 200 ms (reads) in the first.");
    CHECK(told.json.at("most").is_null());
}

TEST_CASE("of a machine, or a device, that is not known it is said how it is made known") {
    Machine machine = toy::machine();
    machine.ceilings.clear();
    Told told = told_of(kPasses, machine);
    CHECK_THAT(told.text, Catch::Contains("this machine is not known") && Catch::Contains("machine --quick"));
    CHECK(told.json.is_null());
    Target target;
    target.backend = Backend::opencl;
    target.device.id = "a device";
    target.device.name = "Device \x1b[1m";
    told = told_of(kPasses, toy::machine(), target);
    CHECK_THAT(told.text, Catch::Contains("the device Device") && Catch::Contains("--backend opencl") &&
                              !Catch::Contains("\x1b"));
    CheckedBounds broken;
    broken.failure = "m.json: not valid JSON";
    CHECK_THAT(bounds_text(broken, {}), Catch::Contains("cannot be read: m.json: not valid JSON"));
    CHECK(bounds_json(broken).is_null());
}
