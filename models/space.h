// The vocabulary of search spaces: parameters with values, conditional parameters, constraints, and
// partial variants. A space is a tree: parameters are fixed in their declared order, so a partial
// variant that fixes the first p parameters stands for the subtree of its completions.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rooftune {

/// A value of a parameter: its spelling, and a number where it has one (0 for named values).
struct ParameterValue {
    std::string text;
    std::int64_t number = 0;
    bool operator==(const ParameterValue&) const = default;
};

inline constexpr int kMaxParameters = 20;

/// Some parameters fixed to an index into their values. `kFree`: not decided yet. `kAbsent`: the
/// parameter does not exist under the others' values. A variant is a partial variant with none free.
class PartialVariant {
public:
    static constexpr std::int8_t kFree = -1;
    static constexpr std::int8_t kAbsent = -2;

    PartialVariant() { index_.fill(kFree); }
    std::int8_t operator[](int parameter) const { return index_[static_cast<std::size_t>(parameter)]; }
    void fix(int parameter, int value) {
        index_[static_cast<std::size_t>(parameter)] = static_cast<std::int8_t>(value);
    }
    void free(int parameter) { fix(parameter, kFree); }
    bool fixed(int parameter) const { return (*this)[parameter] >= 0; }
    bool free_at(int parameter) const { return (*this)[parameter] == kFree; }
    bool absent(int parameter) const { return (*this)[parameter] == kAbsent; }
    auto operator<=>(const PartialVariant&) const = default;

private:
    std::array<std::int8_t, kMaxParameters> index_;
};

/// A full assignment.
using Variant = PartialVariant;

struct Parameter {
    std::string name;
    std::string help;                    ///< what it does, and its unit
    std::vector<ParameterValue> values;  ///< at most 127
    /// Exists only when this holds; looks only at parameters declared before. Empty: always exists.
    std::function<bool(const PartialVariant&)> exists;
    std::string condition;  ///< `exists` in words; empty when always

    Parameter(std::string name_, std::string help_, std::vector<ParameterValue> values_)
        : name(std::move(name_)), help(std::move(help_)), values(std::move(values_)) {}
    Parameter& when(std::string words, std::function<bool(const PartialVariant&)> predicate) {
        condition = std::move(words);
        exists = std::move(predicate);
        return *this;
    }
};

/// A rule that every variant obeys. Checked as soon as parameter `decided_by` and all before it are
/// fixed, so that it cuts a subtree at the earliest level.
struct Constraint {
    std::string text;
    int decided_by = 0;  ///< highest parameter index that `holds` looks at
    std::function<bool(const PartialVariant&)> holds;
};

/// Values spelled as plain numbers.
std::vector<ParameterValue> numbers(const std::vector<std::int64_t>& values);
/// Named values; their numbers are their positions.
std::vector<ParameterValue> names(const std::vector<std::string>& values);

class Space {
public:
    Space(std::string family, int version) : family_(std::move(family)), version_(version) {}

    /// Returns the parameter's index. At most kMaxParameters, each with 1 to 127 values.
    int add(Parameter parameter);
    void add(Constraint constraint);

    const std::string& family() const { return family_; }
    int version() const { return version_; }
    const std::vector<Parameter>& parameters() const { return parameters_; }
    int size() const { return static_cast<int>(parameters_.size()); }
    /// Index of a parameter by name; -1 when there is none.
    int find(std::string_view name) const;

    /// First parameter not decided, or -1 for a variant.
    int first_free(const PartialVariant& partial) const;
    bool complete(const PartialVariant& partial) const { return first_free(partial) < 0; }

    /// Value of a fixed parameter; nullptr when free or absent.
    const ParameterValue* value(const PartialVariant& partial, int parameter) const;
    std::int64_t number(const PartialVariant& partial, int parameter, std::int64_t otherwise) const;
    std::string_view text(const PartialVariant& partial, int parameter) const;

    /// The valid ways to decide the first free parameter (absent ones are decided on the way).
    /// A child may itself have no completion.
    void children(const PartialVariant& partial, std::vector<PartialVariant>& out) const;

    /// Whether a complete assignment obeys every condition and constraint.
    bool valid(const Variant& variant) const;

    /// Number of variants below a prefix.
    std::uint64_t count(const PartialVariant& partial) const;
    /// Visits every variant below a prefix in order; stops when `visit` returns false.
    bool each(const PartialVariant& partial, const std::function<bool(const Variant&)>& visit) const;

    /// "format=sell,chunk=16,…": the fixed parameters in declared order.
    std::string to_text(const PartialVariant& partial) const;
    std::map<std::string, std::string> to_map(const PartialVariant& partial) const;
    /// A variant from its parameters; nullopt with `why` set when a name, value, condition or
    /// constraint does not fit.
    std::optional<Variant> from_map(const std::map<std::string, std::string>& values, std::string& why) const;

private:
    bool allowed(const PartialVariant& partial, int parameter) const;

    std::string family_;
    int version_;
    std::vector<Parameter> parameters_;
    std::vector<Constraint> constraints_;
};

}  // namespace rooftune
