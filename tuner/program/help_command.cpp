#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "kernels/runtime/nearest.h"
#include "tuner/base/glossary.h"
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

const Word& word_named(const std::string& asked, const Command& program) {
    if (const Word* word = find_word(asked)) return *word;
    std::vector<std::string> known = program.commands();
    for (const Word& word : glossary()) {
        each_spelling(word, [&](std::string_view spelling) { known.emplace_back(spelling); });
    }
    // Half a word is more often the beginning of the one that is meant than a slip of its letters.
    const auto longer = std::find_if(known.begin(), known.end(), [&](const std::string& word) {
        return asked.size() >= 3 && word.starts_with(asked);
    });
    const std::string near = longer != known.end() ? *longer : nearest(asked, known);
    throw InputError("help " + asked + ": no such word or command" +
                     (near.empty() ? "; " : "; did you mean '" + near + "'? ") +
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
