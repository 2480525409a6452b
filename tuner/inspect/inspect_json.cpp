#include "tuner/inspect/inspect_json.h"

#include <nlohmann/json.hpp>

#include "tuner/formats/json_values.h"

namespace rooftune {
namespace {

const char* unit_of(FactKind kind) {
    return kind == FactKind::count ? "count" : kind == FactKind::share ? "share" : "number";
}

Json density_json(const Density& density) {
    Json rows = Json::array();
    for (int y = 0; y < density.height; ++y) {
        Json row = Json::array();
        for (int x = 0; x < density.width; ++x) row.push_back(density.at(y, x));
        rows.push_back(std::move(row));
    }
    return {{"rows", density.rows}, {"cols", density.cols}, {"entries", std::move(rows)}};
}

}  // namespace

Json to_json(const Inspected& found) {
    const Space& space = *found.setting.space;
    Json facts = Json::array();
    for (const InspectedFact& fact : found.inspection.facts) {
        facts.push_back({{"key", fact.key},
                         {"name", fact.name},
                         {"value", finite_or_null(fact.value)},
                         {"kind", unit_of(fact.kind)},
                         {"at_least", fact.at_least}});
    }
    Json ways = Json::array();
    for (const StorageWay& way : found.ways) {
        ways.push_back({{"stored_as", space.to_map(way.choice)},
                        {"variants", way.variants},
                        {"bytes", way.bytes},
                        {"seconds_lower", positive_or_null(way.lower)},
                        {"binding", text_or_null(way.binding)},
                        {"seconds_estimated", positive_or_null(way.estimate)},
                        {"promising", way.promising ? Json(space.to_map(*way.promising)) : Json(nullptr)}});
    }
    return {{"schema", kInspectSchema},
            {"family", found.family},
            {"title", found.setting.problem->title()},
            {"problem", found.setting.problem->spec()},
            {"machine", text_or_null(found.machine)},
            {"facts", std::move(facts)},
            {"density", found.inspection.density ? density_json(*found.inspection.density) : Json(nullptr)},
            {"ways", std::move(ways)}};
}

}  // namespace rooftune
