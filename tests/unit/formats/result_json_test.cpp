#include "tuner/formats/result_json.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/support/schema_check.h"
#include "tests/unit/formats/example_result.h"
#include "tests/unit/formats/temporary_folder.h"
#include "tuner/formats/record.h"

using namespace rooftune;
using Catch::Contains;
using test::example_result;

namespace {

constexpr const char* kSchema = "tune-result.schema.json";

std::vector<std::string> faults(const Json& document) {
    return test::SchemaCheck("configs/schema").faults(document, kSchema);
}

std::string complaint(const Json& document) {
    try {
        result_from(StrictObject(document, "result.json"));
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

/// The example with the value at a pointer replaced.
Json changed(const std::string& pointer, Json value) {
    Json document = to_json(example_result());
    document.at(Json::json_pointer(pointer)) = std::move(value);
    return document;
}

TuneResult without_winner() {
    TuneResult r = example_result();
    r.best.clear();
    r.seconds = {};
    return r;
}

}  // namespace

TEST_CASE("result: every key that was promised is there", "[result_json]") {
    const Json json = to_json(example_result());
    for (const char* pointer : {"/schema",
                                "/family",
                                "/problem/matrix",
                                "/machine/id",
                                "/machine/name",
                                "/state",
                                "/threads",
                                "/best/variant/format",
                                "/best/seconds/median",
                                "/best/seconds/low",
                                "/best/seconds/high",
                                "/best/seconds/min",
                                "/best/flops_per_second",
                                "/best/fraction_of_variant_bound",
                                "/best/fraction_of_problem_roof",
                                "/best/fraction_of_roof_now",
                                "/best/speedup_over_naive",
                                "/best/speedup_over_default",
                                "/best/verified/error",
                                "/best/verified/tolerance",
                                "/bound/seconds_lower",
                                "/bound/seconds_serial",
                                "/bound/binding",
                                "/bound/terms/0/kind",
                                "/bound/terms/0/level",
                                "/explanation/levers/0/at_most",
                                "/explanation/estimates/0/seconds",
                                "/explanation/settled_by_proof/0",
                                "/certificate/space",
                                "/certificate/excluded",
                                "/certificate/set_aside",
                                "/certificate/measured",
                                "/certificate/raced_out",
                                "/certificate/failed",
                                "/certificate/failed_environment",
                                "/certificate/unmeasured",
                                "/certificate/gap",
                                "/certificate/gap_low",
                                "/certificate/gap_high",
                                "/certificate/sampled/unmeasured/population",
                                "/certificate/sampled/raced_out/upper_limit",
                                "/certificate/margin",
                                "/certificate/epsilon",
                                "/certificate/stopped_by",
                                "/certificate/violations",
                                "/certificate/audit/measured",
                                "/certificate/audit/violations",
                                "/certificate/audit/regrets",
                                "/certificate/audit/upper_limit",
                                "/certificate/audit/excluded/drawn",
                                "/certificate/audit/set_aside/drawn_wrong",
                                "/files/config",
                                "/files/header",
                                "/files/plot",
                                "/runner_up/variant/chunk",
                                "/runner_up/time_over_best/median",
                                "/needs/vector_bits",
                                "/needs/threads",
                                "/binding_ceilings/0/max",
                                "/binding_ceilings/1/of",
                                "/grown/0/to",
                                "/edges/0/reason"})
        CHECK(json.contains(Json::json_pointer(pointer)));
    CHECK(json["schema"] == "rooftune/tune-result/4");
    CHECK(json["best"]["verified"]["tolerance"] == 1);
    CHECK(json["best"]["flops_per_second"].get<double>() == Approx(8e9));
    CHECK(json["certificate"]["failed_environment"] == 7);
    CHECK(json["facts"].dump() == R"({"rows":1000.0,"nonzeros":50000.0,"longest row":72.0})");
}

TEST_CASE("result: there and back is the same document", "[result_json]") {
    for (const TuneResult& result : {example_result(), without_winner(), TuneResult(example_result())}) {
        const Json json = to_json(result);
        const Json again = parse_json(json_text(json), "f");
        CHECK(again == json);
        CHECK(to_json(result_from(StrictObject(again, "f"))) == json);
    }
    const TuneResult back = result_from(StrictObject(to_json(example_result()), "f"));
    CHECK(back.best == example_result().best);
    CHECK(back.facts == example_result().facts);
    CHECK(back.bound.terms[1].demoted);
    CHECK(back.certificate.excluded_by == example_result().certificate.excluded_by);
    CHECK(back.ceilings[0].bandwidth);
    CHECK(back.bound.terms[0].beyond == 65536.0);
    CHECK(back.bound.terms[0].level == "L2");
    REQUIRE(back.explanation.opportunities.size() == 3);
    CHECK(back.explanation.opportunities[1].to == example_result().explanation.opportunities[1].to);
    CHECK_FALSE(back.explanation.opportunities[2].proven);
    CHECK(back.explanation.estimates[0].why == "indexed loads");
    CHECK(back.explanation.settled_by_proof == std::vector<std::string>{"threads", "simd"});
    CHECK(back.runner_up == example_result().runner_up);
    CHECK(back.runner_up_ratio.low == 1.01);
    CHECK(back.needs.vector_bits == 512);
    CHECK(back.needs.threads == 2);
    REQUIRE(back.binding_ceilings.size() == 2);
    CHECK(back.binding_ceilings[0].median == 4.1e10);
    CHECK(back.binding_ceilings[1].of == "winner");
    REQUIRE(back.grown.size() == 1);
    CHECK(back.grown[0].from == "1024");
    CHECK(back.grown[0].to == "4096");
    REQUIRE(back.edges.size() == 1);
    CHECK(back.edges[0].value == "16");
    CHECK(back.edges[0].reason == "the kernels are compiled with no more");
}

TEST_CASE("result: an older one has no runner-up, needs, binding ceilings or edges, and reads",
          "[result_json]") {
    Json document = to_json(example_result());
    for (const char* key : {"runner_up", "needs", "binding_ceilings", "grown", "edges"}) document.erase(key);
    CHECK(faults(document).empty());
    const TuneResult back = result_from(StrictObject(document, "f"));
    CHECK(back.runner_up.empty());
    CHECK(back.needs.vector_bits == 0);
    CHECK(back.binding_ceilings.empty());
    CHECK(back.grown.empty());
    CHECK(back.edges.empty());
    CHECK(to_json(back) == document);
}

TEST_CASE("result: an older one told its gap by the upper end, and drew no sample", "[result_json]") {
    Json document = to_json(example_result());
    for (const char* key : {"gap_low", "gap_high", "sampled"}) document["certificate"].erase(key);
    CHECK(faults(document).empty());
    const CertificateReport back = result_from(StrictObject(document, "f")).certificate;
    CHECK(back.gap_high == back.gap);
    CHECK(back.gap_low == back.gap);
    CHECK(back.sampled.drawn() == 0);
    CHECK(complaint(changed("/certificate/sampled/raced_out/faster", 9)) != "accepted");
    for (const int untimed : {2, 9}) {
        Json told = to_json(example_result());
        told["certificate"]["sampled"]["raced_out"]["untimed"] = untimed;
        CHECK((complaint(told) == "accepted") == (untimed == 2));
    }
}

TEST_CASE("result: documents fit their schema", "[result_json][schema]") {
    CHECK(faults(to_json(example_result())).empty());
    CHECK(faults(to_json(without_winner())).empty());
    CHECK(faults(to_json(std::vector{example_result(), without_winner()})).empty());
    CHECK(faults(to_json(std::vector<TuneResult>{})).empty());
}

TEST_CASE("result: the schema refuses planted faults, and so does the reader", "[result_json][schema]") {
    struct Fault {
        const char* pointer;
        Json value;
        const char* said;
    };
    const std::vector<Fault> planted{
        {"/schema", "rooftune/tune-result/9", "at /schema: expected the text \"rooftune/tune-result/4\""},
        {"/schema", "rooftune/tune-result/2", "older version of this program wrote: tune again"},
        {"/schema", "rooftune/tune-results/2", "at /schema: expected the text \"rooftune/tune-result/4\""},
        {"/family", 3, "at /family: expected a text"},
        {"/problem", Json::array(), "at /problem: expected an object"},
        {"/problem/dtype", 64, "at /problem/dtype: expected a text"},
        {"/machine", "intel", "at /machine: expected an object"},
        {"/state", "tepid", "one of cold, warm"},
        {"/threads", 0, "at /threads"},
        {"/threads", 1.5, "at /threads"},
        {"/best/variant", Json::object(), "at least one parameter"},
        {"/best/seconds/median", "fast", "at /best/seconds/median"},
        {"/best/seconds/median", nullptr, "at /best/seconds/median"},
        {"/best/verified/error", 1.5, "from 0.0 to 1.0"},
        {"/best/verified/tolerance", 2, "at /best/verified/tolerance"},
        {"/best/speedup_over_naive", "2x", "expected a number"},
        {"/bound/terms/0/level", 2, "at /bound/terms/0/level: expected a text"},
        {"/bound/terms/0/beyond", -1, "at /bound/terms/0/beyond"},
        {"/runner_up", nullptr, "at /runner_up: expected an object"},
        {"/runner_up/time_over_best/slots", -1, "at /runner_up/time_over_best/slots"},
        {"/needs/vector_bits", 0, "at /needs/vector_bits"},
        {"/needs/threads", "two", "at /needs/threads"},
        {"/binding_ceilings/0/of", "audit", "one of problem, winner"},
        {"/binding_ceilings/1/max", -1, "at /binding_ceilings/1/max"},
        {"/grown/0/to", 4096, "at /grown/0/to: expected a text"},
        {"/edges/0", "chunk", "at /edges/0: expected an object"},
        {"/explanation/levers/0/kind", "crowbar", "one of parameter, bottleneck"},
        {"/explanation/levers/0/at_most", "much", "at /explanation/levers/0/at_most"},
        {"/explanation/levers/1/to", Json::array(), "at /explanation/levers/1/to: expected an object"},
        {"/explanation/levers/1/open", -3, "at /explanation/levers/1/open"},
        {"/explanation/estimates/0/kind", "luck", "one of now, gathers"},
        {"/explanation/settled_by_proof", "simd", "at /explanation/settled_by_proof"},
        {"/bound/terms", Json::object(), "at /bound/terms: expected an array"},
        {"/bound/terms/1/demoted", 1, "at /bound/terms/1/demoted: expected true or false"},
        {"/certificate/excluded", -4000, "at /certificate/excluded"},
        {"/certificate/gap", -0.1, "at /certificate/gap"},
        {"/certificate/gap_high", "wide", "at /certificate/gap_high"},
        {"/certificate/sampled/unmeasured/upper_limit", 1.5,
         "at /certificate/sampled/unmeasured/upper_limit"},
        {"/certificate/sampled/raced_out/faster", -1, "at /certificate/sampled/raced_out/faster"},
        {"/certificate/stopped_by", "boredom", "one of epsilon, budget"},
        {"/certificate/audit/upper_limit", 1.01, "at /certificate/audit/upper_limit"},
        {"/certificate/excluded_by/reads", "many", "at /certificate/excluded_by/reads"},
        {"/files/plot", 7, "at /files/plot"},
        {"/plot/ceilings/0/bandwidth", "yes", "at /plot/ceilings/0/bandwidth"},
    };
    for (const Fault& fault : planted) {
        INFO(fault.pointer << " := " << fault.value.dump());
        const Json document = changed(fault.pointer, fault.value);
        CHECK_FALSE(faults(document).empty());
        CHECK_THAT(complaint(document), Contains(fault.said));
    }
}

TEST_CASE("result: each key is needed and no other is allowed, in schema and reader alike",
          "[result_json][schema]") {
    // Leaves out, and then misspells, every key of every object in turn; free-form maps are exempt.
    const Json whole = to_json(example_result());
    const auto free_form = [](const std::string& pointer) {
        return pointer == "/problem" || pointer == "/facts" || pointer == "/certificate/excluded_by" ||
               pointer == "/certificate/slice/where" || pointer.ends_with("/to") ||
               (pointer.size() > 8 && pointer.ends_with("/variant"));
    };
    // What older results lack may be missing.
    const std::set<std::string> optional = {"/budget_seconds",
                                            "/config_before",
                                            "/config_before/gap_high",
                                            "/finals_seconds",
                                            "/next",
                                            "/pattern",
                                            "/setup_seconds",
                                            "/waited_seconds",
                                            "/runner_up",
                                            "/runner_up/seconds",
                                            "/naive/seconds",
                                            "/default/seconds",
                                            "/needs",
                                            "/binding_ceilings",
                                            "/grown",
                                            "/edges",
                                            "/model_doubts",
                                            "/no_bounds",
                                            "/failures",
                                            "/accused",
                                            "/best/verified/by",
                                            "/certificate/gap_low",
                                            "/certificate/gap_high",
                                            "/certificate/sampled",
                                            "/certificate/audit/excluded",
                                            "/certificate/audit/excluded/drawn",
                                            "/certificate/audit/excluded/drawn_wrong",
                                            "/certificate/audit/set_aside/drawn",
                                            "/certificate/audit/set_aside/drawn_wrong"};
    int tried = 0;
    const auto visit = [&](const auto& self, const Json& value, const std::string& pointer) -> void {
        if (value.is_array())
            for (std::size_t i = 0; i < value.size(); ++i)
                self(self, value[i], pointer + "/" + std::to_string(i));
        if (!value.is_object() || free_form(pointer)) return;
        for (const auto& [key, member] : value.items()) {
            INFO(pointer << "/" << key);
            Json less = whole, more = whole;
            less.at(Json::json_pointer(pointer)).erase(key);
            more.at(Json::json_pointer(pointer))[key + "x"] = 1;
            const bool needed = !optional.contains(pointer + "/" + key);
            CHECK(faults(less).empty() != needed);
            const bool says_kind = pointer.empty() && key == "schema";
            if (needed)
                CHECK_THAT(complaint(less), Contains(says_kind ? "has no key \"schema\""
                                                               : "expected the key \"" + key + "\""));
            if (!needed) CHECK(complaint(less) == "accepted");
            CHECK_FALSE(faults(more).empty());
            CHECK_THAT(complaint(more), Contains("unknown key \"" + key + "x\""));
            ++tried;
            self(self, member, pointer + "/" + key);
        }
    };
    visit(visit, whole, "");
    CHECK(tried > 80);
}

namespace {

/// With what older results lack: the convergence of the search, and what is known of each point.
TuneResult with_convergence() {
    TuneResult r = example_result();
    r.convergence = {{1, 2e-5, 0.0}, {9, 1.3e-5, 0.5}, {120, 1.25e-5, 0.8}};
    r.points[1].low = 3.9e9;
    r.points[1].high = 4.1e9;
    r.points[1].bound = 8e9;
    r.points[1].binding = "reads";
    return r;
}

}  // namespace

TEST_CASE("result: the course of the search and what is known of points may be there or not",
          "[result_json][schema]") {
    const Json older = to_json(example_result()), newer = to_json(with_convergence());
    CHECK_FALSE(older.contains("course"));
    CHECK(result_from(StrictObject(older, "f")).convergence.empty());
    CHECK(result_from(StrictObject(older, "f")).points[1].bound == 0.0);
    CHECK(faults(newer).empty());
    const TuneResult back = result_from(StrictObject(newer, "f"));
    CHECK(to_json(back) == newer);
    REQUIRE(back.convergence.size() == 3);
    CHECK(back.convergence[1].evaluations == 9);
    CHECK(back.convergence[2].best_seconds == 1.25e-5);
    CHECK(back.convergence[2].excluded == 0.8);
    CHECK(back.points[1].low == 3.9e9);
    CHECK(back.points[1].binding == "reads");
    struct Fault {
        const char* pointer;
        Json value;
        const char* said;
    };
    const std::vector<Fault> planted{
        {"/course/excluded", {0.1, 0.2}, "as many numbers as \"evaluations\" has, 3"},
        {"/course/best_seconds", {1.0}, "as many numbers as \"evaluations\" has, 3"},
        {"/course/best_seconds/1", 0.0, "times above 0"},
        {"/course/best_seconds/1", nullptr, "at /course/best_seconds/1"},
        {"/course/excluded/0", 1.5, "shares from 0 to 1"},
        {"/course/evaluations/1", 500, "counts that never fall"},
        {"/course/evaluations/1", 2.5, "at /course/evaluations/1"},
        {"/plot/points/1/high", 1e9, "at /plot/points/1/high"},
        {"/plot/points/1/bound", -1, "at /plot/points/1/bound"},
        {"/plot/points/1/binding", 3, "at /plot/points/1/binding"},
    };
    for (const Fault& fault : planted) {
        INFO(fault.pointer << " := " << fault.value.dump());
        Json document = newer;
        document.at(Json::json_pointer(fault.pointer)) = fault.value;
        CHECK_THAT(complaint(document), Contains(fault.said));
    }
    Json more = newer;
    more["course"]["seconds"] = Json::array();
    CHECK_FALSE(faults(more).empty());
    CHECK_THAT(complaint(more), Contains("unknown key \"seconds\""));
}

TEST_CASE("result: counts that do not add up are refused", "[result_json]") {
    CHECK_THAT(
        complaint(changed("/certificate/space", 5001)),
        Contains("at /certificate/space: expected the sum of the six classes, 5000, found the number 5001"));
    CHECK_THAT(complaint(changed("/certificate/failed_environment", 51)), Contains("at most \"failed\", 50"));
    CHECK_THAT(complaint(changed("/best/seconds/low", 1.0)), Contains("at /best/seconds/low"));
    CHECK_THAT(complaint(changed("/bound", nullptr)), Contains("at /bound"));
    CHECK_THAT(complaint(changed("/best", nullptr)), Contains("at /bound: expected null"));
    CHECK_THAT(complaint(changed("/explanation", nullptr)), Contains("at /explanation"));
}

TEST_CASE("result: what is not finite becomes null and comes back as unknown", "[result_json]") {
    TuneResult r = example_result();
    r.certificate.gap = r.certificate.gap_low = r.certificate.gap_high = INFINITY;
    r.fraction_of_roof_now = NAN;
    r.explanation.opportunities[0].at_most = INFINITY;
    const Json json = to_json(r);
    CHECK(json["certificate"]["gap"].is_null());
    CHECK(json["best"]["fraction_of_roof_now"].is_null());
    CHECK(faults(json).empty());
    const TuneResult back = result_from(StrictObject(json, "f"));
    CHECK(std::isinf(back.certificate.gap));
    CHECK(std::isinf(back.certificate.gap_high));
    CHECK(std::isnan(back.fraction_of_roof_now));
    CHECK(std::isinf(back.explanation.opportunities[0].at_most));
}

TEST_CASE("result: files of one and of several, and names that are not UTF-8", "[result_json]") {
    const test::TemporaryFolder folder;
    const std::string one = folder.write("one.json", json_text(to_json(std::vector{example_result()})));
    CHECK(read_results(one).size() == 1);
    const std::string two =
        folder.write("two.json", json_text(to_json(std::vector{example_result(), without_winner()})));
    REQUIRE(read_results(two).size() == 2);
    CHECK(read_results(two)[1].best.empty());
    CHECK_THROWS_WITH(read_results(folder.write("bad.json", R"({"results": [{}]})")),
                      Contains("at /results/0: expected the key \"schema\""));
    TuneResult odd = example_result();
    odd.problem["matrix"] = "caf\xe9.mtx";
    const std::string text = json_text(to_json(odd));
    CHECK(read_results(folder.write("odd.json", text))[0].problem.at("matrix") == "caf\xEF\xBF\xBD.mtx");
}

TEST_CASE("outcomes have one spelling each", "[record]") {
    for (const Outcome o :
         {Outcome::measured, Outcome::raced_out, Outcome::wrong, Outcome::crashed, Outcome::illegal,
          Outcome::timed_out, Outcome::out_of_memory, Outcome::environment}) {
        Outcome back{};
        REQUIRE(outcome_from(to_text(o), back));
        CHECK(back == o);
        CHECK(is_failure(o) == (o != Outcome::measured && o != Outcome::raced_out));
    }
    Outcome untouched = Outcome::crashed;
    CHECK_FALSE(outcome_from("Measured", untouched));
    CHECK_FALSE(outcome_from("", untouched));
    CHECK(untouched == Outcome::crashed);
}
