#include "tests/support/schema_check.h"

#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

namespace rooftune::test {
namespace {

const std::set<std::string> kKnown{"$schema",       "$defs",        "$ref",
                                   "title",         "description",  "type",
                                   "required",      "properties",   "additionalProperties",
                                   "items",         "enum",         "const",
                                   "oneOf",         "minimum",      "maximum",
                                   "minProperties", "if",           "then",
                                   "else",          "minLength",    "maxItems",
                                   "minItems",      "maxProperties"};

bool has_type(const Json& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "null") return value.is_null();
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    throw std::logic_error("schema: unknown type " + type);
}

}  // namespace

const Json& SchemaCheck::file(const std::string& name) {
    const auto found = files_.find(name);
    if (found != files_.end()) return found->second;
    return files_.emplace(name, read_json_file(folder_ + "/" + name)).first->second;
}

SchemaCheck::Place SchemaCheck::resolve(const std::string& reference, const std::string& from) {
    const auto hash = reference.find('#');
    const std::string name = hash == 0 ? from : reference.substr(0, hash);
    const Json::json_pointer pointer(reference.substr(hash + 1));
    return {name, &file(name).at(pointer)};
}

std::vector<std::string> SchemaCheck::faults(const Json& value, const std::string& schema_file) {
    std::vector<std::string> out;
    check(value, {schema_file, &file(schema_file)}, "", out);
    return out;
}

void SchemaCheck::check(const Json& value, Place place, const std::string& pointer,
                        std::vector<std::string>& out) {
    const Json& schema = *place.schema;
    for (const auto& [keyword, unused] : schema.items())
        if (!kKnown.contains(keyword)) throw std::logic_error("schema: unknown keyword " + keyword);
    const auto fault = [&](const std::string& what) { out.push_back(pointer + ": " + what); };

    if (schema.contains("$ref")) check(value, resolve(schema["$ref"], place.file), pointer, out);
    if (schema.contains("oneOf")) {
        int fits = 0;
        std::string why;
        for (const Json& branch : schema["oneOf"]) {
            std::vector<std::string> inner;
            check(value, {place.file, &branch}, pointer, inner);
            fits += inner.empty();
            for (const std::string& text : inner) why += " | " + text;
        }
        if (fits != 1) fault("fits " + std::to_string(fits) + " of oneOf" + why);
    }
    if (schema.contains("if")) {
        std::vector<std::string> inner;
        check(value, {place.file, &schema["if"]}, pointer, inner);
        const char* branch = inner.empty() ? "then" : "else";
        if (schema.contains(branch)) check(value, {place.file, &schema[branch]}, pointer, out);
    }
    if (schema.contains("type")) {
        const Json types = schema["type"].is_array() ? schema["type"] : Json::array({schema["type"]});
        bool any = false;
        for (const Json& type : types) any = any || has_type(value, type);
        if (!any) fault("is not " + types.dump());
    }
    if (schema.contains("enum")) {
        bool any = false;
        for (const Json& allowed : schema["enum"]) any = any || allowed == value;
        if (!any) fault("is not one of " + schema["enum"].dump());
    }
    if (schema.contains("const") && schema["const"] != value) fault("is not " + schema["const"].dump());
    if (value.is_number()) {
        if (schema.contains("minimum") && value < schema["minimum"]) fault("is below the minimum");
        if (schema.contains("maximum") && value > schema["maximum"]) fault("is above the maximum");
    }
    if (value.is_string() && schema.contains("minLength") &&
        value.get_ref<const std::string&>().size() < schema["minLength"].get<std::size_t>())
        fault("is too short");
    if (value.is_array() && schema.contains("maxItems") &&
        value.size() > schema["maxItems"].get<std::size_t>())
        fault("has too many items");
    if (value.is_array() && schema.contains("minItems") &&
        value.size() < schema["minItems"].get<std::size_t>())
        fault("has too few items");
    if (value.is_array() && schema.contains("items"))
        for (std::size_t i = 0; i < value.size(); ++i)
            check(value[i], {place.file, &schema["items"]}, pointer + "/" + std::to_string(i), out);
    if (!value.is_object()) return;
    if (schema.contains("minProperties") && value.size() < schema["minProperties"].get<std::size_t>())
        fault("has too few keys");
    if (schema.contains("maxProperties") && value.size() > schema["maxProperties"].get<std::size_t>())
        fault("has too many keys");
    if (schema.contains("required"))
        for (const Json& key : schema["required"])
            if (!value.contains(key.get<std::string>())) fault("lacks " + key.dump());
    for (const auto& [key, member] : value.items()) {
        if (schema.contains("properties") && schema["properties"].contains(key)) {
            check(member, {place.file, &schema["properties"][key]}, pointer + "/" + key, out);
        } else if (schema.contains("additionalProperties")) {
            const Json& extra = schema["additionalProperties"];
            if (extra.is_boolean() && !extra.get<bool>()) fault("has the unknown key " + key);
            if (extra.is_object()) check(member, {place.file, &extra}, pointer + "/" + key, out);
        }
    }
}

}  // namespace rooftune::test
