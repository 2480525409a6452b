#include "tuner/external/compare_texts.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "kernels/contract/family.h"
#include "tuner/base/text_width.h"
#include "tuner/external/characters.h"

namespace rooftune::external {
namespace {

struct Word {
    std::string_view text;
    std::optional<double> number;
    std::size_t line = 1;
};

class Words {
public:
    explicit Words(std::string_view text) : text_(text) {}

    /// Nothing behind the last one.
    std::optional<Word> next() {
        while (at_ < text_.size() && is_space(text_[at_])) {
            if (text_[at_] == '\n') ++line_;
            ++at_;
        }
        if (at_ == text_.size()) return std::nullopt;
        const std::size_t begin = at_;
        if (begins_number(at_)) {
            double value = 0.0;
            const std::size_t from = text_[at_] == '+' ? at_ + 1 : at_;
            const auto [end, error] =
                std::from_chars(text_.data() + from, text_.data() + text_.size(), value);
            number_end_ = at_ = static_cast<std::size_t>(end - text_.data());
            // One beyond all doubles is compared as it is written.
            if (error == std::errc()) return Word{text_.substr(begin, at_ - begin), value, line_};
            return Word{text_.substr(begin, at_ - begin), std::nullopt, line_};
        }
        do {
            ++at_;
        } while (at_ < text_.size() && !is_space(text_[at_]) && !begins_number(at_));
        return Word{text_.substr(begin, at_ - begin), std::nullopt, line_};
    }

private:
    // Not inside of a name, as in "bench2"; right behind another number, as in "1-2".
    bool begins_number(std::size_t at) const {
        if (at > 0 && at != number_end_ && (is_of_a_word(text_[at - 1]) || is_digit(text_[at - 1])))
            return false;
        if (text_[at] == '-' || text_[at] == '+') ++at;
        if (at < text_.size() && text_[at] == '.') ++at;
        return at < text_.size() && is_digit(text_[at]);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t number_end_ = 0;  ///< of the number that was read last
    std::size_t line_ = 1;
};

std::string named(const std::optional<Word>& word) {
    constexpr std::size_t kMost = 60;
    if (!word) return "the end";
    return "'" + printable(std::string(word->text.substr(0, kMost))) + "'";
}

}  // namespace

TextComparison compare_texts(const std::string& expected, const std::string& found, double tolerance) {
    TextComparison worst;
    Words wanted(expected), there(found);
    for (std::size_t i = 0;; ++i) {
        const std::optional<Word> a = wanted.next(), b = there.next();
        if (!a && !b) return worst;
        if (a && b && a->number && b->number) {
            const double allowed = tolerance * std::fabs(*a->number);
            const double error = error_of(*b->number, *a->number, allowed);
            if (error <= worst.error) continue;
            worst.error = error;
            worst.described = fmt::format("word {}, in line {}: the first variant wrote {}, this one {}",
                                          i + 1, b->line, named(a), named(b));
            if (std::isinf(error)) return worst;
        } else if (!a || !b || a->text != b->text) {
            worst.error = std::numeric_limits<double>::infinity();
            worst.described = fmt::format("word {}, in line {}: the first variant wrote {}, this one {}",
                                          i + 1, b ? b->line : a->line, named(a), named(b));
            return worst;
        }
    }
}

std::string unfit_to_compare_with(const std::string& text) {
    Words words(text);
    bool any = false;
    for (std::optional<Word> word = words.next(); word; word = words.next()) {
        any = true;
        std::string lower;
        for (const char c : word->text) {
            const bool sign = lower.empty() && (c == '-' || c == '+');
            if (!sign) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        }
        if (lower == "nan" || lower == "inf" || lower == "infinity")
            return fmt::format("in line {} stands {}", word->line, std::string(word->text));
    }
    return any ? "" : "it is empty";
}

}  // namespace rooftune::external
