// Problems of other tuners in T1, from outside: an OpenCL kernel is tuned as an annotated one is.
#include "tests/support/devices.h"
#include "tests/support/session.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;
using nlohmann::json;

TEST_CASE("a problem in T1 is tuned on a device, without a claim, held against the kernel itself") {
    if (devices_or_warn().empty()) return;
    const Session s;
    const std::string document = "tests/examples/documents/scale_t1.json";
    const Finished f = s.run({"tune", document, "--budget", "5s,12"});
    INFO(f.out << f.error);
    CHECK(f.status == 0);
    CHECK_THAT(f.out, Contains("Verified against the kernel itself"));
    CHECK_THAT(f.out, Contains("no ceiling bounds it"));
    const Finished again = s.run({"tune", document, "--budget", "5s,4", "--json"});
    REQUIRE(again.status == 0);
    const json r = json::parse(again.out);
    CHECK(r.at("backend") == "opencl");
    CHECK(r.at("flops_nominal") == 0.0);
    CHECK(r.at("certificate").at("space") == 23);
    CHECK(r.at("certificate").at("excluded") == 0);
    CHECK(r.at("default").at("variant").at("block_size_x") == "64");
    const Finished flags = run({program(), "flags", r.at("files").at("config").get<std::string>()});
    CHECK_THAT(flags.out, Contains("-cl-mad-enable -Dblock_size_x="));
}
