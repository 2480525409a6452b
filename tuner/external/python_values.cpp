#include "tuner/external/python_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace rooftune::external {
namespace {

using Kind = Python::Kind;
using ValueKind = PythonValue::Kind;

constexpr std::size_t kLongest = 100000;        // of one list
constexpr std::size_t kMostElements = 1000000;  // of all that are made on the way, looked at or copied

PythonValue whole_value(std::int64_t value, ValueKind kind = ValueKind::whole) {
    return {kind, value, static_cast<double>(value)};
}
PythonValue real_value(double value) {
    return {ValueKind::real, 0, value};
}
PythonValue truth_value(bool value) {
    return whole_value(value ? 1 : 0, ValueKind::truth);
}

bool is_true(const PythonValue& v) {
    if (v.kind == ValueKind::text) return !v.text.empty();
    if (v.kind == ValueKind::list) return !v.elements.empty();
    return v.real != 0.0;
}

bool equal(const PythonValue& a, const PythonValue& b) {
    if (a.is_number() && b.is_number()) return a.real == b.real;
    if (a.kind != b.kind) return false;
    if (a.kind == ValueKind::text) return a.text == b.text;
    return std::equal(a.elements.begin(), a.elements.end(), b.elements.begin(), b.elements.end(), equal);
}

class PythonEvaluator {
public:
    explicit PythonEvaluator(std::map<std::string, PythonValue> known) : known_(std::move(known)) {}

    PythonValue value(const Python& e) {
        switch (e.kind) {
            case Kind::number:
                return number(e);
            case Kind::text:
                return {ValueKind::text, 0, 0.0, e.text};
            case Kind::truth:
                return truth_value(e.text == "True");
            case Kind::name:
                return named(e);
            case Kind::sign:
                return e.text == "-" ? difference(whole_value(0), numeric(e.parts.front()), e.at)
                                     : numeric(e.parts.front());
            case Kind::negation:
                return truth_value(!is_true(value(e.parts.front())));
            case Kind::arithmetic:
                return arithmetic(e);
            case Kind::comparison:
                return comparison(e);
            case Kind::logic:
                return logic(e);
            case Kind::choice:
                return value(is_true(value(e.parts[1])) ? e.parts[0] : e.parts[2]);
            case Kind::call:
                return call(e);
            case Kind::subscript:
                return subscript(e);
            case Kind::list:
                return list(e);
            case Kind::comprehension:
                return comprehension(e);
        }
        throw PythonFault{e.at, "this has no value here"};
    }

private:
    static PythonValue number(const Python& e) {
        const char* const last = e.text.data() + e.text.size();
        if (e.text.find_first_of(".eE") == std::string::npos) {
            std::int64_t whole = 0;
            if (std::from_chars(e.text.data(), last, whole).ec != std::errc())
                throw PythonFault{e.at, "'" + e.text + "' is larger than a number of 64 bits"};
            return whole_value(whole);
        }
        double real = 0.0;
        if (std::from_chars(e.text.data(), last, real).ec != std::errc())
            throw PythonFault{e.at, "'" + e.text + "' is beyond all numbers"};
        return real_value(real);
    }

    PythonValue named(const Python& e) {
        const auto found = known_.find(e.text);
        if (found == known_.end())
            throw PythonFault{e.at, "'" + e.text + "' has no value here; write a number in its place"};
        count_elements(found->second.elements.size(), e.at);
        return found->second;
    }

    PythonValue numeric(const Python& e) {
        PythonValue v = value(e);
        if (!v.is_number()) throw PythonFault{e.at, "a number is needed here"};
        return v;
    }
    std::int64_t whole(const Python& e) {
        const PythonValue v = value(e);
        if (v.kind != ValueKind::whole && v.kind != ValueKind::truth)
            throw PythonFault{e.at, "a whole number is needed here"};
        return v.whole;
    }

    static bool are_whole(const PythonValue& a, const PythonValue& b) {
        return a.kind != ValueKind::real && b.kind != ValueKind::real;
    }
    static PythonValue checked(bool overflows, std::int64_t value, std::size_t at) {
        if (overflows) throw PythonFault{at, "the number is larger than 64 bits hold"};
        return whole_value(value);
    }
    static PythonValue difference(const PythonValue& a, const PythonValue& b, std::size_t at) {
        if (!are_whole(a, b)) return real_value(a.real - b.real);
        std::int64_t result = 0;
        const bool overflows = __builtin_sub_overflow(a.whole, b.whole, &result);
        return checked(overflows, result, at);
    }

    PythonValue arithmetic(const Python& e) {
        // Each part once: in a chain of sums a second look would double with every link.
        PythonValue a = value(e.parts[0]);
        if (a.kind == ValueKind::list && e.text == "+") return joined_lists(std::move(a), e);
        if (!a.is_number()) throw PythonFault{e.parts[0].at, "a number is needed here"};
        const PythonValue b = numeric(e.parts[1]);
        std::int64_t result = 0;
        if (e.text == "-") return difference(a, b, e.at);
        if (e.text == "+") {
            if (!are_whole(a, b)) return real_value(a.real + b.real);
            const bool overflows = __builtin_add_overflow(a.whole, b.whole, &result);
            return checked(overflows, result, e.at);
        }
        if (e.text == "*") {
            if (!are_whole(a, b)) return real_value(a.real * b.real);
            const bool overflows = __builtin_mul_overflow(a.whole, b.whole, &result);
            return checked(overflows, result, e.at);
        }
        if (e.text == "**") return power(a, b, e.at);
        if (e.text == "<<" || e.text == ">>") return shifted(a, b, e);
        if (b.real == 0.0) throw PythonFault{e.at, "something is divided by 0 here"};
        if (e.text == "/") return real_value(a.real / b.real);
        if (!are_whole(a, b)) {
            // As Python does it: 1.0 // 0.1 is 9, since 0.1 is a little more than a tenth.
            const double rest = std::fmod(a.real, b.real);
            const bool below = rest != 0.0 && (rest < 0.0) != (b.real < 0.0);
            if (e.text == "//") return real_value(std::rint((a.real - rest) / b.real) - (below ? 1.0 : 0.0));
            return real_value(below ? rest + b.real : rest);
        }
        // Python rounds down, towards minus infinity; the one quotient that overflows has −1 below it.
        if (b.whole == -1) return e.text == "%" ? whole_value(0) : difference(whole_value(0), a, e.at);
        const std::int64_t rest = a.whole % b.whole;
        const bool below = rest != 0 && (rest < 0) != (b.whole < 0);
        if (e.text == "%") return whole_value(below ? rest + b.whole : rest);
        return whole_value(a.whole / b.whole - (below ? 1 : 0));
    }

    PythonValue joined_lists(PythonValue a, const Python& e) {
        const PythonValue b = value(e.parts[1]);
        if (b.kind != ValueKind::list) throw PythonFault{e.parts[1].at, "a list is needed here"};
        count_elements(b.elements.size(), e.at);
        a.elements.insert(a.elements.end(), b.elements.begin(), b.elements.end());
        check_length(a.elements.size(), e.at);
        return a;
    }

    static PythonValue power(const PythonValue& a, const PythonValue& b, std::size_t at) {
        if (!are_whole(a, b) || b.whole < 0) {
            const double result = std::pow(a.real, b.real);
            if (!std::isfinite(result)) throw PythonFault{at, "this power is no number"};
            return real_value(result);
        }
        if (b.whole == 0) return whole_value(1);
        if (a.whole >= -1 && a.whole <= 1) return whole_value(b.whole % 2 == 0 ? a.whole * a.whole : a.whole);
        std::int64_t result = 1;
        for (std::int64_t i = 0; i < b.whole; ++i) {
            const bool overflows = __builtin_mul_overflow(result, a.whole, &result);
            checked(overflows, result, at);
        }
        return whole_value(result);
    }

    static PythonValue shifted(const PythonValue& a, const PythonValue& b, const Python& e) {
        if (!are_whole(a, b) || b.whole < 0 || a.whole < 0)
            throw PythonFault{e.at, "what is shifted, and by how much, are whole numbers from 0 on"};
        if (e.text == ">>") return whole_value(b.whole > 62 ? 0 : a.whole >> b.whole);
        if (b.whole > 62 || (a.whole << b.whole) >> b.whole != a.whole)
            throw PythonFault{e.at, "the number is larger than 64 bits hold"};
        return whole_value(a.whole << b.whole);
    }

    PythonValue comparison(const Python& e) {
        PythonValue left = value(e.parts[0]);
        for (std::size_t i = 0; i < e.signs.size(); ++i) {
            PythonValue right = value(e.parts[i + 1]);
            if (!compares(left, e.signs[i], right, e)) return truth_value(false);
            left = std::move(right);
        }
        return truth_value(true);
    }

    static bool compares(const PythonValue& a, const std::string& sign, const PythonValue& b,
                         const Python& e) {
        if (sign == "==") return equal(a, b);
        if (sign == "!=") return !equal(a, b);
        if (sign == "in" || sign == "not in") {
            if (b.kind != ValueKind::list) throw PythonFault{e.at, "'in' needs a list behind it"};
            const bool is_there = std::any_of(b.elements.begin(), b.elements.end(),
                                              [&](const PythonValue& v) { return equal(a, v); });
            return is_there == (sign == "in");
        }
        if (!a.is_number() || !b.is_number())
            throw PythonFault{e.at, "only numbers are larger or smaller here"};
        if (sign == "<") return a.real < b.real;
        if (sign == "<=") return a.real <= b.real;
        if (sign == ">") return a.real > b.real;
        return a.real >= b.real;
    }

    PythonValue logic(const Python& e) {
        PythonValue v;
        for (const Python& part : e.parts) {
            v = value(part);
            if (is_true(v) == (e.text == "or")) break;
        }
        return v;
    }

    PythonValue call(const Python& e) {
        if (e.text == "range") return range(e);
        if ((e.text == "list" || e.text == "tuple" || e.text == "sorted") && e.parts.size() == 1) {
            PythonValue v = value(e.parts.front());
            if (v.kind != ValueKind::list) throw PythonFault{e.parts.front().at, "a list is needed here"};
            if (e.text == "sorted") sort(v, e.at);
            return v;
        }
        if (e.text == "int" && e.parts.size() == 1) {
            const PythonValue v = numeric(e.parts.front());
            if (v.kind != ValueKind::real) return whole_value(v.whole);
            if (!(std::abs(v.real) < 9e18)) throw PythonFault{e.at, "the number is larger than 64 bits hold"};
            return whole_value(static_cast<std::int64_t>(v.real));
        }
        if (e.text == "float" && e.parts.size() == 1) return real_value(numeric(e.parts.front()).real);
        if ((e.text == "min" || e.text == "max") && !e.parts.empty()) return extreme(e);
        throw PythonFault{e.at, "the function '" + e.text +
                                    "' is not known in a list of values; write them out, as in [1, 2, 4]"};
    }

    static void sort(PythonValue& list, std::size_t at) {
        if (!std::all_of(list.elements.begin(), list.elements.end(),
                         [](const PythonValue& v) { return v.is_number(); }))
            throw PythonFault{at, "only numbers are sorted here"};
        std::stable_sort(list.elements.begin(), list.elements.end(),
                         [](const PythonValue& a, const PythonValue& b) { return a.real < b.real; });
    }

    PythonValue extreme(const Python& e) {
        std::vector<PythonValue> all;
        for (const Python& part : e.parts) all.push_back(value(part));
        if (all.size() == 1 && all.front().kind == ValueKind::list) all = std::vector(all.front().elements);
        PythonValue list{ValueKind::list, 0, 0.0, "", std::move(all)};
        sort(list, e.at);
        if (list.elements.empty()) throw PythonFault{e.at, "a list without elements has none"};
        return e.text == "min" ? list.elements.front() : list.elements.back();
    }

    PythonValue range(const Python& e) {
        if (e.parts.empty() || e.parts.size() > 3)
            throw PythonFault{e.at, "range() has one to three numbers: range(end), range(first, end, step)"};
        const bool has_first = e.parts.size() > 1;
        const std::int64_t first = has_first ? whole(e.parts[0]) : 0;
        const std::int64_t end = whole(e.parts[has_first ? 1 : 0]);
        const std::int64_t step = e.parts.size() == 3 ? whole(e.parts[2]) : 1;
        if (step == 0) throw PythonFault{e.parts[2].at, "a range in steps of 0 never ends"};
        PythonValue list{ValueKind::list, 0, 0.0, "", {}};
        for (std::int64_t v = first; step > 0 ? v < end : v > end;) {
            list.elements.push_back(whole_value(v));
            check_length(list.elements.size(), e.at);
            if (__builtin_add_overflow(v, step, &v)) break;
        }
        return list;
    }

    PythonValue subscript(const Python& e) {
        const PythonValue list = value(e.parts[0]);
        if (list.kind != ValueKind::list) throw PythonFault{e.at, "this is no list"};
        const auto size = static_cast<std::int64_t>(list.elements.size());
        const std::int64_t at = whole(e.parts[1]);
        if (at < -size || at >= size)
            throw PythonFault{e.parts[1].at, fmt::format("the list has {} elements", size)};
        return list.elements[static_cast<std::size_t>(at < 0 ? at + size : at)];
    }

    PythonValue list(const Python& e) {
        PythonValue v{ValueKind::list, 0, 0.0, "", {}};
        for (const Python& part : e.parts) v.elements.push_back(value(part));
        count_elements(e.parts.size(), e.at);
        return v;
    }

    PythonValue comprehension(const Python& e) {
        const PythonValue through = value(e.parts[1]);
        if (through.kind != ValueKind::list) throw PythonFault{e.parts[1].at, "a list is needed here"};
        PythonValue v{ValueKind::list, 0, 0.0, "", {}};
        const auto known = known_.find(e.text);
        const auto outer = known == known_.end() ? std::nullopt : std::optional(known->second);
        for (const PythonValue& element : through.elements) {
            known_[e.text] = element;
            count_elements(1 + element.elements.size(), e.at);
            if (e.parts.size() > 2 && !is_true(value(e.parts[2]))) continue;
            v.elements.push_back(value(e.parts[0]));
            check_length(v.elements.size(), e.at);
        }
        if (outer)
            known_[e.text] = *outer;
        else
            known_.erase(e.text);
        return v;
    }

    // Lists in lists: each may be short enough, and all together take for ever.
    void count_elements(std::size_t more, std::size_t at) {
        elements_ += more;
        if (elements_ > kMostElements)
            throw PythonFault{at,
                              fmt::format("its lists have more than {} elements together; write the values",
                                          kMostElements)};
    }

    void check_length(std::size_t elements, std::size_t at) {
        count_elements(1, at);
        if (elements > kLongest)
            throw PythonFault{at,
                              fmt::format("the list has more than {} elements; make it shorter", kLongest)};
    }

    std::map<std::string, PythonValue> known_;
    std::size_t elements_ = 0;
};

}  // namespace

PythonValue python_value(const Python& expression, const std::map<std::string, PythonValue>& known) {
    return PythonEvaluator(known).value(expression);
}

std::string macro_text(const PythonValue& value) {
    if (value.kind == ValueKind::text) return value.text;
    if (value.kind != ValueKind::real) return std::to_string(value.whole);
    std::string text = fmt::format("{}", value.real);
    // A compiler would take 2 for a whole number.
    if (text.find_first_of(".en") == std::string::npos) text += ".0";
    return text;
}

}  // namespace rooftune::external
