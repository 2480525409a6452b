#include "tuner/search/enumerate/expression_tokens.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "tuner/base/digits.h"

namespace rooftune {
namespace {

bool letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

struct Sign {
    std::string_view text;
    TokenKind kind;
};
// Longer ones first: "<=" is not "<" and then something.
constexpr std::array<Sign, 21> kSigns{{
    {"<<", TokenKind::arithmetic}, {"<=", TokenKind::comparison}, {">=", TokenKind::comparison},
    {"==", TokenKind::comparison}, {"!=", TokenKind::comparison}, {"&&", TokenKind::logic},
    {"||", TokenKind::logic},      {"<", TokenKind::comparison},  {">", TokenKind::comparison},
    {"!", TokenKind::negation},    {"+", TokenKind::arithmetic},  {"-", TokenKind::arithmetic},
    {"*", TokenKind::arithmetic},  {"/", TokenKind::arithmetic},  {"%", TokenKind::arithmetic},
    {"^", TokenKind::arithmetic},  {"?", TokenKind::choice},      {":", TokenKind::choice},
    {"(", TokenKind::open},        {")", TokenKind::close},       {",", TokenKind::comma},
}};

class Scanner {
public:
    explicit Scanner(const std::string& text) : text_(text) {}

    std::vector<Token> all() {
        while (true) {
            while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
            if (at_ == text_.size()) return std::move(found_);
            const char c = text_[at_];
            if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) {
                number();
            } else if (letter(c)) {
                word();
            } else if (c == '\'' || c == '"') {
                quoted();
            } else {
                sign();
            }
        }
    }

private:
    void add(TokenKind kind, std::string text, std::size_t length) {
        found_.push_back({kind, std::move(text), at_});
        at_ += length;
    }

    void number() {
        double value = 0.0;
        const char* const first = text_.data() + at_;
        const char* const last = text_.data() + text_.size();
        const char* end = std::from_chars(first, last, value).ptr;
        if (end != last && (letter(*end) || *end == '.')) {
            while (end != last && (letter(*end) || is_digit(*end) || *end == '.')) ++end;
            const std::string whole(first, end);
            throw ExpressionFault{at_, "'" + whole +
                                           "' is no number; a value that is none stands in quotes, '" +
                                           whole + "' with == or !="};
        }
        add(TokenKind::number, std::string(first, end), static_cast<std::size_t>(end - first));
    }

    void word() {
        std::size_t end = at_;
        while (end < text_.size() && (letter(text_[end]) || is_digit(text_[end]))) ++end;
        const std::string text = text_.substr(at_, end - at_);
        const std::size_t length = end - at_;
        if (text == "and" || text == "or") {
            add(TokenKind::logic, text == "and" ? "&&" : "||", length);
        } else if (text == "not") {
            add(TokenKind::negation, "!", length);
        } else {
            add(TokenKind::word, text, length);
        }
    }

    void quoted() {
        const std::size_t end = text_.find(text_[at_], at_ + 1);
        if (end == std::string::npos)
            throw ExpressionFault{at_, "the name that begins here has no closing quote"};
        add(TokenKind::quoted, text_.substr(at_ + 1, end - at_ - 1), end + 1 - at_);
    }

    void sign() {
        const std::string_view rest = std::string_view(text_).substr(at_);
        const auto known = std::find_if(kSigns.begin(), kSigns.end(),
                                        [&](const Sign& s) { return rest.starts_with(s.text); });
        if (known != kSigns.end()) return add(known->kind, std::string(known->text), known->text.size());
        if (rest.front() == '=') throw ExpressionFault{at_, "a single '='; write == to compare"};
        if (rest.front() == '&') throw ExpressionFault{at_, "a single '&'; write && where both must hold"};
        if (rest.front() == '|') throw ExpressionFault{at_, "a single '|'; write || where one is enough"};
        throw ExpressionFault{
            at_, "'" + std::string(1, rest.front()) +
                     "' means nothing here; write parameters, numbers, names in quotes, < <= > >= "
                     "== != && || ! + - * / % ^ and parentheses"};
    }

    const std::string& text_;
    std::size_t at_ = 0;
    std::vector<Token> found_;
};

}  // namespace

std::vector<Token> tokens_of(const std::string& text) {
    return Scanner(text).all();
}

}  // namespace rooftune
