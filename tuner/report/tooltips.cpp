#include "tuner/report/tooltips.h"

#include <fmt/format.h>

#include "tuner/base/glossary.h"
#include "tuner/report/html_text.h"

namespace rooftune::page {
namespace {

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || (static_cast<unsigned char>(c) & 0x80u) != 0;
}

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Whether the text starts with the spelling, as whole words; a sentence may begin with it.
bool starts_with_word(std::string_view text, std::string_view spelling) {
    if (text.size() < spelling.size() || spelling.empty()) return false;
    if (text[0] != spelling[0] && lower(text[0]) != spelling[0]) return false;
    if (text.substr(1, spelling.size() - 1) != spelling.substr(1)) return false;
    return text.size() == spelling.size() || !is_letter(text[spelling.size()]);
}

struct Found {
    const Word* word = nullptr;
    std::size_t length = 0;
};

// The longest spelling that the text starts with.
Found word_at(std::string_view text) {
    Found found;
    for (const Word& word : glossary()) {
        each_spelling(word, [&](std::string_view spelling) {
            if (spelling.size() > found.length && starts_with_word(text, spelling))
                found = {&word, spelling.size()};
        });
    }
    return found;
}

}  // namespace

std::string Tooltips::added(std::string_view html) {
    constexpr std::string_view kCode = "<code>", kCodeEnd = "</code>";
    std::string out;
    bool inside_word = false;
    while (!html.empty()) {
        std::size_t whole = 0;  // what is taken as it is
        if (html.starts_with(kCode)) {
            const std::size_t end = html.find(kCodeEnd);
            whole = end == std::string_view::npos ? html.size() : end + kCodeEnd.size();
        } else if (html[0] == '<' || html[0] == '&') {
            const std::size_t end = html.find(html[0] == '<' ? '>' : ';');
            whole = end == std::string_view::npos ? html.size() : end + 1;
        }
        if (whole == 0 && !inside_word) {
            const Found found = word_at(html);
            if (found.word && explained_.insert(found.word->word).second) {
                out += fmt::format("<abbr title=\"{}\">{}</abbr>", html_escaped(found.word->meaning),
                                   html.substr(0, found.length));
                html.remove_prefix(found.length);
                inside_word = false;
                continue;
            }
            if (found.word) whole = found.length;  // a part of it is no other word
        }
        if (whole == 0) whole = 1;
        inside_word = is_letter(html[whole - 1]);
        out += html.substr(0, whole);
        html.remove_prefix(whole);
    }
    return out;
}

}  // namespace rooftune::page
