#include "tuner/search/enumerate/expression.h"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernels/runtime/error.h"
#include "kernels/runtime/nearest.h"
#include "tuner/search/enumerate/expression_tokens.h"

namespace rooftune {
namespace {

using Number = mu::value_type;

constexpr std::array<const char*, 12> kFunctions{"min",  "max",  "abs",  "floor", "ceil", "rint",
                                                 "sign", "sqrt", "log2", "log10", "ln",   "exp"};
constexpr int kTightest = 9;  // ! binds before everything else, as in C

// muparser has the others.
Number remainder_of(Number a, Number b) {
    return std::fmod(a, b);
}
Number negation_of(Number a) {
    return a == 0.0 ? 1.0 : 0.0;
}
Number shifted(Number a, Number by) {
    return std::ldexp(a, static_cast<int>(std::clamp(by, -1024.0, 1024.0)));
}
Number floor_of(Number a) {
    return std::floor(a);
}
Number ceil_of(Number a) {
    return std::ceil(a);
}

/// A parameter as the expression meets it, by its number or by which of its values it has.
struct Operand {
    int parameter = 0;
    std::vector<Number> values;  ///< by the index of its value
};

/// A translated expression: its variables are v0, v1, …, one for each operand. A copy has variables of its
/// own.
class Evaluation {
public:
    Evaluation(std::string text, std::vector<Operand> operands)
        : text_(std::move(text)), operands_(std::move(operands)) {
        prepare();
    }
    Evaluation(const Evaluation& other) : text_(other.text_), operands_(other.operands_) { prepare(); }
    Evaluation& operator=(const Evaluation&) = delete;
    ~Evaluation() = default;

    /// Of an expression without parameters, with this for its variable.
    Number value_at(Number variable) {
        variable_ = variable;
        return parser_.Eval();
    }
    /// NaN where a parameter is not there.
    Number value(const PartialVariant& v) {
        if (!decided(v)) return std::numeric_limits<Number>::quiet_NaN();
        for (std::size_t i = 0; i < operands_.size(); ++i) {
            const Operand& operand = operands_[i];
            now_[i] = operand.values[static_cast<std::size_t>(v[operand.parameter])];
        }
        return parser_.Eval();
    }
    bool holds(const PartialVariant& v) {
        if (!decided(v)) return true;
        const Number found = value(v);
        return found != 0.0 && !std::isnan(found);
    }
    /// Evaluates once, so that muparser reads all of it. Throws mu::ParserError.
    void try_out() const { parser_.Eval(); }

private:
    bool decided(const PartialVariant& v) const {
        return std::all_of(operands_.begin(), operands_.end(),
                           [&](const Operand& operand) { return v.fixed(operand.parameter); });
    }
    void prepare() {
        now_.assign(operands_.size(), 1.0);
        parser_.DefineOprt("%", remainder_of, mu::prMUL_DIV);
        parser_.DefineOprt("<<", shifted, mu::prADD_SUB);  // beside + and -, parentheses are asked for
        parser_.DefineInfixOprt("!", negation_of, kTightest);
        parser_.DefineFun("floor", floor_of);
        parser_.DefineFun("ceil", ceil_of);
        for (std::size_t i = 0; i < operands_.size(); ++i)
            parser_.DefineVar("v" + std::to_string(i), &now_[i]);
        parser_.DefineVar("x", &variable_);
        parser_.SetExpr(text_);
    }

    std::string text_;
    std::vector<Operand> operands_;
    std::vector<Number> now_;  ///< where the parser reads its variables
    Number variable_ = 1.0;    ///< of a function
    mu::Parser parser_;
};

bool has_names_only(const Parameter& p) {
    return std::all_of(p.values.begin(), p.values.end(),
                       [](const ParameterValue& v) { return v.kind == ValueKind::named; });
}

std::vector<std::string> texts_of(const Parameter& p) {
    std::vector<std::string> texts;
    for (const ParameterValue& v : p.values) texts.push_back(v.text);
    return texts;
}

/// Words and signs to what muparser reads.
class Translation {
public:
    Translation(const Space& space, const Constants& constants, const std::string& variable,
                std::vector<Token> tokens)
        : space_(space), constants_(constants), variable_(variable), tokens_(std::move(tokens)) {
        check_comparisons();
        check_shifts();
        for (std::size_t i = 0; i < tokens_.size();) i = translate(i);
    }

    void check_names_parameter() const {
        if (operands_.empty()) throw ExpressionFault{0, "it names no parameter; " + known_parameters()};
    }

    const std::string& text() const { return text_; }
    const std::vector<Operand>& operands() const { return operands_; }

    /// The token behind a place in the translated text; one past the last beyond it.
    std::size_t token_at(std::size_t place) const {
        std::size_t token = 0;
        while (token < starts_.size() && starts_[token] <= place) ++token;
        return place >= text_.size() ? tokens_.size() : token - (token > 0 ? 1 : 0);
    }

private:
    const Token* token(std::size_t i) const { return i < tokens_.size() ? &tokens_[i] : nullptr; }

    std::string known_parameters() const {
        std::string text = "there are";
        for (const Parameter& p : space_.parameters()) text += " " + p.name;
        return text;
    }

    // "1 < a < 4" would compare the outcome of the first comparison, 0 or 1, with 4.
    void check_comparisons() const {
        std::vector<bool> compared(1, false);
        for (const Token& t : tokens_) {
            if (t.kind == TokenKind::open) compared.push_back(false);
            if (t.kind == TokenKind::close && compared.size() > 1) compared.pop_back();
            if (t.kind == TokenKind::comma && compared.size() == 1)
                throw ExpressionFault{t.from, "a comma between rules; write && where both must hold"};
            if (t.kind == TokenKind::logic || t.kind == TokenKind::choice || t.kind == TokenKind::comma)
                compared.back() = false;
            if (t.kind != TokenKind::comparison) continue;
            if (compared.back())
                throw ExpressionFault{t.from, "comparisons in a row; write 1 < a && a < 4 for 1 < a < 4"};
            compared.back() = true;
        }
    }

    // In C a shift binds less than a sum, which few remember and muparser has no place for.
    void check_shifts() const {
        std::vector<const Token*> shift(1, nullptr), sum(1, nullptr);
        for (const Token& t : tokens_) {
            if (t.kind == TokenKind::open) {
                shift.push_back(nullptr);
                sum.push_back(nullptr);
            } else if (t.kind == TokenKind::close && shift.size() > 1) {
                shift.pop_back();
                sum.pop_back();
            } else if (t.kind == TokenKind::arithmetic) {
                if (t.text == "<<") shift.back() = &t;
                if (t.text == "+" || t.text == "-") sum.back() = &t;
            } else if (t.kind == TokenKind::comparison || t.kind == TokenKind::logic ||
                       t.kind == TokenKind::choice || t.kind == TokenKind::comma) {
                shift.back() = sum.back() = nullptr;
            }
            if (shift.back() && sum.back())
                throw ExpressionFault{shift.back()->from,
                                      "'<<' beside a sum; put one of them into parentheses"};
        }
    }

    std::size_t emit(std::size_t i, const std::string& text) {
        starts_.push_back(text_.size());
        text_ += text;
        // muparser wants a function and its parenthesis side by side.
        if (tokens_[i].kind != TokenKind::word || !calls(i)) text_ += ' ';
        return i + 1;
    }
    bool calls(std::size_t i) const { return token(i + 1) && token(i + 1)->kind == TokenKind::open; }

    std::string operand(int parameter, std::vector<Number> values) {
        operands_.push_back({parameter, std::move(values)});
        return "v" + std::to_string(operands_.size() - 1);
    }

    // Returns the index of the next token.
    std::size_t translate(std::size_t i) {
        const Token& t = tokens_[i];
        const Token* const next = token(i + 1);
        if (t.kind == TokenKind::quoted) {
            if (next && (next->text == "==" || next->text == "!=") && parameter_at(i + 2) >= 0)
                return compare_names(i, i + 2, i);
            throw ExpressionFault{t.from, "a name in quotes is compared with a parameter, by == or !="};
        }
        if (t.kind != TokenKind::word) return emit(i, t.text);
        if (calls(i)) return emit(i, function(t));
        if (!variable_.empty() && t.text == variable_) return emit(i, "x");
        if (t.text == "true" || t.text == "false") return emit(i, t.text == "true" ? "1" : "0");
        const int p = parameter_at(i);
        if (p < 0) {
            const auto constant = constants_.find(t.text);
            if (constant == constants_.end()) unknown(t);
            return emit(i, fmt::format("({:.17g})", constant->second));
        }
        if (next && (next->text == "==" || next->text == "!=") && token(i + 2) &&
            token(i + 2)->kind == TokenKind::quoted)
            return compare_names(i + 2, i, i);
        const Parameter& parameter = space_.parameters()[static_cast<std::size_t>(p)];
        if (has_names_only(parameter)) {
            if (next && next->kind == TokenKind::comparison && token(i + 2) &&
                token(i + 2)->kind == TokenKind::word && parameter_at(i + 2) < 0)
                unknown_name(*token(i + 2), parameter);
            throw ExpressionFault{t.from, t.text + " has names for values, compare it with one: " + t.text +
                                              " == '" + parameter.values.front().text + "', say; there are " +
                                              listed(texts_of(parameter))};
        }
        std::vector<Number> values;
        for (const ParameterValue& v : parameter.values) values.push_back(v.real());
        return emit(i, operand(p, std::move(values)));
    }

    int parameter_at(std::size_t i) const {
        const Token* const t = token(i);
        return t && t->kind == TokenKind::word ? space_.find(t->text) : -1;
    }

    // Three tokens: a name, a comparison, a parameter, in this order or the other. The comparison must stand
    // for itself: in "a + format == 'sell'" the sum would be compared.
    std::size_t compare_names(std::size_t name, std::size_t word, std::size_t first) {
        const auto apart = [](const Token* t) {
            return !t || t->kind == TokenKind::logic || t->kind == TokenKind::choice ||
                   t->kind == TokenKind::comma || t->kind == TokenKind::open || t->kind == TokenKind::close;
        };
        const Token& sign = tokens_[first + 1];
        if (!apart(first > 0 ? token(first - 1) : nullptr) || !apart(token(first + 3))) {
            throw ExpressionFault{tokens_[first].from,
                                  "a comparison with a name stands for itself; put it into parentheses"};
        }
        const int p = parameter_at(word);
        const Parameter& parameter = space_.parameters()[static_cast<std::size_t>(p)];
        const std::vector<std::string> known = texts_of(parameter);
        const auto found = std::find(known.begin(), known.end(), tokens_[name].text);
        if (found == known.end()) unknown_name(tokens_[name], parameter);
        std::vector<Number> is(known.size(), 0.0);
        is[static_cast<std::size_t>(found - known.begin())] = 1.0;
        emit(first, operand(p, std::move(is)));
        emit(first + 1, sign.text);
        return emit(first + 2, "1");
    }

    std::string function(const Token& t) const {
        if (std::find(kFunctions.begin(), kFunctions.end(), t.text) != kFunctions.end()) return t.text;
        const std::vector<std::string> known(kFunctions.begin(), kFunctions.end());
        throw ExpressionFault{t.from, "there is no function '" + t.text + "'; " + suggestion(t.text, known)};
    }

    // A name that is no value of this parameter, or one that lacks its quotes.
    [[noreturn]] static void unknown_name(const Token& t, const Parameter& p) {
        const std::vector<std::string> known = texts_of(p);
        if (t.kind == TokenKind::word && std::find(known.begin(), known.end(), t.text) != known.end()) {
            throw ExpressionFault{t.from, "'" + t.text + "' is a value of " + p.name +
                                              "; names stand in quotes: " + p.name + " == '" + t.text + "'"};
        }
        throw ExpressionFault{
            t.from, "'" + t.text + "' is no value of " + p.name + " here; " + suggestion(t.text, known)};
    }

    [[noreturn]] void unknown(const Token& t) const {
        std::vector<std::string> names;
        for (const Parameter& p : space_.parameters()) {
            const std::vector<std::string> values = texts_of(p);
            if (std::find(values.begin(), values.end(), t.text) != values.end()) unknown_name(t, p);
            names.push_back(p.name);
        }
        for (const auto& [name, value] : constants_) names.push_back(name);
        if (names.empty())
            throw ExpressionFault{t.from, "'" + t.text + "' is no number, and nothing has a name here"};
        throw ExpressionFault{t.from, (constants_.empty() ? "there is no parameter '" : "there is no '") +
                                          t.text + "'; " + suggestion(t.text, names)};
    }

    const Space& space_;
    const Constants& constants_;
    const std::string& variable_;  ///< of a function; empty: there is none
    std::vector<Token> tokens_;
    std::string text_;
    std::vector<std::size_t> starts_;  ///< of each token in the translated text
    std::vector<Operand> operands_;
};

// What muparser found, at the user's own token.
ExpressionFault fault_of(const mu::ParserError& error, const Translation& translation,
                         const std::vector<Token>& tokens, std::size_t length) {
    switch (error.GetCode()) {
        case mu::ecMISSING_PARENS:
            return {length, "a parenthesis is not closed"};
        case mu::ecTOO_MANY_PARAMS:
        case mu::ecTOO_FEW_PARAMS:
            return {length, "a function has too many or too few arguments"};
        default:
            break;
    }
    const int place = error.GetPos();
    const std::size_t at = place < 0 ? tokens.size() : translation.token_at(static_cast<std::size_t>(place));
    if (at >= tokens.size()) return {length, "it ends where a parameter, a number or a name is missing"};
    return {tokens[at].from, "'" + tokens[at].text + "' cannot stand here"};
}

}  // namespace

namespace {

struct Read {
    Evaluation evaluation;
    ParameterSet depends_on{};
    int last = 0;  ///< the highest parameter
};

Read read_expression(const Space& space, const Constants& constants, const std::string& text,
                     const std::string& where, bool needs_parameter, const std::string& variable = "") {
    try {
        const std::vector<Token> tokens = tokens_of(text);
        if (tokens.empty()) throw ExpressionFault{0, "it is empty; write something like rows * unroll <= 8"};
        const Translation translation(space, constants, variable, tokens);
        if (needs_parameter) translation.check_names_parameter();
        Read result{Evaluation(translation.text(), translation.operands())};
        try {
            result.evaluation.try_out();
        } catch (const mu::ParserError& error) {
            throw fault_of(error, translation, tokens, text.size());
        }
        for (const Operand& operand : translation.operands()) {
            result.depends_on.add(operand.parameter);
            result.last = std::max(result.last, operand.parameter);
        }
        return result;
    } catch (const ExpressionFault& fault) {
        throw InputError(where + " \"" + text + "\": at character " + std::to_string(fault.at + 1) + ": " +
                         fault.what);
    }
}

}  // namespace

Expression expression_from(const Space& space, const Constants& constants, const std::string& text,
                           const std::string& where) {
    const Read found = read_expression(space, constants, text, where, false);
    return {text, found.depends_on,
            [evaluation = found.evaluation](const PartialVariant& v) mutable { return evaluation.value(v); }};
}

std::function<double(double)> function_from(const std::string& variable, const Constants& constants,
                                            const std::string& text, const std::string& where) {
    const Space none("", 1);
    const Read found = read_expression(none, constants, text, where, false, variable);
    return [evaluation = found.evaluation](double at) mutable { return evaluation.value_at(at); };
}

Constraint constraint_from(const Space& space, const Constants& constants, const std::string& text,
                           const std::string& where) {
    const Read found = read_expression(space, constants, text, where, true);
    Constraint constraint;
    constraint.text = text;
    constraint.depends_on = found.depends_on;
    constraint.decided_by = found.last;
    constraint.holds = [evaluation = found.evaluation](const PartialVariant& v) mutable {
        return evaluation.holds(v);
    };
    return constraint;
}

Constraint constraint_from(const Space& space, const std::string& text, const std::string& where) {
    return constraint_from(space, {}, text, where);
}

}  // namespace rooftune
