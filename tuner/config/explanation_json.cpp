#include "tuner/config/explanation_json.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "tuner/config/json_values.h"

namespace rooftune {
namespace {

Json json_of(const LeverReport& lever) {
    return {{"kind", lever.kind},
            {"what", lever.what},
            {"seconds", finite_or_null(lever.seconds)},
            {"at_most", finite_or_null(lever.at_most)},
            {"proven", lever.proven},
            {"then", lever.then},
            {"how", lever.how},
            {"to", lever.to},
            {"open", lever.open}};
}

LeverReport lever_from(StrictObject object) {
    LeverReport lever;
    lever.kind = object.one_of("kind", {"parameter", "bottleneck", "precision", "partition", "surplus",
                                        "variant", "ceiling", "traffic"});
    lever.what = object.texts("what");
    lever.seconds = object.number("seconds", 0.0);
    lever.at_most =
        object.is_null("at_most") ? std::numeric_limits<double>::infinity() : object.number("at_most", 0.0);
    lever.proven = object.flag("proven");
    lever.then = object.text("then");
    lever.how = object.text("how");
    lever.to = object.text_map("to");
    lever.open = object.count("open");
    object.finish();
    return lever;
}

}  // namespace

Json to_json(const ExplanationReport& explanation) {
    Json levers = Json::array(), estimates = Json::array();
    for (const LeverReport& lever : explanation.levers) levers.push_back(json_of(lever));
    for (const EstimateReport& e : explanation.estimates)
        estimates.push_back({{"kind", e.kind}, {"seconds", finite_or_null(e.seconds)}, {"why", e.why}});
    return {{"levers", std::move(levers)},
            {"estimates", std::move(estimates)},
            {"settled_by_measuring", explanation.settled_by_measuring},
            {"settled_by_proof", explanation.settled_by_proof}};
}

ExplanationReport explanation_from(StrictObject object) {
    ExplanationReport explanation;
    for (StrictObject& lever : object.objects("levers")) explanation.levers.push_back(lever_from(lever));
    for (StrictObject& estimate : object.objects("estimates")) {
        EstimateReport e;
        e.kind =
            estimate.one_of("kind", {"now", "gathers", "streams", "traffic", "ecm", "demoted", "serial"});
        e.seconds = estimate.number("seconds", 0.0);
        e.why = estimate.text("why");
        estimate.finish();
        explanation.estimates.push_back(std::move(e));
    }
    explanation.settled_by_measuring = object.texts("settled_by_measuring");
    explanation.settled_by_proof = object.texts("settled_by_proof");
    object.finish();
    return explanation;
}

}  // namespace rooftune
