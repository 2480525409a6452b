// An expression of a constraint, cut into words and signs. Internal to this folder.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace rooftune {

enum class TokenKind {
    number,
    word,
    quoted,
    comparison,
    logic,
    negation,
    arithmetic,
    choice,
    open,
    close,
    comma
};

struct Token {
    TokenKind kind = TokenKind::number;
    std::string text;      ///< of a quoted name without its quotes; `and`, `or`, `not` as &&, ||, !
    std::size_t from = 0;  ///< its first character in the expression
    bool is(TokenKind k, const char* t) const { return kind == k && text == t; }
};

/// Why an expression cannot be read, and where.
struct ExpressionFault {
    std::size_t at = 0;  ///< character, from 0
    std::string what;
};

/// Numbers, words, names in single or double quotes, < <= > >= == !=, && || ! (and, or, not), + - * / % ^, ?
/// :, parentheses and commas. Throws ExpressionFault for anything else.
std::vector<Token> tokens_of(const std::string& text);

}  // namespace rooftune
