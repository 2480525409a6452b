// Arguments of a T1 kernel: arrays to declare, and the words of a call.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tuner/external/declaration.h"
#include "tuner/external/python_rule.h"
#include "tuner/formats/strict_json.h"

namespace rooftune::external {

struct T1Arguments {
    std::vector<Text> arrays{};  ///< annotations
    std::string call{};          ///< what stands in the parentheses of the call
    bool is_any_written = false;
    std::set<std::string> answered{};  ///< arrays that an answer was found for
};

/// `names`: of sizes the values among them (ProblemSize), of local memory and numbers all. `answers`: by an
/// array's name, the file that holds what is right after a call. Files lie beside the document, in `folder`,
/// and are named relative to the source's. Throws InputError at the key.
T1Arguments t1_arguments(std::vector<StrictObject> arguments, const PythonNames& names,
                         const std::map<std::string, std::string>& answers, const std::string& folder,
                         const std::string& source_folder);

/// Throws the InputError "FILE: at KEY: in "TEXT", at character N: WHAT".
[[noreturn]] void refuse_python(const StrictObject& object, std::string_view key, const std::string& text,
                                const PythonFault& fault);

/// Does something with a key's expression; what is wrong with it is told with its place.
template <typename Act>
auto with_python(const StrictObject& object, std::string_view key, const std::string& text, const Act& act) {
    try {
        return act(python_from(text));
    } catch (const PythonFault& fault) {
        refuse_python(object, key, text, fault);
    }
}

}  // namespace rooftune::external
