#include "tuner/formats/explanation_json.h"

#include <limits>

namespace rooftune {

static void fields(Fields& f, OpportunityReport& opportunity) {
    f.one_of(
        "kind", opportunity.kind,
        {"parameter", "bottleneck", "precision", "partition", "surplus", "variant", "ceiling", "traffic"});
    f("what", opportunity.what);
    f("seconds", opportunity.seconds);
    f.number_or_null("at_most", opportunity.at_most, std::numeric_limits<double>::infinity());
    f("proven", opportunity.proven);
    f("then", opportunity.then);
    f("how", opportunity.how);
    f("to", opportunity.to);
    f("open", opportunity.open);
}

static void fields(Fields& f, EstimateReport& e) {
    f.one_of("kind", e.kind, {"now", "gathers", "streams", "traffic", "ecm", "demoted", "serial"});
    f("seconds", e.seconds);
    f("why", e.why);
}

void fields(Fields& f, ExplanationReport& explanation) {
    f("levers", explanation.opportunities);
    f("estimates", explanation.estimates);
    f("settled_by_measuring", explanation.settled_by_measuring);
    f("settled_by_proof", explanation.settled_by_proof);
}

}  // namespace rooftune
