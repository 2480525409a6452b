#include "tuner/external/python_rule.h"

#include <algorithm>

#include "kernels/runtime/nearest.h"

namespace rooftune::external {
namespace {

using Kind = Python::Kind;

constexpr std::size_t kLongestSaid = 10000;

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
        for (const auto& [name, positive] : names_.numbers) known.push_back(name);
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

    Said arithmetic(const Python& e) const {
        const Said a = number(e.parts[0]), b = number(e.parts[1]);
        if (e.text == "+" || e.text == "-")
            return {within(a, kSum) + " " + e.text + " " + within(b, kProduct), kSum};
        if (e.text == "*" || e.text == "/")
            return {within(a, kProduct) + " " + e.text + " " + within(b, kPower), kProduct};
        if (e.text == "**") return {within(a, kWhole) + " ^ " + within(b, kWhole), kPower};
        if (e.text == "<<") return {within(a, kWhole) + " * 2 ^ " + within(b, kWhole), kProduct};
        if (e.text == ">>")
            return {"floor(" + within(a, kProduct) + " / 2 ^ " + within(b, kWhole) + ")", kWhole};
        if (e.text == "//") return {"floor(" + within(a, kProduct) + " / " + within(b, kPower) + ")", kWhole};
        // What is left has the sign of the divisor in Python, and that of the number here.
        const std::string rest = within(a, kProduct) + " % " + within(b, kPower);
        if (is_never_negative(e.parts[0]) && is_never_negative(e.parts[1])) return {rest, kProduct};
        return {"(" + rest + " + " + within(b, kProduct) + ") % " + within(b, kPower), kProduct};
    }

    // Whether no value of it can be below 0: what is not seen at once is no.
    bool is_never_negative(const Python& e) const {
        const auto all = [&] {
            return std::all_of(e.parts.begin(), e.parts.end(),
                               [&](const Python& part) { return is_never_negative(part); });
        };
        switch (e.kind) {
            case Kind::number:
            case Kind::truth:
            case Kind::comparison:
            case Kind::negation:
                return true;
            case Kind::name: {
                const auto found = names_.numbers.find(e.text);
                if (found != names_.numbers.end()) return found->second;
                const auto value = names_.values.find(e.text);
                return value != names_.values.end() && value->second.is_number() && value->second.real >= 0.0;
            }
            case Kind::arithmetic:
                return e.text != "-" && all();
            case Kind::call:
                return (e.text == "min" || e.text == "max" || e.text == "int" || e.text == "math.ceil" ||
                        e.text == "math.floor" || e.text == "ceil") &&
                       all();
            case Kind::choice:
                return is_never_negative(e.parts[0]) && is_never_negative(e.parts[2]);
            default:
                return false;
        }
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
