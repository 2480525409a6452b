// The values of one variant, as a function is told them that is tuned from within its program.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace rooftune {

/// Names to values: of sizes, of numbers, and of those parameters that the variant has. To look one up takes
/// some tens of nanoseconds: ask before the loop.
class Values {
public:
    /// A whole number. Throws InputError for a name that is none here, with the nearest, and for a value that
    /// is no whole number.
    std::int64_t integer(std::string_view name) const;
    /// Any number; throws likewise.
    double real(std::string_view name) const;
    /// As it was written: "8", "dynamic". Throws InputError for a name that is none here.
    const std::string& text(std::string_view name) const;
    /// False of a parameter that exists only `when` something holds, where that does not, and of a name that
    /// is none.
    bool has(std::string_view name) const { return of_.find(name) != of_.end(); }

    /// All of them as texts, by name.
    std::map<std::string, std::string> texts() const;

    void set(const std::string& name, std::string text);

private:
    struct Value {
        std::string text;
        double real = 0.0;
        std::int64_t integer = 0;
        bool is_real = false, is_integer = false;
    };
    const Value& of(std::string_view name) const;

    std::map<std::string, Value, std::less<>> of_;
};

}  // namespace rooftune
