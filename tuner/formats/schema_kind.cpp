#include "tuner/formats/schema_kind.h"

#include <array>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "kernels/runtime/nearest.h"

namespace rooftune {
namespace {

struct Kind {
    std::string_view schema;  ///< without its version
    std::string_view name;
    std::string_view from;  ///< where one comes from
};

constexpr std::array<Kind, 12> kKinds{{
    {"rooftune/machine/", "a machine file",
     "`rooftune machine` makes one, `rooftune list machines` shows those there are"},
    {"rooftune/tuned-config/", "a tuned config", "`rooftune tune` writes one for each problem"},
    {"rooftune/tuned-set/", "a tuned set", "`rooftune tune --job FILE` writes one"},
    {"rooftune/tune-result/", "a result of a tune", "a tuned config, or what `rooftune tune --json` writes"},
    {"rooftune/job/", "a job file", "configs/jobs/default.json is an example"},
    {"rooftune/kernel/", "the description of a kernel", "docs/own-kernels.md shows how one is written"},
    {"rooftune/points/", "a points file", "`rooftune import … --out FILE` writes one"},
    {"rooftune/ladder/", "a ladder", "`rooftune ladder` writes one beside a tuned config"},
    {"rooftune/records/", "records of a job", "`rooftune export` writes them"},
    {"rooftune/run/", "the answer of `rooftune run --json`", ""},
    {"rooftune/explanation/", "the answer of `rooftune explain --json`", ""},
    {"rooftune/compare/", "the answer of `rooftune compare --json`", ""},
}};

// "rooftune/machine/" of "rooftune/machine/2"
std::string_view without_version(std::string_view schema) {
    return schema.substr(0, schema.rfind('/') + 1);
}

const Kind* kind_of(std::string_view schema) {
    for (const Kind& kind : kKinds) {
        if (kind.schema == without_version(schema)) return &kind;
    }
    return nullptr;
}

}  // namespace

bool claims_to_be(const Json& document, std::string_view schema) {
    if (!document.is_object()) return false;
    const auto found = document.find("schema");
    return found != document.end() && found->is_string() &&
           found->get_ref<const std::string&>().starts_with(without_version(schema));
}

std::string_view kind_name(std::string_view schema) {
    const Kind* const kind = kind_of(schema);
    return kind ? kind->name : std::string_view();
}

void check_kind(const Json& document, const std::string& file, std::string_view wanted) {
    const Kind* const kind = kind_of(wanted);
    if (!kind || !document.is_object()) return;
    const std::string expected = "; expected " + std::string(kind->name) +
                                 (kind->from.empty() ? "" : " (" + std::string(kind->from) + ")");
    const auto found = document.find("schema");
    if (found == document.end()) {
        std::vector<std::string> keys;
        for (const auto& [key, value] : document.items()) keys.push_back(key);
        // A slip of the pen is named as such by the reader.
        if (nearest("schema", keys).empty())
            throw InputError(file + ": has no key \"schema\" that would say what it is" + expected);
        return;
    }
    if (!found->is_string() || claims_to_be(document, wanted)) return;
    const std::string_view other = kind_name(found->get_ref<const std::string&>());
    if (!other.empty()) throw InputError(file + ": is " + std::string(other) + expected);
}

}  // namespace rooftune
