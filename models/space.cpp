#include "models/space.h"

#include <stdexcept>

namespace rooftune {

std::vector<ParameterValue> numbers(const std::vector<std::int64_t>& values) {
    std::vector<ParameterValue> out;
    out.reserve(values.size());
    for (const std::int64_t v : values) out.push_back({std::to_string(v), v});
    return out;
}

std::vector<ParameterValue> names(const std::vector<std::string>& values) {
    std::vector<ParameterValue> out;
    out.reserve(values.size());
    for (const std::string& v : values) out.push_back({v, static_cast<std::int64_t>(out.size())});
    return out;
}

int Space::add(Parameter parameter) {
    if (size() == kMaxParameters) throw std::logic_error("a space holds at most 20 parameters");
    if (parameter.values.empty() || parameter.values.size() > 127) {
        throw std::logic_error("parameter '" + parameter.name + "' needs 1 to 127 values");
    }
    parameters_.push_back(std::move(parameter));
    return size() - 1;
}

void Space::add(Constraint constraint) {
    constraints_.push_back(std::move(constraint));
}

int Space::find(std::string_view name) const {
    for (int p = 0; p < size(); ++p) {
        if (parameters_[static_cast<std::size_t>(p)].name == name) return p;
    }
    return -1;
}

int Space::first_free(const PartialVariant& partial) const {
    for (int p = 0; p < size(); ++p) {
        if (partial.free_at(p)) return p;
    }
    return -1;
}

const ParameterValue* Space::value(const PartialVariant& partial, int parameter) const {
    if (!partial.fixed(parameter)) return nullptr;
    return &parameters_[static_cast<std::size_t>(parameter)]
                .values[static_cast<std::size_t>(partial[parameter])];
}

std::int64_t Space::number(const PartialVariant& partial, int parameter, std::int64_t otherwise) const {
    const ParameterValue* v = value(partial, parameter);
    return v ? v->number : otherwise;
}

std::string_view Space::text(const PartialVariant& partial, int parameter) const {
    const ParameterValue* v = value(partial, parameter);
    return v ? std::string_view(v->text) : std::string_view();
}

bool Space::allowed(const PartialVariant& partial, int parameter) const {
    for (const Constraint& c : constraints_) {
        if (c.decided_by == parameter && !c.holds(partial)) return false;
    }
    return true;
}

void Space::children(const PartialVariant& partial, std::vector<PartialVariant>& out) const {
    out.clear();
    const int p = first_free(partial);
    if (p < 0) return;
    const Parameter& parameter = parameters_[static_cast<std::size_t>(p)];
    PartialVariant child = partial;
    if (parameter.exists && !parameter.exists(partial)) {
        child.fix(p, PartialVariant::kAbsent);
        if (allowed(child, p)) out.push_back(child);
        return;
    }
    for (int v = 0; v < static_cast<int>(parameter.values.size()); ++v) {
        child.fix(p, v);
        if (allowed(child, p)) out.push_back(child);
    }
}

bool Space::valid(const Variant& variant) const {
    for (int p = 0; p < size(); ++p) {
        const Parameter& parameter = parameters_[static_cast<std::size_t>(p)];
        const bool exists = !parameter.exists || parameter.exists(variant);
        if (exists != variant.fixed(p)) return false;
        if (exists && variant[p] >= static_cast<int>(parameter.values.size())) return false;
        if (!allowed(variant, p)) return false;
    }
    return true;
}

std::uint64_t Space::count(const PartialVariant& partial) const {
    if (complete(partial)) return 1;
    std::vector<PartialVariant> below;
    children(partial, below);
    std::uint64_t sum = 0;
    for (const PartialVariant& child : below) sum += count(child);
    return sum;
}

bool Space::each(const PartialVariant& partial, const std::function<bool(const Variant&)>& visit) const {
    if (complete(partial)) return visit(partial);
    std::vector<PartialVariant> below;
    children(partial, below);
    for (const PartialVariant& child : below) {
        if (!each(child, visit)) return false;
    }
    return true;
}

std::string Space::to_text(const PartialVariant& partial) const {
    std::string text;
    for (int p = 0; p < size(); ++p) {
        if (!partial.fixed(p)) continue;
        if (!text.empty()) text += ',';
        text += parameters_[static_cast<std::size_t>(p)].name;
        text += '=';
        text += value(partial, p)->text;
    }
    return text;
}

std::map<std::string, std::string> Space::to_map(const PartialVariant& partial) const {
    std::map<std::string, std::string> out;
    for (int p = 0; p < size(); ++p) {
        if (partial.fixed(p)) out[parameters_[static_cast<std::size_t>(p)].name] = value(partial, p)->text;
    }
    return out;
}

std::optional<Variant> Space::from_map(const std::map<std::string, std::string>& values,
                                       std::string& why) const {
    Variant variant;
    std::size_t used = 0;
    for (int p = 0; p < size(); ++p) {
        const Parameter& parameter = parameters_[static_cast<std::size_t>(p)];
        const auto given = values.find(parameter.name);
        if (parameter.exists && !parameter.exists(variant)) {
            if (given != values.end()) {
                why = "parameter '" + parameter.name + "' exists only when " + parameter.condition;
                return std::nullopt;
            }
            variant.fix(p, PartialVariant::kAbsent);
        } else {
            if (given == values.end()) {
                why = "parameter '" + parameter.name + "' has no value";
                return std::nullopt;
            }
            int index = -1;
            for (int v = 0; v < static_cast<int>(parameter.values.size()); ++v) {
                if (parameter.values[static_cast<std::size_t>(v)].text == given->second) index = v;
            }
            if (index < 0) {
                why =
                    "parameter '" + parameter.name + "' cannot be '" + given->second + "' here; it is one of";
                for (const ParameterValue& v : parameter.values) why += " " + v.text;
                return std::nullopt;
            }
            variant.fix(p, index);
            ++used;
        }
        for (const Constraint& c : constraints_) {
            if (c.decided_by == p && !c.holds(variant)) {
                why = "constraint '" + c.text + "' does not hold";
                return std::nullopt;
            }
        }
    }
    if (used != values.size()) {
        for (const auto& [name, text] : values) {
            if (find(name) < 0) {
                why = "there is no parameter '" + name + "'";
                return std::nullopt;
            }
        }
    }
    return variant;
}

}  // namespace rooftune
