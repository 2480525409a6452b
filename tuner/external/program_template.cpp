#include "tuner/external/program_template.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/runtime/error.h"
#include "kernels/runtime/nearest.h"
#include "tuner/base/command_words.h"
#include "tuner/external/program_time.h"

namespace rooftune::external {
namespace {

std::vector<std::string> names_declared(const Declaration& d) {
    std::vector<std::string> names;
    for (const DeclaredNumber& n : d.numbers) names.push_back(n.name.text);
    for (const DeclaredParameter& p : d.parameters) names.push_back(p.name.text);
    return names;
}

// The names between braces of a text, each checked where it stands.
void check_names(const Declaration& d, const Text& text, const std::string& word) {
    const std::vector<std::string> known = names_declared(d);
    const auto fail = [&](std::size_t at, const std::string& what) {
        refuse(d.file, {"", text.line, text.column + static_cast<int>(at), text.flag},
               (text.flag.empty() ? word + " '" : "'") + text.text + "': " + what);
    };
    for (std::size_t at = 0; at < text.text.size(); ++at) {
        const char c = text.text[at];
        if (c != '{' && c != '}') continue;
        if (text.text.compare(at, 2, std::string(2, c)) == 0) {
            ++at;
            continue;
        }
        if (c == '}') fail(at, "this } closes nothing; write }} for a brace");
        const std::size_t close = text.text.find('}', at);
        if (close == std::string::npos) fail(at, "this { is not closed; write {{ for a brace");
        const std::string name = text.text.substr(at + 1, close - at - 1);
        if (std::find(known.begin(), known.end(), name) == known.end())
            fail(at, fmt::format("there is no size or parameter '{}'; {}; {{{{ stands for a brace", name,
                                 known.empty() ? "none is declared" : suggestion(name, known)));
        at = close;
    }
}

}  // namespace

CommandTemplate::CommandTemplate(const Declaration& declaration, const Text& text, const std::string& word) {
    check_names(declaration, text, word);
    const std::string where = place_of(declaration.file, text) + (text.flag.empty() ? " " + word : "");
    for (const std::string& part : command_words(text.text, where)) words_.push_back(word_from(part));
    for (const Word& part : words_) {
        for (const Piece& piece : part) {
            if (!piece.is_name) continue;
            names_.insert(piece.text);
            if (&part == words_.data()) names_of_program_.insert(piece.text);
        }
    }
}

CommandTemplate::Word CommandTemplate::word_from(const std::string& word) const {
    Word pieces;
    std::string text;
    const auto finish = [&](bool is_name) {
        if (!text.empty()) pieces.push_back({text, is_name});
        text.clear();
    };
    for (std::size_t at = 0; at < word.size(); ++at) {
        const char c = word[at];
        if ((c == '{' || c == '}') && word.compare(at, 2, std::string(2, c)) == 0) {
            text += c;
            ++at;
        } else if (c == '{') {
            finish(false);
            const std::size_t close = std::min(word.find('}', at), word.size());
            text = word.substr(at + 1, close - at - 1);
            finish(true);
            at = close;
        } else {
            text += c;
        }
    }
    finish(false);
    return pieces;
}

std::vector<CommandTemplate::Filled> CommandTemplate::filled(const ValueOf& value_of) const {
    std::vector<Filled> words;
    for (const Word& word : words_) {
        Filled filled;
        bool exists = true;
        for (const Piece& piece : word) {
            if (!piece.is_name) {
                filled.text += piece.text;
                continue;
            }
            filled.names.insert(piece.text);
            const std::string* value = value_of(piece.text);
            exists = exists && value != nullptr;
            if (value) filled.text += *value;
        }
        if (exists && (!filled.text.empty() || filled.names.empty())) words.push_back(std::move(filled));
    }
    return words;
}

std::vector<std::string> CommandTemplate::words(const ValueOf& value_of) const {
    std::vector<std::string> words;
    for (Filled& word : filled(value_of)) words.push_back(std::move(word.text));
    return words;
}

void check_program(const Declaration& d) {
    if (!d.command)
        refuse(d.file, {"", 1, 1},
               "nothing says how the program is run; add a line like `command ./bench --tile {tile}`");
    std::set<std::string> used = CommandTemplate(d, *d.command, "command").names();
    if (d.build) used.merge(std::set<std::string>(CommandTemplate(d, *d.build, "build").names()));
    if (d.verify && d.verify->text != kByExitStatus &&
        CommandTemplate(d, *d.verify, "verify").number_of_words() != 1)
        refuse(d.file, *d.verify,
               "'" + d.verify->text +
                   "' is more than one file; write `verify exit status`, or a file that the "
                   "program writes (in quotes where its name has blanks)");
    if (d.tolerance && (!d.verify || d.verify->text == kByExitStatus))
        refuse(d.file, *d.tolerance,
               "nothing is compared within this tolerance; say by `verify` which file is, or leave it out");
    if (d.time) TimeSource(d, *d.time);
    for (const DeclaredParameter& p : d.parameters) {
        if (p.kind == ParameterKind::word && !used.contains(p.name.text))
            refuse(
                d.file, p.name,
                fmt::format("'{0}' reaches the program nowhere; write {{{0}}} into its command or build, or "
                            "hand it over as a variable of its environment{1}",
                            p.name.text, p.name.flag.empty() ? " with (environment)" : " by --environment"));
    }
}

}  // namespace rooftune::external
