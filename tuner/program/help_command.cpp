#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "kernels/runtime/nearest.h"
#include "tuner/base/glossary.h"
#include "tuner/base/joined.h"
#include "tuner/base/standard_output.h"
#include "tuner/base/text_width.h"
#include "tuner/program/commands.h"

namespace rooftune {
namespace {

struct HelpArguments {
    std::vector<std::string> words;
    bool json = false;
};

std::string sentence_of(const Word& word) {
    const std::string also = word.also.empty() ? "" : fmt::format(" (also: {})", word.also);
    return fmt::format("{}{}: {}", word.word, also, word.meaning);
}

std::string lower(std::string_view text) {
    std::string small;
    for (const char c : text) small += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return small;
}

// Words and commands near to what was asked, the likeliest first: those that begin with it, since half a word
// is more often the beginning of the one that is meant than a slip of its letters, then those that have it in
// them or are in it, then the nearest by its letters.
std::vector<std::string> near_words(const std::string& asked, const std::vector<std::string>& known) {
    constexpr std::size_t kTelling = 3, kMost = 4;
    std::vector<std::string> near;
    const auto add = [&](const std::string& word) {
        if (near.size() < kMost && std::find(near.begin(), near.end(), word) == near.end())
            near.push_back(word);
    };
    const std::string part = lower(asked);
    const auto add_where = [&](const auto& fits) {
        for (const std::string& word : known) {
            if (part.size() >= kTelling && word.size() >= kTelling && fits(lower(word))) add(word);
        }
    };
    add_where([&](const std::string& word) { return word.starts_with(part); });
    add_where([&](const std::string& word) {
        return word.find(part) != std::string::npos || part.find(word) != std::string::npos;
    });
    if (const std::string nearest_one = nearest(asked, known); !nearest_one.empty()) add(nearest_one);
    return near;
}

const Word& word_named(const std::string& asked, const Command& program) {
    if (const Word* word = find_word(asked)) return *word;
    std::vector<std::string> known;
    for (const Word& word : glossary()) {
        each_spelling(word, [&](std::string_view spelling) { known.emplace_back(spelling); });
    }
    for (const std::string& command : program.commands()) known.push_back(command);
    std::vector<std::string> near;
    for (const std::string& word : near_words(asked, known)) near.push_back("'" + word + "'");
    throw InputError("help " + asked + ": no such word or command" +
                     (near.empty() ? "; " : "; did you mean " + joined(near, " or ") + "? ") +
                     "`rooftune help` lists the words, `rooftune --help` the commands");
}

// A command that is also a word of the outputs ("bound") is asked for as the word.
int help(const HelpArguments& a, const Command& program) {
    std::string asked;
    for (const std::string& word : a.words) asked += (asked.empty() ? "" : " ") + word;
    const std::string of_command = program.help_of(a.words);
    std::vector<Word> words;
    if (!of_command.empty() && find_word(asked) == nullptr) {
        if (a.json) {
            const nlohmann::ordered_json entry{
                {"word", "rooftune " + asked}, {"also", ""}, {"meaning", of_command}};
            print(nlohmann::ordered_json::array({entry}).dump(2) + "\n");
        } else {
            print(of_command);
        }
        return 0;
    }
    if (asked.empty()) {
        words.assign(glossary().begin(), glossary().end());
    } else {
        words.push_back(word_named(asked, program));
    }
    if (a.json) {
        nlohmann::ordered_json document = nlohmann::ordered_json::array();
        for (const Word& w : words)
            document.push_back({{"word", w.word}, {"also", w.also}, {"meaning", w.meaning}});
        print(document.dump(2) + "\n");
    } else if (asked.empty()) {
        for (const Word& w : words) print_page(list_item(sentence_of(w)));
    } else {
        print_page(wrap(sentence_of(words.front())) + "\n");
        if (!of_command.empty())
            print_page(fmt::format("It is a command, too: `rooftune {} --help` explains that.\n", asked));
    }
    return 0;
}

}  // namespace

void add_help_command(Command& program) {
    auto a = std::make_shared<HelpArguments>();
    Command app = program.command(
        "help", "Says what a word means that outputs use, or all of them; or how a command is used");
    app.option(
        "word", a->words,
        "The word, like `raced out`, or a command, like `track record`; all words where it is left out");
    app.flag("--json", a->json, "One JSON document on standard output");
    app.runs([a, program] { return help(*a, program); });
}

}  // namespace rooftune
