#include "tuner/external/python_expression.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "tuner/external/characters.h"

namespace rooftune::external {
namespace {

using Kind = Python::Kind;

constexpr int kDeepest = 100;  // of parentheses in parentheses
// A chain of sums is as deep a tree as it is long, which whoever walks it has to have a stack for.
constexpr std::size_t kLongestText = 4000;

struct PythonToken {
    enum class Kind { number, text, word, sign, end };
    Kind kind = Kind::end;
    std::string text{};
    std::size_t at = 0;
};

class PythonScanner {
public:
    explicit PythonScanner(const std::string& text) : text_(text) {}

    std::vector<PythonToken> all() {
        std::vector<PythonToken> tokens;
        while (true) {
            while (at_ < text_.size() && is_space(text_[at_])) ++at_;
            PythonToken token{PythonToken::Kind::end, "", at_};
            if (at_ < text_.size()) read(token);
            tokens.push_back(token);
            if (token.kind == PythonToken::Kind::end) return tokens;
        }
    }

private:
    void read(PythonToken& token) {
        const char c = text_[at_];
        const bool fraction = c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]);
        if (is_digit(c) || fraction) {
            token.kind = PythonToken::Kind::number;
            token.text = number();
        } else if (is_of_a_word(c)) {
            token.kind = PythonToken::Kind::word;
            while (at_ < text_.size() && (is_of_a_word(text_[at_]) || is_digit(text_[at_]) || is_dot()))
                token.text += text_[at_++];
        } else if (c == '\'' || c == '"') {
            token.kind = PythonToken::Kind::text;
            token.text = quoted(c);
        } else {
            token.kind = PythonToken::Kind::sign;
            token.text = sign();
        }
    }

    // Between two letters: math.ceil.
    bool is_dot() const {
        return text_[at_] == '.' && at_ + 1 < text_.size() && is_of_a_word(text_[at_ + 1]);
    }

    std::string number() {
        const std::size_t from = at_;
        const auto digits = [&] {
            while (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '_')) ++at_;
        };
        digits();
        if (at_ < text_.size() && text_[at_] == '.') {
            ++at_;
            digits();
        }
        if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
            ++at_;
            if (at_ < text_.size() && (text_[at_] == '-' || text_[at_] == '+')) ++at_;
            digits();
        }
        std::string found = text_.substr(from, at_ - from);
        const bool has_exponent_alone = !is_digit(found.back()) && found.back() != '.';
        if (has_exponent_alone || (at_ < text_.size() && is_of_a_word(text_[at_])))
            throw PythonFault{from,
                              "'" + found + "' is followed by what makes it no number; write it in digits"};
        std::erase(found, '_');
        return found;
    }

    std::string quoted(char quote) {
        const std::size_t end = text_.find(quote, at_ + 1);
        if (end == std::string::npos) throw PythonFault{at_, "the quote that begins here is not closed"};
        std::string found = text_.substr(at_ + 1, end - at_ - 1);
        if (found.find('\\') != std::string::npos)
            throw PythonFault{at_, "a backslash in a text is not understood here; leave it out"};
        at_ = end + 1;
        return found;
    }

    std::string sign() {
        constexpr std::array<std::string_view, 22> kSigns{
            "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "<", ">", "+",
            "-",  "*",  "/",  "%",  "(",  ")",  "[",  "]",  ",", "=", ":"};
        const std::string_view rest = std::string_view(text_).substr(at_);
        for (const std::string_view known : kSigns) {
            if (!rest.starts_with(known)) continue;
            at_ += known.size();
            return std::string(known);
        }
        if (rest.front() == '&')
            throw PythonFault{at_, "'&' joins bits, which has no counterpart here; write `and`"};
        if (rest.front() == '|')
            throw PythonFault{at_, "'|' joins bits, which has no counterpart here; write `or`"};
        throw PythonFault{at_, "'" + std::string(1, rest.front()) + "' means nothing here; leave it out"};
    }

    const std::string& text_;
    std::size_t at_ = 0;
};

// By descent, as Python's own grammar has it.
class PythonParser {
public:
    explicit PythonParser(std::vector<PythonToken> tokens) : tokens_(std::move(tokens)) {}

    Python all() {
        Python found = choice();
        if (now().kind != PythonToken::Kind::end) unexpected();
        return found;
    }

private:
    const PythonToken& now() const { return tokens_[at_]; }
    bool is_sign(std::string_view text) const {
        return now().kind == PythonToken::Kind::sign && now().text == text;
    }
    bool is_word(std::string_view text) const {
        return now().kind == PythonToken::Kind::word && now().text == text;
    }
    bool take_sign(std::string_view text) {
        const bool is_it = is_sign(text);
        if (is_it) ++at_;
        return is_it;
    }
    bool take_word(std::string_view text) {
        const bool is_it = is_word(text);
        if (is_it) ++at_;
        return is_it;
    }
    void need_sign(const std::string& text, const char* why) {
        if (!take_sign(text)) throw PythonFault{now().at, "'" + text + "' is missing here, " + why};
    }
    [[noreturn]] void unexpected() const {
        if (now().kind == PythonToken::Kind::end)
            throw PythonFault{now().at, "it ends where a name, a number or a list is missing"};
        if (is_sign("=")) throw PythonFault{now().at, "a single '='; write == to compare"};
        throw PythonFault{now().at, "'" + now().text + "' cannot stand here"};
    }

    // Deep nesting would use up the stack.
    struct Level {
        explicit Level(PythonParser& p) : parser(p) {
            if (++parser.depth_ > kDeepest)
                throw PythonFault{parser.now().at, "more is nested here than is read; write it simpler"};
        }
        ~Level() { --parser.depth_; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;
        PythonParser& parser;
    };

    Python choice() {
        const Level level(*this);
        if (is_word("lambda"))
            throw PythonFault{now().at,
                              "a lambda is not understood here; write its expression, with parameters by "
                              "their names"};
        Python value = logic("or");
        if (!is_word("if")) return value;
        Python found{Kind::choice, "if", {}, {}, now().at};
        ++at_;
        Python condition = logic("or");
        if (!take_word("else")) throw PythonFault{now().at, "'else' is missing here, with the other value"};
        Python other = choice();
        found.parts = {std::move(value), std::move(condition), std::move(other)};
        return found;
    }

    Python logic(const std::string& word) {
        const auto part = [&] { return word == "or" ? logic("and") : negation(); };
        Python first = part();
        if (!is_word(word)) return first;
        Python found{Kind::logic, word, {}, {}, now().at};
        found.parts.push_back(std::move(first));
        while (take_word(word)) found.parts.push_back(part());
        return found;
    }

    Python negation() {
        if (!is_word("not")) return comparison();
        const Level level(*this);
        Python found{Kind::negation, "not", {}, {}, now().at};
        ++at_;
        found.parts.push_back(negation());
        return found;
    }

    Python comparison() {
        Python first = shift();
        Python found{Kind::comparison, "", {}, {}, now().at};
        while (true) {
            if (is_word("is"))
                throw PythonFault{now().at, "'is' compares what Python keeps, not values; write =="};
            std::string sign;
            for (const char* known : {"<", "<=", ">", ">=", "==", "!="}) {
                if (is_sign(known)) sign = known;
            }
            if (is_word("in")) sign = "in";
            if (is_word("not") && tokens_[at_ + 1].text == "in") {
                sign = "not in";
                ++at_;
            }
            if (sign.empty()) break;
            ++at_;
            if (found.parts.empty()) found.parts.push_back(std::move(first));
            found.signs.push_back(sign);
            found.parts.push_back(shift());
        }
        return found.parts.empty() ? first : found;
    }

    Python binary(Python (PythonParser::*part)(), std::initializer_list<const char*> signs) {
        Python left = (this->*part)();
        while (true) {
            const auto known =
                std::find_if(signs.begin(), signs.end(), [&](const char* s) { return is_sign(s); });
            if (known == signs.end()) return left;
            Python found{Kind::arithmetic, *known, {}, {}, now().at};
            ++at_;
            found.parts.push_back(std::move(left));
            found.parts.push_back((this->*part)());
            left = std::move(found);
        }
    }
    Python shift() { return binary(&PythonParser::sum, {"<<", ">>"}); }
    Python sum() { return binary(&PythonParser::product, {"+", "-"}); }
    Python product() { return binary(&PythonParser::signed_part, {"*", "/", "//", "%"}); }

    Python signed_part() {
        if (!is_sign("-") && !is_sign("+")) return power();
        const Level level(*this);
        Python found{Kind::sign, now().text, {}, {}, now().at};
        ++at_;
        found.parts.push_back(signed_part());
        return found;
    }

    Python power() {
        Python base = primary();
        if (!is_sign("**")) return base;
        const Level level(*this);
        Python found{Kind::arithmetic, "**", {}, {}, now().at};
        ++at_;
        found.parts.push_back(std::move(base));
        found.parts.push_back(signed_part());
        return found;
    }

    Python primary() {
        Python found = atom();
        while (is_sign("(") || is_sign("[")) {
            const std::size_t at = found.at;
            if (take_sign("(")) {
                if (found.kind != Kind::name) throw PythonFault{at, "what is called here is no function"};
                Python call{Kind::call, found.text, {}, {}, at};
                if (!take_sign(")")) {
                    do {
                        Python argument = choice();
                        if (is_word("for")) argument = comprehension(std::move(argument));
                        call.parts.push_back(std::move(argument));
                    } while (take_sign(","));
                    need_sign(")", "to close the call");
                }
                found = std::move(call);
            } else {
                ++at_;
                Python subscript{Kind::subscript, "", {}, {}, at};
                subscript.parts = {std::move(found), choice()};
                if (is_sign(":")) throw PythonFault{now().at, "a part of a list is not understood here"};
                need_sign("]", "behind which element is meant");
                found = std::move(subscript);
            }
        }
        return found;
    }

    Python atom() {
        const PythonToken token = now();
        if (token.kind == PythonToken::Kind::number)
            return ++at_, Python{Kind::number, token.text, {}, {}, token.at};
        if (token.kind == PythonToken::Kind::text)
            return ++at_, Python{Kind::text, token.text, {}, {}, token.at};
        if (token.kind == PythonToken::Kind::word) {
            for (const char* reserved : {"and", "or", "not", "in", "if", "else", "for", "is", "lambda"}) {
                if (token.text == reserved) unexpected();
            }
            ++at_;
            const bool is_truth = token.text == "True" || token.text == "False";
            return {is_truth ? Kind::truth : Kind::name, token.text, {}, {}, token.at};
        }
        if (take_sign("(")) {
            Python first = choice();
            if (!is_sign(",")) {
                need_sign(")", "to close the parenthesis");
                return first;
            }
            Python list{Kind::list, "", {}, {}, token.at};
            list.parts.push_back(std::move(first));
            while (take_sign(",") && !is_sign(")")) list.parts.push_back(choice());
            need_sign(")", "to close the list");
            return list;
        }
        if (take_sign("[")) return list_behind(token.at);
        unexpected();
    }

    Python list_behind(std::size_t at) {
        Python list{Kind::list, "", {}, {}, at};
        if (take_sign("]")) return list;
        Python first = choice();
        if (is_word("for")) {
            Python found = comprehension(std::move(first));
            need_sign("]", "to close the list");
            return found;
        }
        list.parts.push_back(std::move(first));
        while (take_sign(",") && !is_sign("]")) list.parts.push_back(choice());
        need_sign("]", "to close the list");
        return list;
    }

    // `element for name in list if condition`, of which the element was read.
    Python comprehension(Python element) {
        Python found{Kind::comprehension, "", {}, {}, now().at};
        ++at_;
        if (now().kind != PythonToken::Kind::word) unexpected();
        found.text = now().text;
        ++at_;
        if (!take_word("in")) throw PythonFault{now().at, "'in' is missing here, and the list behind it"};
        found.parts.push_back(std::move(element));
        found.parts.push_back(logic("or"));
        if (take_word("if")) found.parts.push_back(logic("or"));
        if (is_word("for"))
            throw PythonFault{now().at, "a list of several loops is not understood here; write its values"};
        return found;
    }

    std::vector<PythonToken> tokens_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

}  // namespace

Python python_from(const std::string& text) {
    if (text.size() > kLongestText)
        throw PythonFault{kLongestText, "the expression goes on for more than is read; write it shorter"};
    return PythonParser(PythonScanner(text).all()).all();
}

}  // namespace rooftune::external
