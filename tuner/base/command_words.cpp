#include "tuner/base/command_words.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "kernels/runtime/error.h"

namespace rooftune {
namespace {

constexpr std::string_view kOnlyShells = "|<>&;`$";

class Reader {
public:
    Reader(const std::string& text, const std::string& flag) : text_(text), flag_(flag) {}

    std::vector<std::string> words() {
        for (; at_ < text_.size(); ++at_) take(text_[at_]);
        if (quote_ != 0) fail(std::string("the quote ") + quote_ + " is not closed");
        end_word();
        if (words_.empty()) fail("it names no program");
        return words_;
    }

private:
    [[noreturn]] void fail(const std::string& why) const {
        throw InputError(flag_ + " '" + text_ + "': " + why);
    }

    void take(char c) {
        if (c == '\\' && quote_ != '\'') {
            if (++at_ == text_.size()) fail("it ends in a \\ that stands before nothing");
            append(text_[at_]);
        } else if (quote_ != 0) {
            if (c == quote_) {
                quote_ = 0;
            } else {
                append(c);
            }
        } else if (c == '\'' || c == '"') {
            quote_ = c;
            inside_ = true;
        } else if (c == ' ' || c == '\t' || c == '\n') {
            end_word();
        } else {
            if (kOnlyShells.find(c) != std::string_view::npos) {
                fail(std::string("the character ") + c +
                     " means something to a shell, and there is none; quote it, or put the command into a "
                     "script");
            }
            append(c);
        }
    }

    void append(char c) {
        word_ += c;
        inside_ = true;
    }

    void end_word() {
        if (inside_) words_.push_back(word_);
        word_.clear();
        inside_ = false;
    }

    const std::string& text_;
    const std::string& flag_;
    std::vector<std::string> words_;
    std::string word_;
    std::size_t at_ = 0;
    char quote_ = 0;
    bool inside_ = false;  // an empty pair of quotes is a word as well
};

// A name without the values that stand in it, and without what joined them to it.
std::string without_names(std::string name) {
    for (std::size_t open = name.find('{'); open != std::string::npos; open = name.find('{')) {
        const std::size_t close = name.find('}', open);
        name.erase(open, close == std::string::npos ? close : close - open + 1);
    }
    name.erase(name.find_last_not_of("-_.") + 1);
    return name;
}

// Whether a program is but what another one is read or started by, with a version behind its name or without.
bool reads_programs(const std::string& name) {
    constexpr std::array<std::string_view, 12> kReaders{"sh",      "bash", "dash",    "env",
                                                        "python",  "perl", "node",    "taskset",
                                                        "timeout", "nice", "numactl", "stdbuf"};
    return std::any_of(kReaders.begin(), kReaders.end(), [&](std::string_view reader) {
        return name.starts_with(reader) &&
               name.find_first_not_of("0123456789.", reader.size()) == std::string::npos;
    });
}

}  // namespace

std::vector<std::string> command_words(const std::string& text, const std::string& flag) {
    return Reader(text, flag).words();
}

std::string program_name(const std::string& command) {
    std::string first;
    bool is_first = true;
    for (std::size_t from = 0; from < command.size();) {
        const std::size_t end = std::min(command.find_first_of(" \t'\"", from), command.size());
        const std::string word = command.substr(from, end - from);
        from = end + 1;
        // Options, numbers and variables are what a program is given.
        const bool is_given = word.empty() || word.starts_with('-') || word.find('=') != std::string::npos ||
                              word.find_first_not_of("0123456789.") == std::string::npos;
        const std::string name = without_names(std::filesystem::path(word).filename().string());
        if (is_first && !word.empty()) first = is_given ? "" : name;
        if (is_first && !is_given && !reads_programs(name)) break;
        is_first = is_first && word.empty();
        if (is_first || is_given || name.empty() || reads_programs(name)) continue;
        if (word.find_first_of("./") != std::string::npos) return name;
    }
    return first.empty() ? "the program" : first;
}

std::string shell_word(const std::string& word) {
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("_-./=,:+@%").find(c) != std::string_view::npos;
    };
    if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

std::string listed_value(const std::string& value) {
    return value.find(' ') == std::string::npos ? value : "\"" + value + "\"";
}

std::string shell_line(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words) line += (line.empty() ? "" : " ") + shell_word(word);
    return line;
}

}  // namespace rooftune
