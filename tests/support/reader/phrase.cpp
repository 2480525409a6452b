#include "tests/support/reader/phrase.h"

#include <algorithm>
#include <cctype>

namespace rooftune::test {
namespace {

// The longest run of characters that is in every match: outside of groups, classes and alternatives.
std::string plain_part(const std::string& expression) {
    std::string longest, run;
    int depth = 0;
    const auto end_run = [&] {
        if (run.size() > longest.size()) longest = run;
        run.clear();
    };
    for (std::size_t i = 0; i < expression.size(); ++i) {
        const char c = expression[i];
        const bool inside = depth > 0;
        if (c == '\\' && i + 1 < expression.size()) {
            const char next = expression[++i];
            if (std::isalnum(static_cast<unsigned char>(next)) != 0)
                end_run();
            else if (!inside)
                run += next;
        } else if (c == '[') {
            end_run();
            for (++i; i < expression.size() && expression[i] != ']'; ++i) {
                if (expression[i] == '\\') ++i;
            }
        } else if (c == '(' || c == ')') {
            end_run();
            depth += c == '(' ? 1 : -1;
        } else if (c == '*' || c == '?' || c == '{') {
            if (!run.empty()) run.pop_back();
            end_run();
            if (c == '{') i = std::min(expression.find('}', i), expression.size());
        } else if (c == '+' || c == '.' || c == '^' || c == '$') {
            end_run();
        } else if (c == '|') {
            if (!inside) return "";
        } else if (!inside) {
            run += c;
        }
    }
    end_run();
    return longest;
}

}  // namespace

Phrase::Phrase(const std::string& expression) : plain_(plain_part(expression)), expression_(expression) {}

bool Phrase::is_in(const std::string& text) const {
    return begin(text) != std::sregex_iterator();
}

std::sregex_iterator Phrase::begin(const std::string& text) const {
    if (text.find(plain_) == std::string::npos) return {};
    return {text.begin(), text.end(), expression_};
}

}  // namespace rooftune::test
