// What is printed of planted configs: text, JSON, and the exit status.
#include "tuner/verify/report.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/golden.h"
#include "tests/support/schema_check.h"
#include "tests/unit/verify/planted.h"
#include "tuner/formats/result_json.h"
#include "tuner/verify/verify_text.h"

using namespace rooftune;
using namespace rooftune::verify;
using namespace rooftune::test;

namespace {

Verified of(const std::string& name, const Environment& here, const std::optional<Measured>& measured) {
    Claim claim = sound_claim();
    claim.file = "tuned/" + name + ".json";
    claim.tuned.title = name;
    std::vector<Check> checks = static_checks(claim, here);
    const std::vector<Check> more = measured ? measured_checks(claim, *measured) : unmeasured_checks();
    checks.insert(checks.end(), more.begin(), more.end());
    return verified(claim, "512-bit vectors on 2 threads", checks, measured);
}

VerifyReport example() {
    VerifyReport report;
    report.machine = sound_here().machine_id;
    report.configs.push_back(of("sound", sound_here(), sound_measured()));
    Environment here = sound_here();
    here.compiler = "GNU 13.1.0";
    here.kernels_build = "other";
    report.configs.push_back(of("another compiler", here, sound_measured()));
    Measured m = sound_measured();
    m.answer = {Answer::Found::wrong, 3, 7.0, "wrong: y[3] is 4, expected 2"};
    m.turns.seconds = {};
    m.roof = {};
    m.duel = {};
    m.rival = Rival::nobody;
    report.configs.push_back(of("a wrong answer", sound_here(), m));
    m = sound_measured();
    m.duel = track::judge(rounds(20, 0.90), 0.03);
    report.configs.push_back(of("beaten", sound_here(), m));
    m = sound_measured();
    m.turns.seconds = {1.25e-3, 1.24e-3, 1.26e-3, 1.2e-3, 20};
    report.configs.push_back(of("a slower kernel", sound_here(), m));
    m.roof = {0.80e-3, 1.05e-3, 0.84e-3};
    report.configs.push_back(of("a slower machine", sound_here(), m));
    m = sound_measured();
    m.duel = track::invalid("the control drifted by 9.0 % between the halves", 0.03);
    report.configs.push_back(of("a restless machine", sound_here(), m));
    here = sound_here();
    here.widths = {128, 256};
    here.machine_id = "GenuineIntel-6-143-8-c2t2n1-w256-48K-2048K-33792Kx2-KVMKVMKVM";
    here.digest.reset();
    here.space_version.reset();
    here.no_variant.reset();
    report.configs.push_back(of("narrower vectors", here, std::nullopt));
    report.configs.push_back(unreadable(
        "tuned/torn.json", "tuned/torn.json: not valid JSON at line 7, column 3: expected a value"));
    Verified again = report.configs[0];
    again.same_as = again.file;
    again.file = "tuned/set.json";
    again.of_set = true;
    report.configs.push_back(again);
    report.passed_over = {"tuned/old.json: tuned/sound.json is newer, for the same problem"};
    report.not_verified = {"tuned/z.json"};
    return report;
}

/// The same document with six significant digits: the last ones are the platform's.
Json rounded(Json json) {
    if (json.is_number_float()) {
        const double value = json.get<double>();
        if (value == 0.0 || !std::isfinite(value)) return json;
        const double scale = std::pow(10.0, 5.0 - std::floor(std::log10(std::fabs(value))));
        return std::round(value * scale) / scale;
    }
    if (json.is_structured()) {
        for (auto& element : json) element = rounded(element);
    }
    return json;
}

VerifyReport with(std::initializer_list<Validity> verdicts) {
    VerifyReport report;
    for (const Validity verdict : verdicts) {
        report.configs.emplace_back();
        report.configs.back().verdict = verdict;
    }
    return report;
}

}  // namespace

TEST_CASE("verify as text") {
    check_golden("verify/report.txt", verify_text(example()));
    VerifyReport quick;
    quick.quick = true;
    quick.configs.push_back(of("sound", sound_here(), std::nullopt));
    check_golden("verify/quick.txt", verify_text(quick));
    CHECK(verify_text({}) == "Nothing was verified.\n");
}

TEST_CASE("verify as JSON fits its schema, planted faults do not") {
    const Json document = to_json(example());
    SchemaCheck schema("configs/schema");
    for (const std::string& fault : schema.faults(document, "verify.schema.json")) FAIL_CHECK(fault);
    for (const std::string& fault : schema.faults(to_json(VerifyReport{}), "verify.schema.json"))
        FAIL_CHECK(fault);
    check_golden("verify/report.json", json_text(rounded(document)));
    for (const auto& [pointer, value] : {std::pair<const char*, Json>{"/configs/0/verdict", "FINE"},
                                         {"/configs/0/checks/0/status", "maybe"},
                                         {"/configs/0/checks/0/name", "colour"},
                                         {"/configs/0/measured/rounds", -1},
                                         {"/complete", "no"},
                                         {"/schema", "rooftune/verify/2"}}) {
        Json planted = document;
        planted.at(Json::json_pointer(pointer)) = value;
        INFO(pointer);
        CHECK_FALSE(schema.faults(planted, "verify.schema.json").empty());
    }
}

TEST_CASE("exit status: a no before bad input, that before what the machine did not let us see") {
    using enum Validity;
    CHECK(exit_status(with({})) == 0);
    CHECK(exit_status(with({valid, valid})) == 0);
    for (const Validity no : {stale, slower, beaten, wrong}) {
        CHECK(exit_status(with({valid, no})) == 1);
        CHECK(exit_status(with({unreadable, not_here, no, undecided})) == 1);
    }
    CHECK(exit_status(with({not_here, unreadable, valid})) == 2);
    CHECK(exit_status(with({valid, not_here})) == 3);
    CHECK(exit_status(with({undecided, valid})) == 3);
}
