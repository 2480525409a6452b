#include "tuner/formats/schema_kind.h"

#include <nlohmann/json.hpp>

namespace rooftune {

bool claims_to_be(const Json& document, std::string_view schema) {
    if (!document.is_object()) return false;
    const auto found = document.find("schema");
    return found != document.end() && found->is_string() &&
           found->get_ref<const std::string&>().starts_with(schema.substr(0, schema.rfind('/') + 1));
}

}  // namespace rooftune
