// A validator for the part of JSON Schema that configs/schema uses, so that the tests need no
// package for it. A keyword it does not know is a fault of the schema, never passed over.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tuner/formats/strict_json.h"

namespace rooftune::test {

class SchemaCheck {
public:
    /// `folder` holds the schema files that "$ref" may name.
    explicit SchemaCheck(std::string folder) : folder_(std::move(folder)) {}

    /// What is wrong with the value under this schema file, each with its JSON pointer; empty when fine.
    std::vector<std::string> faults(const Json& value, const std::string& schema_file);

private:
    struct Place {
        std::string file;
        const Json* schema;
    };
    const Json& file(const std::string& name);
    Place resolve(const std::string& reference, const std::string& from);
    void check(const Json& value, Place place, const std::string& pointer, std::vector<std::string>& out);

    std::string folder_;
    std::map<std::string, Json> files_;
};

}  // namespace rooftune::test
