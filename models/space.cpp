#include "models/space.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "models/space_count.h"
#include "models/space_offer.h"

namespace rooftune {

std::size_t PartialVariant::hash() const {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
    std::array<std::uint64_t, (kMaxParameters + 7) / 8> words{};
    std::memcpy(words.data(), index_.data(), index_.size());
    std::uint64_t h = 0;
    for (const std::uint64_t word : words) {
        h = (h ^ word) * kOdd;
        h ^= h >> 32;
    }
    return static_cast<std::size_t>(h);
}

std::vector<ParameterValue> numbers(const std::vector<std::int64_t>& values) {
    std::vector<ParameterValue> out;
    out.reserve(values.size());
    for (const std::int64_t v : values) out.push_back({std::to_string(v), v});
    return out;
}

std::vector<ParameterValue> reals(const std::vector<double>& values) {
    std::vector<ParameterValue> out;
    out.reserve(values.size());
    for (const double given : values) {
        if (!std::isfinite(given)) throw std::logic_error("a real value of a parameter must be finite");
        const double v = given + 0.0;  // −0 is spelled and compared as 0
        std::array<char, 32> text{};
        const auto end = std::to_chars(text.data(), text.data() + text.size(), v).ptr;
        out.push_back({std::string(text.data(), end), 0, ValueKind::real, v});
    }
    return out;
}

std::vector<ParameterValue> booleans() {
    return {{"false", 0, ValueKind::boolean}, {"true", 1, ValueKind::boolean}};
}

std::vector<ParameterValue> names(const std::vector<std::string>& values) {
    std::vector<ParameterValue> out;
    out.reserve(values.size());
    for (const std::string& v : values)
        out.push_back({v, static_cast<std::int64_t>(out.size()), ValueKind::named});
    return out;
}

// The values that are held back come after one that is less, in ascending order.
static bool grows_soundly(const Parameter& parameter) {
    const int values = static_cast<int>(parameter.values.size());
    if (parameter.beyond == 0) return true;
    if (!parameter.is_ordered || parameter.beyond < 0 || parameter.beyond >= values) return false;
    const auto number = [&](int v) { return parameter.values[static_cast<std::size_t>(v)].real(); };
    const int first = values - parameter.beyond;
    for (int v = first + 1; v < values; ++v) {
        if (number(v) <= number(v - 1)) return false;
    }
    return value_below(parameter, first) >= 0;
}

int Space::add(Parameter parameter) {
    const auto refuse = [&](const std::string& what) {
        throw std::logic_error("parameter '" + parameter.name + "' " + what);
    };
    if (size() == kMaxParameters) throw std::logic_error("a space holds at most 20 parameters");
    if (parameter.name.empty()) throw std::logic_error("a parameter has no name");
    if (find(parameter.name) >= 0) refuse("is there already");
    if (parameter.values.empty() || parameter.values.size() > 127) refuse("needs 1 to 127 values");
    for (auto at = parameter.values.begin(); at != parameter.values.end(); ++at) {
        if (at->text.empty()) refuse("has a value without a text");
        if (!std::isfinite(at->real())) refuse("has the value " + at->text + ", which is not finite");
        const auto same = [&](const ParameterValue& other) { return other.text == at->text; };
        if (std::any_of(parameter.values.begin(), at, same)) refuse("has the value " + at->text + " twice");
    }
    if (!grows_soundly(parameter)) refuse("cannot grow: that takes an order, and last values that ascend");
    parameter.depends_on = parameter.depends_on & ParameterSet::first(size());
    parameters_.push_back(std::move(parameter));
    own_ = {};
    return size() - 1;
}

void Space::add(Constraint constraint) {
    if (constraint.decided_by < 0 || constraint.decided_by >= size())
        throw std::logic_error("constraint '" + constraint.text +
                               "' is decided by no parameter of the space");
    constraint.depends_on = constraint.depends_on & ParameterSet::first(constraint.decided_by + 1);
    constraints_.push_back(std::move(constraint));
    own_ = {};
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

double Space::real(const PartialVariant& partial, int parameter, double otherwise) const {
    const ParameterValue* v = value(partial, parameter);
    return v ? v->real() : otherwise;
}

std::string_view Space::text(const PartialVariant& partial, int parameter) const {
    const ParameterValue* v = value(partial, parameter);
    return v ? std::string_view(v->text) : std::string_view();
}

bool Space::exists(const PartialVariant& partial, int parameter) const {
    const Rule& rule = parameters_[static_cast<std::size_t>(parameter)].exists;
    return !rule || rule(partial);
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
    if (!exists(partial, p)) {
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
        const bool there = exists(variant, p);
        if (there != variant.fixed(p)) return false;
        if (there && variant[p] >= static_cast<int>(parameter.values.size())) return false;
        if (!allowed(variant, p)) return false;
    }
    return true;
}

const SpaceCount& Space::counts() const {
    if (!own_.counts) own_.counts = std::make_shared<const SpaceCount>(*this);
    return *own_.counts;
}

std::uint64_t Space::count(const PartialVariant& partial) const {
    return counts().count(partial);
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
