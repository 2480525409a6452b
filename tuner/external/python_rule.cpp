#include "tuner/external/python_rule.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "kernels/runtime/nearest.h"

namespace rooftune::external {
namespace {

using Kind = Python::Kind;

constexpr std::size_t kLongestSaid = 10000;
constexpr std::uint64_t kLargestWhole = std::uint64_t{1} << 53;  // up to which a double holds all
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr PythonRange kAnything{-kInfinity, kInfinity, false};

// How tightly the outermost sign of a text binds in our language; parts of a looser one stand in parentheses.
enum Binding { kChoice, kOr, kAnd, kCompare, kSum, kProduct, kPower, kWhole };

struct Said {
    std::string text;
    Binding binding = kWhole;
};

std::string within(const Said& part, Binding least) {
    return part.binding < least ? "(" + part.text + ")" : part.text;
}

class PythonTranslation {
public:
    explicit PythonTranslation(const PythonNames& names) : names_(names) {}

    // Where only whether it is true matters.
    Said condition(const Python& e) const {
        if (e.kind == Kind::logic) {
            const bool is_and = e.text == "and";
            Said said{"", is_and ? kAnd : kOr};
            for (const Python& part : e.parts)
                said.text += (said.text.empty() ? ""
                              : is_and          ? " && "
                                                : " || ") +
                             within(condition(part), is_and ? kCompare : kAnd);
            return said;
        }
        if (e.kind == Kind::negation) return {"!(" + condition(e.parts.front()).text + ")", kWhole};
        return number(e);
    }

    // A chain of comparisons says what stands between two of them twice, so that a nest of them grows.
    Said number(const Python& e) const {
        Said said = said_number(e);
        if (said.text.size() > kLongestSaid)
            throw PythonFault{e.at, "what this says becomes too long in our words; write it simpler"};
        return said;
    }

private:
    Said said_number(const Python& e) const {
        switch (e.kind) {
            case Kind::number:
                // As a fraction the first of them would look exact.
                if (range(e).is_whole && std::strtoull(e.text.c_str(), nullptr, 10) > kLargestWhole)
                    refuse_inexact(e.at);
                return {e.text, kWhole};
            case Kind::truth:
                return {e.text == "True" ? "true" : "false", kWhole};
            case Kind::text:
                throw PythonFault{e.at, "a text is compared with a parameter, by ==, != or in"};
            case Kind::name:
                return named(e);
            case Kind::sign:
                return e.text == "+" ? number(e.parts.front())
                                     : Said{"-" + within(number(e.parts.front()), kPower), kSum};
            case Kind::negation:
                return condition(e);
            case Kind::arithmetic:
                return arithmetic(e);
            case Kind::comparison:
                return comparison(e);
            case Kind::logic:
                throw PythonFault{e.at, "'" + e.text +
                                            "' gives in Python one of what it joins, and is understood only "
                                            "between rules; compare its parts with numbers"};
            case Kind::choice:
                return {within(condition(e.parts[1]), kOr) + " ? " + within(number(e.parts[0]), kOr) + " : " +
                            within(number(e.parts[2]), kOr),
                        kChoice};
            case Kind::call:
                return call(e);
            case Kind::subscript:
                return constant(e);
            case Kind::list:
            case Kind::comprehension:
                throw PythonFault{e.at, "a list stands behind 'in', or in min() and max()"};
        }
        throw PythonFault{e.at, "this has no counterpart here"};
    }

    Said named(const Python& e) const {
        if (names_.numbers.contains(e.text)) return {e.text, kWhole};
        if (names_.values.contains(e.text)) return constant(e);
        if (names_.texts.contains(e.text))
            throw PythonFault{e.at, e.text + " has texts for values; compare it with one, by ==, != or in"};
        std::vector<std::string> known;
        for (const auto& [name, range] : names_.numbers) known.push_back(name);
        for (const auto& [name, values] : names_.texts) known.push_back(name);
        for (const auto& [name, value] : names_.values) known.push_back(name);
        throw PythonFault{e.at, "there is no parameter '" + e.text + "'; " +
                                    (known.empty() ? "nothing has a name here" : suggestion(e.text, known))};
    }

    Said constant(const Python& e) const {
        const PythonValue v = python_value(e, names_.values);
        if (!v.is_number()) throw PythonFault{e.at, "a number is needed here"};
        const std::string text = macro_text(v);
        return {text, text.starts_with('-') ? kSum : kWhole};
    }

    // Of fractions Python's own way: 1.0 // 0.1 is 9, though 1.0 / 0.1 is 10.
    Said quotient(const Python& e, const Said& a, const Said& b, const std::string& rest) const {
        if (range(e.parts[0]).is_whole && range(e.parts[1]).is_whole)
            return {"floor(" + within(a, kProduct) + " / " + within(b, kPower) + ")", kWhole};
        const std::string whole =
            "rint((" + within(a, kSum) + " - " + rest + ") / " + within(b, kPower) + ")";
        if (is_never_negative(e.parts[0]) && is_never_negative(e.parts[1])) return {whole, kWhole};
        return {whole + " - (" + rest + " * " + within(b, kPower) + " < 0)", kSum};
    }

    Said arithmetic(const Python& e) const {
        const Said a = number(e.parts[0]), b = number(e.parts[1]);
        if (const PythonRange all = range(e); all.least == all.most) check_exact(all, e.at);
        if (e.text == "%" || e.text == "//" || e.text == ">>") {
            check_exact(range(e.parts[0]), e.at);
            check_exact(range(e.parts[1]), e.at);
        }
        if (e.text == "+" || e.text == "-")
            return {within(a, kSum) + " " + e.text + " " + within(b, kProduct), kSum};
        if (e.text == "*" || e.text == "/")
            return {within(a, kProduct) + " " + e.text + " " + within(b, kPower), kProduct};
        if (e.text == "**") return {within(a, kWhole) + " ^ " + within(b, kWhole), kPower};
        if (e.text == "<<") return {within(a, kWhole) + " * 2 ^ " + within(b, kWhole), kProduct};
        if (e.text == ">>")
            return {"floor(" + within(a, kProduct) + " / 2 ^ " + within(b, kWhole) + ")", kWhole};
        // What is left has the sign of the divisor in Python, and that of the number here.
        const std::string rest = within(a, kProduct) + " % " + within(b, kPower);
        if (e.text == "//") return quotient(e, a, b, rest);
        if (is_never_negative(e.parts[0]) && is_never_negative(e.parts[1])) return {rest, kProduct};
        return {"(" + rest + " + " + within(b, kProduct) + ") % " + within(b, kPower), kProduct};
    }

    // Between which numbers it is; what is not seen at once may be any.
    PythonRange range(const Python& e) const {
        PythonRange found = range_of_kind(e);
        if (std::isnan(found.least)) found.least = -kInfinity;
        if (std::isnan(found.most)) found.most = kInfinity;
        return found;
    }

    PythonRange range_of_kind(const Python& e) const {
        switch (e.kind) {
            case Kind::number: {
                const double value = std::strtod(e.text.c_str(), nullptr);
                return {value, value, e.text.find_first_of(".eE") == std::string::npos};
            }
            case Kind::truth:
            case Kind::comparison:
            case Kind::negation:
                return {0.0, 1.0, true};
            case Kind::name: {
                const auto found = names_.numbers.find(e.text);
                return found != names_.numbers.end() ? found->second : range_of_value(e);
            }
            case Kind::subscript:
                return e.parts[0].kind == Kind::name ? range_of_value(e) : kAnything;
            case Kind::sign: {
                const PythonRange of = range(e.parts.front());
                return e.text == "+" ? of : PythonRange{-of.most, -of.least, of.is_whole};
            }
            case Kind::arithmetic:
                return range_of_arithmetic(e.text, range(e.parts[0]), range(e.parts[1]));
            case Kind::choice:
                return joined(range(e.parts[0]), range(e.parts[2]));
            case Kind::call:
                return range_of_call(e);
            default:
                return kAnything;
        }
    }

    PythonRange range_of_value(const Python& e) const {
        try {
            const PythonValue v = python_value(e, names_.values);
            if (v.is_number()) return {v.real, v.real, v.kind != PythonValue::Kind::real};
        } catch (const PythonFault&) {
            // Told where it is translated.
        }
        return kAnything;
    }

    static PythonRange joined(const PythonRange& a, const PythonRange& b) {
        return {std::min(a.least, b.least), std::max(a.most, b.most), a.is_whole && b.is_whole};
    }

    template <typename Combine>
    static PythonRange of_corners(const PythonRange& a, const PythonRange& b, const Combine& combine) {
        const auto [least, most] = std::minmax({combine(a.least, b.least), combine(a.least, b.most),
                                                combine(a.most, b.least), combine(a.most, b.most)});
        return {least, most, a.is_whole && b.is_whole};
    }

    static PythonRange range_of_arithmetic(const std::string& sign, const PythonRange& a,
                                           const PythonRange& b) {
        const bool is_whole = a.is_whole && b.is_whole;
        if (sign == "+") return {a.least + b.least, a.most + b.most, is_whole};
        if (sign == "-") return {a.least - b.most, a.most - b.least, is_whole};
        if (sign == "*") return of_corners(a, b, [](double x, double y) { return x * y; });
        if (sign == "<<") return of_corners(a, b, [](double x, double y) { return x * std::exp2(y); });
        if (sign == ">>")
            return of_corners(a, b, [](double x, double y) { return std::floor(x / std::exp2(y)); });
        if (sign == "**") {
            const double base = std::max(std::abs(a.least), std::abs(a.most));
            if (a.least >= 0.0) {
                PythonRange power = of_corners(a, b, [](double x, double y) { return std::pow(x, y); });
                power.is_whole = is_whole && b.least >= 0.0;
                return power;
            }
            if (!(b.least >= 0.0)) return kAnything;
            const double most = std::max(1.0, std::pow(base, b.most));
            return {-most, most, is_whole};
        }
        if (sign == "%") return {std::min(b.least, 0.0), std::max(b.most, 0.0), is_whole};
        const bool is_apart = b.least > 0.0 || b.most < 0.0;
        if (sign == "/") {
            PythonRange quotient =
                is_apart ? of_corners(a, b, [](double x, double y) { return x / y; }) : kAnything;
            quotient.is_whole = false;
            return quotient;
        }
        // Of whole numbers no quotient is larger than what is divided.
        if (is_apart) return of_corners(a, b, [](double x, double y) { return std::floor(x / y); });
        const double most = std::max(std::abs(a.least), std::abs(a.most));
        return is_whole ? PythonRange{-most, most, true} : kAnything;
    }

    PythonRange range_of_call(const Python& e) const {
        if (e.text == "min" || e.text == "max") {
            const bool is_list = e.parts.size() == 1 && e.parts.front().kind == Kind::list;
            const std::vector<Python>& parts = is_list ? e.parts.front().parts : e.parts;
            if (parts.empty()) return kAnything;
            PythonRange found = range(parts.front());
            for (const Python& part : parts) found = joined(found, range(part));
            return found;
        }
        if (e.parts.size() != 1) return kAnything;
        const PythonRange of = range(e.parts.front());
        if (e.text == "int" || e.text == "math.ceil" || e.text == "math.floor" || e.text == "ceil")
            return {std::floor(of.least), std::ceil(of.most), true};
        if (e.text == "abs")
            return {of.least >= 0.0 ? of.least : 0.0, std::max(std::abs(of.least), std::abs(of.most)),
                    of.is_whole};
        return kAnything;
    }

    bool is_never_negative(const Python& e) const { return range(e).least >= 0.0; }

    // Ours are fractions of 53 bits, of which a rest tells nothing where they are rounded.
    static void check_exact(const PythonRange& range, std::size_t at) {
        constexpr auto kMost = static_cast<double>(kLargestWhole);
        if (range.is_whole && std::max(std::abs(range.least), std::abs(range.most)) > kMost)
            refuse_inexact(at);
    }
    [[noreturn]] static void refuse_inexact(std::size_t at) {
        throw PythonFault{
            at, "whole numbers beyond 2^53 are exact in Python and not here; write it with smaller ones"};
    }

    // A chain of comparisons holds where each of its links does.
    Said comparison(const Python& e) const {
        if (e.signs.size() == 1) return link(e.parts[0], e.signs[0], e.parts[1], e.at);
        Said said{"", kAnd};
        for (std::size_t i = 0; i < e.signs.size(); ++i)
            said.text +=
                (i > 0 ? " && " : "") + within(link(e.parts[i], e.signs[i], e.parts[i + 1], e.at), kCompare);
        return said;
    }

    Said link(const Python& a, const std::string& sign, const Python& b, std::size_t at) const {
        if (sign == "in" || sign == "not in") return membership(a, sign == "in", b);
        if (a.kind == Kind::text && b.kind == Kind::text)
            throw PythonFault{at, "two texts are compared here"};
        if (a.kind == Kind::text) return of_text(b, sign, a, at);
        if (b.kind == Kind::text) return of_text(a, sign, b, at);
        return {within(number(a), kSum) + " " + sign + " " + within(number(b), kSum), kCompare};
    }

    // A parameter and a text.
    Said of_text(const Python& name, const std::string& sign, const Python& text, std::size_t at) const {
        const auto known = names_.texts.find(name.text);
        if (name.kind == Kind::name && known == names_.texts.end()) number(name);  // tells an unknown name
        if (name.kind != Kind::name || known == names_.texts.end())
            throw PythonFault{name.at, "a text is compared with a parameter that has texts for values"};
        if (sign != "==" && sign != "!=") throw PythonFault{at, "texts are compared by ==, != and in"};
        if (!known->second.contains(text.text)) return {sign == "==" ? "false" : "true", kWhole};
        const char quote = text.text.find('\'') == std::string::npos ? '\'' : '"';
        return {name.text + " " + sign + " " + quote + text.text + quote, kCompare};
    }

    Said membership(const Python& what, bool is_in, const Python& list) const {
        std::vector<Python> elements = elements_of(list);
        if (elements.empty()) return {is_in ? "false" : "true", kWhole};
        Said said{"", is_in ? kOr : kAnd};
        for (const Python& element : elements) {
            const Said one = link(what, is_in ? "==" : "!=", element, list.at);
            said.text += (said.text.empty() ? "" : is_in ? " || " : " && ") + within(one, kCompare);
        }
        if (elements.size() == 1) said.binding = kCompare;
        return said;
    }

    std::vector<Python> elements_of(const Python& list) const {
        if (list.kind == Kind::list) return list.parts;
        const PythonValue value = python_value(list, names_.values);
        if (value.kind != PythonValue::Kind::list) throw PythonFault{list.at, "a list is needed behind 'in'"};
        constexpr std::size_t kMost = 1000;
        if (value.elements.size() > kMost)
            throw PythonFault{list.at, "the list is too long to be compared with; write it as a < x < b"};
        std::vector<Python> elements;
        for (const PythonValue& v : value.elements)
            elements.push_back({v.kind == PythonValue::Kind::text ? Kind::text : Kind::name,
                                v.kind == PythonValue::Kind::text ? v.text : "",
                                {},
                                {},
                                list.at});
        for (std::size_t i = 0; i < elements.size(); ++i) {
            const PythonValue& v = value.elements[i];
            if (v.kind == PythonValue::Kind::list)
                throw PythonFault{list.at, "a list of lists is not compared"};
            if (v.kind == PythonValue::Kind::text) continue;
            const std::string text = macro_text(v);
            const bool negative = text.starts_with('-');
            Python number{Kind::number, negative ? text.substr(1) : text, {}, {}, list.at};
            elements[i] = negative ? Python{Kind::sign, "-", {}, {number}, list.at} : number;
        }
        return elements;
    }

    Said call(const Python& e) const {
        const std::string name = e.text.starts_with("math.")    ? e.text.substr(5)
                                 : e.text.starts_with("numpy.") ? e.text.substr(6)
                                 : e.text.starts_with("np.")    ? e.text.substr(3)
                                                                : e.text;
        if (name == "min" || name == "max") {
            std::vector<Python> parts =
                e.parts.size() == 1 && e.parts.front().kind == Kind::list ? e.parts.front().parts : e.parts;
            if (parts.empty()) throw PythonFault{e.at, "of nothing there is no least nor largest"};
            std::string text;
            for (const Python& part : parts) text += (text.empty() ? "" : ", ") + number(part).text;
            return {name + "(" + text + ")", kWhole};
        }
        const bool is_plain = e.text == name;
        const auto with_one = [&](std::initializer_list<const char*> known) {
            return e.parts.size() == 1 &&
                   std::any_of(known.begin(), known.end(), [&](const char* k) { return name == k; });
        };
        if (with_one({"abs", "floor", "ceil", "sqrt", "log2", "log10", "exp"}))
            return {name + "(" + number(e.parts.front()).text + ")", kWhole};
        if (name == "log" && !is_plain && e.parts.size() == 1)
            return {"ln(" + number(e.parts.front()).text + ")", kWhole};
        if (is_plain && with_one({"float"})) return number(e.parts.front());
        if (is_plain && with_one({"bool"}))
            return {within(number(e.parts.front()), kSum) + " != 0", kCompare};
        if (is_plain && with_one({"int"})) {
            const std::string of = number(e.parts.front()).text;
            if (is_never_negative(e.parts.front())) return {"floor(" + of + ")", kWhole};
            return {"sign(" + of + ") * floor(abs(" + of + "))", kProduct};
        }
        throw PythonFault{e.at,
                          "the function '" + e.text +
                              "' has no counterpart here; there are min, max, abs, int, float, bool, and "
                              "of math: floor, ceil, sqrt, log, log2, log10, exp"};
    }

    const PythonNames& names_;
};

}  // namespace

std::string rule_from_python(const Python& expression, const PythonNames& names) {
    return PythonTranslation(names).condition(expression).text;
}

std::string number_from_python(const Python& expression, const PythonNames& names) {
    return PythonTranslation(names).number(expression).text;
}

}  // namespace rooftune::external
