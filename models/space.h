// The vocabulary of search spaces: parameters with values, conditional parameters, constraints, and
// partial variants. A space is a tree: parameters are fixed in their declared order, so a partial
// variant that fixes the first p parameters stands for the subtree of its completions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rooftune {

enum class ValueKind { integer, real, boolean, named };

/// A value of a parameter: its spelling, and its number.
struct ParameterValue {
    std::string text;
    std::int64_t number = 0;  ///< of a boolean 0 or 1, of a named value its position, of a real one 0
    ValueKind kind = ValueKind::integer;
    double exact = 0.0;  ///< of a real value
    double real() const { return kind == ValueKind::real ? exact : static_cast<double>(number); }
    bool operator==(const ParameterValue&) const = default;
};

inline constexpr int kMaxParameters = 20;

/// Some of a space's parameters, by index.
class ParameterSet {
public:
    constexpr ParameterSet() = default;
    constexpr ParameterSet(std::initializer_list<int> parameters) {
        for (const int p : parameters) add(p);
    }
    /// The first `count` parameters of a space.
    static constexpr ParameterSet first(int count) {
        ParameterSet set;
        set.bits_ = (std::uint32_t{1} << count) - 1;
        return set;
    }
    static constexpr ParameterSet all() { return first(kMaxParameters); }

    constexpr void add(int parameter) { bits_ |= std::uint32_t{1} << parameter; }
    constexpr bool contains(int parameter) const { return ((bits_ >> parameter) & 1U) != 0; }
    constexpr ParameterSet operator|(ParameterSet other) const { return of(bits_ | other.bits_); }
    constexpr ParameterSet operator&(ParameterSet other) const { return of(bits_ & other.bits_); }
    constexpr bool operator==(const ParameterSet&) const = default;

private:
    static constexpr ParameterSet of(std::uint32_t bits) {
        ParameterSet set;
        set.bits_ = bits;
        return set;
    }
    std::uint32_t bits_ = 0;
};

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
    std::size_t hash() const;

private:
    std::array<std::int8_t, kMaxParameters> index_;
};

/// A full assignment.
using Variant = PartialVariant;

/// Says of some decided parameters whether something holds. The same for the same values, and safe to ask
/// even where another rule does not hold.
using Rule = std::function<bool(const PartialVariant&)>;

struct Parameter {
    std::string name;
    std::string help;                    ///< what it does, and its unit
    std::vector<ParameterValue> values;  ///< at most 127, all different
    /// Exists only when this holds; looks only at parameters declared before. Empty: always exists.
    Rule exists;
    std::string condition;  ///< `exists` in words; empty when always
    /// What `exists` looks at. Spaces are counted by it (space_count.h): the fewer, the quicker, and one that
    /// is left out miscounts. Not stated: everything declared before.
    ParameterSet depends_on = ParameterSet::all();
    /// Its values have an order, by their numbers: past the greatest of them there may be better ones.
    bool is_ordered = false;
    /// Of an ordered one: why it has no greater value. Empty: there is nothing beyond, as with a whole
    /// length.
    std::string ends_because;
    int beyond = 0;  ///< of its last values: held back until the best has the one before (space_offer.h)

    Parameter(std::string name_, std::string help_, std::vector<ParameterValue> values_)
        : name(std::move(name_)), help(std::move(help_)), values(std::move(values_)) {}
    Parameter& when(std::string words, Rule predicate) {
        return when(std::move(words), ParameterSet::all(), std::move(predicate));
    }
    Parameter& when(std::string words, ParameterSet parameters, Rule predicate) {
        condition = std::move(words);
        depends_on = parameters;
        exists = std::move(predicate);
        return *this;
    }
    Parameter& ordered(std::string why_no_more = {}) {
        is_ordered = true;
        ends_because = std::move(why_no_more);
        return *this;
    }
    /// An ordered one whose last so many values a search offers only once its best has the one before.
    Parameter& growing(int last_values) {
        beyond = last_values;
        return *this;
    }
};

/// A rule that every variant obeys. Checked as soon as parameter `decided_by` and all before it are
/// fixed, so that it cuts a subtree at the earliest level.
struct Constraint {
    std::string text;
    int decided_by = 0;  ///< highest parameter index that `holds` looks at
    Rule holds;
    /// What `holds` looks at, as in Parameter. Not stated: everything up to `decided_by`.
    ParameterSet depends_on = ParameterSet::all();
};

/// Values spelled as plain numbers.
std::vector<ParameterValue> numbers(const std::vector<std::int64_t>& values);
/// Real values on a grid, spelled as shortly as they can be read back. Throws std::logic_error for one that
/// is not finite.
std::vector<ParameterValue> reals(const std::vector<double>& values);
/// "false" and "true".
std::vector<ParameterValue> booleans();
/// Named values; their numbers are their positions.
std::vector<ParameterValue> names(const std::vector<std::string>& values);

class SpaceCount;

class Space {
public:
    Space(std::string family, int version) : family_(std::move(family)), version_(version) {}

    /// Returns the parameter's index. Throws std::logic_error beyond kMaxParameters, for a name that is there
    /// already, unless it has 1 to 127 different values, real ones finite, and where it grows without being
    /// ordered, without a value before those, or with numbers that do not ascend.
    int add(Parameter parameter);
    /// Throws std::logic_error when it is decided by a parameter that is not there.
    void add(Constraint constraint);

    const std::string& family() const { return family_; }
    int version() const { return version_; }
    const std::vector<Parameter>& parameters() const { return parameters_; }
    const std::vector<Constraint>& constraints() const { return constraints_; }
    int size() const { return static_cast<int>(parameters_.size()); }
    /// Index of a parameter by name; -1 when there is none.
    int find(std::string_view name) const;

    /// First parameter not decided, or -1 for a variant.
    int first_free(const PartialVariant& partial) const;
    bool complete(const PartialVariant& partial) const { return first_free(partial) < 0; }

    /// Value of a fixed parameter; nullptr when free or absent.
    const ParameterValue* value(const PartialVariant& partial, int parameter) const;
    std::int64_t number(const PartialVariant& partial, int parameter, std::int64_t otherwise) const;
    double real(const PartialVariant& partial, int parameter, double otherwise) const;
    std::string_view text(const PartialVariant& partial, int parameter) const;

    /// Whether a parameter exists, all before it being decided.
    bool exists(const PartialVariant& partial, int parameter) const;
    /// Whether all constraints hold that `parameter`, decided as the last, decides.
    bool allowed(const PartialVariant& partial, int parameter) const;
    /// The valid ways to decide the first free parameter (absent ones are decided on the way).
    /// A child may itself have no completion.
    void children(const PartialVariant& partial, std::vector<PartialVariant>& out) const;

    /// Whether a complete assignment obeys every condition and constraint.
    bool valid(const Variant& variant) const;

    /// Number of variants below a prefix, at most 2^64 − 1, by space_count.h: without enumerating them where
    /// rules state what they look at. Remembers parts of the answer, in this space and not in its copies, so
    /// threads need copies of their own.
    std::uint64_t count(const PartialVariant& partial) const;
    /// The counts behind count(), as long as nothing is added to this space.
    const SpaceCount& counts() const;
    /// Visits every variant below a prefix in order; stops when `visit` returns false.
    bool each(const PartialVariant& partial, const std::function<bool(const Variant&)>& visit) const;

    /// "format=sell,chunk=16,…": the fixed parameters in declared order.
    std::string to_text(const PartialVariant& partial) const;
    std::map<std::string, std::string> to_map(const PartialVariant& partial) const;
    /// A variant from its parameters; nullopt with `why` set when a name, value, condition or
    /// constraint does not fit.
    std::optional<Variant> from_map(const std::map<std::string, std::string>& values, std::string& why) const;

private:
    // Counts know the space that they are of by its address: a copy begins without.
    struct OwnCounts {
        OwnCounts() = default;
        OwnCounts(const OwnCounts&) {}
        OwnCounts& operator=(const OwnCounts&) {
            counts.reset();
            return *this;
        }
        ~OwnCounts() = default;
        std::shared_ptr<const SpaceCount> counts;
    };

    std::string family_;
    int version_;
    std::vector<Parameter> parameters_;
    std::vector<Constraint> constraints_;
    mutable OwnCounts own_;
};

}  // namespace rooftune
