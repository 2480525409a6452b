// That the list of a tune's result has every field of its structs, and each at its own key: one list writes
// and reads, so that two keys that were mixed up would come back right, and only the text itself shows them.
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/unit/formats/example_result.h"
#include "tests/unit/formats/members.h"
#include "tuner/formats/result_json.h"
#include "tuner/formats/tuned_config.h"

namespace rooftune::test {
namespace {

/// Every field set, what older results lack too, and fields of one struct to different values.
TuneResult full_result() {
    TuneResult r = example_result();
    r.strategy = "random";
    r.bound.terms[0].demoted = true;
    r.explanation.opportunities = {{.kind = "traffic",
                                    .what = {"capacity"},
                                    .seconds = 1.2e-5,
                                    .at_most = 1.04,
                                    .proven = false,
                                    .then = "compute",
                                    .how = "blocking",
                                    .to = {{"chunk", "8"}},
                                    .open = 3}};
    r.certificate.set_aside_factor = 0.9;
    r.certificate.estimate = {17, 1.3, 0.8, 2.1};
    r.certificate.replacement = {0.2, 0.19, 0.23, 57, 1, 0.98, true};
    r.certificate.sampled = {{372, 22, 1, 0.198, 2}, {108, 8, 2, 0.6, 1}, 0.28, 3};
    r.certificate.audit = {60, 1, 2, 0.05, {30, 4, 20, 3, 0.06, {1.1, 1.3}}, {29, 5, 19, 2, 0.07, {1.2}}};
    r.certificate.slice = {{{"threads", "2"}}, 2500, 1800, 150, 200, 350};
    r.points = {{"sell", 0.25, 8e9, "winner", 7e9, 9e9, 1e10, "reads"}};
    r.ceilings = {{"DRAM", true, 4e10}};
    r.convergence = {{9, 1.3e-5, 0.5}};
    r.runner_up_ratio.slots = 13;
    r.needs = {512, 3};
    return r;
}

}  // namespace

TEST_CASE("result: each member of each struct is a key of the document", "[result_json]") {
    const Json json = to_json(full_result());
    CHECK(members<TermReport>() == keys(json, {"/bound/terms/0"}));
    CHECK(members<BoundReport>() == keys(json, {"/bound"}));
    CHECK(members<OpportunityReport>() == keys(json, {"/explanation/levers/0"}));
    CHECK(members<EstimateReport>() == keys(json, {"/explanation/estimates/0"}));
    CHECK(members<ExplanationReport>() == keys(json, {"/explanation"}));
    for (const char* name : {"/certificate/audit/excluded", "/certificate/audit/set_aside"})
        CHECK(members<AuditedClass>() == keys(json, {name}));
    CHECK(members<AuditReport>() == keys(json, {"/certificate/audit"}));
    CHECK(members<EstimateFit>() == keys(json, {"/certificate/estimate"}));
    CHECK(members<ReplacementReport>() == keys(json, {"/certificate/replacement"}));
    for (const char* name : {"/certificate/sampled/unmeasured", "/certificate/sampled/raced_out"})
        CHECK(members<SampledClass>() == keys(json, {name}));
    CHECK(members<SampledReport>() == keys(json, {"/certificate/sampled"}));
    CHECK(members<SliceReport>() == keys(json, {"/certificate/slice"}));
    CHECK(members<CertificateReport>() == keys(json, {"/certificate"}));
    CHECK(members<PlotPoint>() == keys(json, {"/plot/points/0"}));
    CHECK(members<PlotCeiling>() == keys(json, {"/plot/ceilings/0"}));
    CHECK(members<ConvergencePoint>() == keys(json, {"/course"}));
    CHECK(members<CeilingReport>() == keys(json, {"/binding_ceilings/0"}));
    CHECK(members<ConfigBefore>() == keys(json, {"/config_before"}));
    CHECK(members<GrowthReport>() == keys(json, {"/grown/0"}));
    CHECK(members<EdgeReport>() == keys(json, {"/edges/0"}));
    CHECK(members<NeedsReport>() == keys(json, {"/needs"}));
    CHECK(members<TimeInterval>() == keys(json, {"/best/seconds"}));
    // The document groups some fields of the result: the keys of these eight groups are its fields instead.
    const std::size_t grouped = keys(json, {"", "/machine", "/best", "/best/verified", "/naive", "/default",
                                            "/runner_up", "/files", "/plot"}) -
                                8;
    // "schema", "flops_per_second" and "tolerance" are no fields.
    CHECK(members<TuneResult>() == grouped - 3);
}

TEST_CASE("result and tuned config: the documents as they are", "[result_json]") {
    check_golden("documents/tune_result.json", json_text(to_json(full_result())));
    const TunedConfig config{full_result(), "2024-05-31T17:04:59Z", "g++ 12.2.0", "b41ld"};
    const Json json = to_json(config);
    check_golden("documents/tuned_config.json", json_text(json));
    // "schema" is no field, and thirteen keys repeat what the result says.
    CHECK(members<TunedConfig>() == keys(json, {""}) - 14);
}

TEST_CASE("result: each field that is set comes back", "[result_json]") {
    const Json json = to_json(full_result()), nothing = to_json(TuneResult{});
    CHECK(to_json(result_from(StrictObject(json, "f"))) == json);
    // This says little where a field is what it is without being read, or where two that were mixed up are
    // equal. The keys of an object are all of one struct, but for those that hold objects.
    int leaves = 0;
    const auto visit = [&](const auto& self, const Json& value, const std::string& pointer) -> void {
        std::set<std::string> siblings;
        for (const auto& [key, member] : value.items()) {
            const std::string at = pointer + "/" + key;
            INFO(at << " is " << member.dump());
            if (member.is_structured()) {
                CHECK_FALSE(member.empty());
                self(self, member, at);
                continue;
            }
            ++leaves;
            if (!member.is_boolean()) CHECK(siblings.insert(member.dump()).second);
            const Json::json_pointer place(at);
            const bool fixed = key == "schema" || key == "tolerance" || key == "backend";
            if (nothing.contains(place) && !fixed) CHECK(nothing.at(place) != member);
        }
    };
    visit(visit, json, "");
    CHECK(leaves > 100);
}

}  // namespace rooftune::test
