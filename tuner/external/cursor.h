// One annotation, read from the left: what its words are made of, and where each of them stands.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "tuner/external/declaration.h"

namespace rooftune::external {

inline bool is_blank(char c) {
    return c == ' ' || c == '\t';
}
inline bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
inline bool is_name(std::string_view text) {
    return !text.empty() && is_letter(text.front()) && std::all_of(text.begin(), text.end(), [](char c) {
        return is_letter(c) || (c >= '0' && c <= '9');
    });
}

/// Refuses with the place of the character that stands next. The line must outlive it.
class Cursor {
public:
    Cursor(const std::string& file, const Text& line) : file_(file), line_(line) { skip(); }

    bool at_end() const { return at_ == line_.text.size(); }
    char next() const { return at_end() ? '\0' : line_.text[at_]; }
    /// Where the next character stands.
    Text here(std::string text = "") const {
        return {std::move(text), line_.line, line_.column + static_cast<int>(at_), line_.flag};
    }
    [[noreturn]] void fail(const std::string& what) const { refuse(file_, here(), what); }

    bool take(char c) {
        if (next() != c) return false;
        ++at_;
        skip();
        return true;
    }
    void need(char c, const std::string& form) {
        if (!take(c)) fail(fmt::format("'{}' is missing here; write {}", c, form));
    }
    /// Letters, digits and _; empty where none stand here.
    Text word() {
        Text word = here();
        while (is_letter(next()) || (next() >= '0' && next() <= '9')) word.text += line_.text[at_++];
        skip();
        return word;
    }
    Text name(const std::string& form) {
        Text found = word();
        if (!is_name(found.text)) refuse(file_, found, "a name is missing here; write " + form);
        return found;
    }
    /// Everything up to a character on the same level of brackets, or to the end.
    Text until(char end) { return until_any(std::string_view(&end, 1)); }
    /// Everything up to one of several characters on the same level of brackets, or to the end.
    Text until_any(std::string_view ends) {
        Text found = here();
        int depth = 0;
        while (!at_end() && (depth > 0 || ends.find(next()) == std::string_view::npos)) {
            const char c = next();
            if (c == '(' || c == '[') ++depth;
            if (c == ')' || c == ']') --depth;
            found.text += c;
            ++at_;
        }
        while (!found.text.empty() && is_blank(found.text.back())) found.text.pop_back();
        return found;
    }
    Text rest() { return until('\0'); }
    Text needed_rest(const std::string& form) {
        Text found = rest();
        if (found.text.empty()) fail("something is missing here; write " + form);
        return found;
    }
    /// A word up to a blank; in quotes with blanks.
    Text value() {
        Text found = here();
        const char quote = next();
        if (quote == '"' || quote == '\'') {
            const std::size_t close = line_.text.find(quote, at_ + 1);
            if (close == std::string::npos) fail("the quote that begins here is not closed");
            found.text = line_.text.substr(at_ + 1, close - at_ - 1);
            at_ = close + 1;
        } else {
            while (!at_end() && !is_blank(next())) found.text += line_.text[at_++];
        }
        skip();
        return found;
    }
    /// A word that stands here as a whole.
    bool take_word(std::string_view wanted) {
        const std::size_t before = at_;
        if (word().text == wanted) return true;
        at_ = before;
        return false;
    }
    void finish(const std::string& form) {
        if (!at_end()) fail(fmt::format("'{}' is too much; write {}", rest().text, form));
    }

private:
    void skip() {
        while (is_blank(next())) ++at_;
    }

    const std::string& file_;
    const Text& line_;
    std::size_t at_ = 0;
};

}  // namespace rooftune::external
