#include "tuner/external/functions.h"

#include <fmt/format.h>

#include "tuner/external/declared_space.h"
#include "tuner/external/function_hash.h"

namespace rooftune::external {
namespace {

std::string text_of(const Instance& instance, const DeclaredNumber& n) {
    const double value = instance.numbers.at(n.name.text);
    return n.whole ? fmt::format("{:.0f}", value) : fmt::format("{}", value);
}

}  // namespace

Instance function_instance(const std::string& name, const std::vector<Text>& lines,
                           const Functions& functions, double available) {
    Declaration declaration = functions_from(lines, name);
    declaration.has_check = static_cast<bool>(functions.check);
    Instance instance = instance_of(std::move(declaration), {}, available);
    for (const Text& line : lines) instance.source += line.text + "\n";
    instance.included = hash_of(functions);
    return instance;
}

std::string verified_by_functions(const Declaration& declaration) {
    return declaration.has_check
               ? "by the program's own check"
               : "by nothing: the kernel has no check, and a variant whose answer is wrong may win";
}

Values values_of(const Instance& instance, const Space& space, const Variant& variant, int threads) {
    const Declaration& d = instance.declaration;
    Values values;
    for (const DeclaredNumber& n : d.numbers) values.set(n.name.text, text_of(instance, n));
    for (const DeclaredParameter& p : d.parameters) {
        const std::string* value = value_of(d, p, space, variant);
        if (!value) continue;
        // A number of threads may have been written as `all`.
        values.set(p.name.text, p.kind == ParameterKind::threads ? std::to_string(threads) : *value);
    }
    return values;
}

}  // namespace rooftune::external
