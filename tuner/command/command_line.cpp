#include "tuner/command/command_line.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "kernels/runtime/nearest.h"
#include "tuner/base/fit_lines.h"
#include "tuner/base/joined.h"
#include "tuner/base/page_width.h"
#include "tuner/base/standard_error.h"
#include "tuner/base/standard_output.h"
#include "tuner/engine/options.h"

namespace rooftune {
namespace {

constexpr int kUsage = 2;

// Every flag and command that the deepest chosen command knows.
std::vector<std::string> known_words(const CLI::App& app) {
    std::vector<std::string> words;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
    }
    for (const CLI::App* command : app.get_subcommands({})) words.push_back(command->get_name());
    return words;
}

std::vector<std::string> flags_of(const CLI::App& app) {
    std::vector<std::string> words = known_words(app);
    std::erase_if(words, [](const std::string& word) { return word.rfind("--", 0) != 0; });
    return words;
}

const CLI::App& deepest(const CLI::App& app) {
    const auto chosen = app.get_subcommands();
    return chosen.empty() ? app : deepest(*chosen.back());
}

// "rooftune results"
std::string whole_name(const CLI::App& app) {
    std::string name;
    for (const CLI::App* at = &app; at; at = at->get_parent())
        name = at->get_name() + (name.empty() ? "" : " " + name);
    return name;
}

std::string help_hint(const CLI::App& app) {
    return "`" + whole_name(app) + " --help` shows what there is";
}

// "list, show or prune": what may stand behind the command.
std::string commands_of(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
    return joined(names, " or ");
}

// The first example of a command's help, without what is said of it behind.
std::string example_of(const CLI::App& app) {
    std::istringstream lines(app.get_footer());
    for (std::string line; std::getline(lines, line);) {
        const std::size_t from = line.find_first_not_of(' ');
        if (from == 0 || from == std::string::npos || line.compare(from, 9, "rooftune ") != 0) continue;
        return line.substr(from, line.find("  ", from) - from);
    }
    return "";
}

// What is not there and has to be, by what its help says. Empty where nothing is missing.
std::string missing_text(const CLI::App& at) {
    const auto required =
        at.get_options([](const CLI::Option* o) { return o->get_required() && o->count() == 0; });
    if (required.empty()) return "";
    const CLI::Option& missing = *required.front();
    std::string text =
        "`" + whole_name(at) + "` needs " + missing.get_name() + " (" + missing.get_description() + ")";
    if (const std::string example = example_of(at); !example.empty()) text += ", like `" + example + "`";
    return text;
}

std::string mistake_text(const CLI::App& program, const CLI::ParseError& error, int argc, char** argv) {
    const CLI::App& at = deepest(program);
    if (dynamic_cast<const CLI::ExtrasError*>(&error) || dynamic_cast<const CLI::RequiredError*>(&error)) {
        const std::vector<std::string> words = known_words(at);
        for (int i = 1; i < argc; ++i) {
            const std::string whole = argv[i];
            // What is behind it is another program's.
            if (whole == "--") break;
            const std::string word = whole.substr(0, whole.find('='));
            const bool flag = word.rfind("--", 0) == 0;
            // Below a command that takes problems, a plain word is a problem, not a misspelt command.
            if (!flag && at.get_subcommands({}).empty()) continue;
            if (word == at.get_name()) continue;
            if (std::find(words.begin(), words.end(), word) != words.end()) continue;
            const std::string near = nearest(word, words);
            const std::string unknown =
                std::string("unknown ") + (flag ? "flag" : "command") + " '" + word + "'";
            if (!near.empty()) return unknown + "; did you mean '" + near + "'? " + help_hint(at);
            if (flag) return unknown + "; known: " + joined(flags_of(at)) + "; " + help_hint(at);
            return unknown + " of `" + whole_name(at) + "`: give " + commands_of(at) + "; " + help_hint(at);
        }
    }
    if (dynamic_cast<const CLI::RequiredError*>(&error) && !at.get_subcommands({}).empty())
        return "`" + whole_name(at) + "` is not complete: give " + commands_of(at) + " behind it; " +
               help_hint(at);
    if (dynamic_cast<const CLI::RequiredError*>(&error)) {
        if (const std::string missing = missing_text(at); !missing.empty())
            return missing + "; " + help_hint(at);
    }
    return std::string(error.what()) + "; " + help_hint(at);
}

// Why the text is no number within the range; empty where it is one.
std::string range_mistake(const std::string& text, double least, double most) {
    const bool share = text.ends_with('%');
    const std::string digits = share ? text.substr(0, text.size() - 1) : text;
    char* end = nullptr;
    const double value = std::strtod(digits.c_str(), &end);
    if (digits.empty() || *end != '\0')
        return fmt::format("'{}' is no number; give one from {:g} to {:g}", text, least, most);
    if (share) return fmt::format("'{}' is to be a number without a unit: {:g}", text, value / 100.0);
    if (value >= least && value <= most) return "";
    return fmt::format("{} is not from {:g} to {:g}", text, least, most);
}

// Commands that texts suggest are on the results folder that this one was told of.
void suggest_folder_of(const CLI::App& app) {
    for (const CLI::App* below : app.get_subcommands()) suggest_folder_of(*below);
    const CLI::Option* const given = app.get_option_no_throw("--results");
    if (given != nullptr && given->count() > 0) suggest_on(given->as<std::string>());
}

}  // namespace

Option& Option::required() {
    option_->required();
    return *this;
}

Option& Option::shows_default() {
    option_->capture_default_str();
    return *this;
}

Option& Option::one_value_each() {
    option_->allow_extra_args(false);
    return *this;
}

Option& Option::separated_by(char between) {
    option_->delimiter(between);
    return *this;
}

Option& Option::takes(int count, const std::string& names) {
    option_->expected(count)->type_name(names);
    return *this;
}

Option& Option::range(int least, int most) {
    option_->check(CLI::Range(least, most));
    return *this;
}

Option& Option::range(double least, double most) {
    // The library's own words have six digits behind each point, and do not know what a per cent is.
    option_->check([=](const std::string& text) { return range_mistake(text, least, most); },
                   CLI::Range(least, most).get_description());
    return *this;
}

Option& Option::positive() {
    option_->check(CLI::PositiveNumber);
    return *this;
}

Option& Option::not_negative() {
    option_->check(CLI::NonNegativeNumber);
    return *this;
}

Option& Option::one_of(const std::vector<std::string>& values) {
    // The library's own words name a set, and no value that may have been meant.
    option_->check(
        [values](const std::string& text) {
            const bool known = std::find(values.begin(), values.end(), text) != values.end();
            return known ? "" : "there is no '" + text + "'; " + suggestion(text, values);
        },
        CLI::IsMember(values).get_description());
    return *this;
}

Option& Option::needs(const Option& other) {
    option_->needs(other.option_);
    return *this;
}

Option& Option::excludes(const Option& other) {
    option_->excludes(other.option_);
    return *this;
}

Command Command::command(const std::string& name, const std::string& help) {
    return Command(app_->add_subcommand(name, help), chosen_);
}

void Command::needs_command() {
    app_->require_subcommand(1);
}

void Command::footer(const std::string& text) {
    app_->footer(without_soft_breaks(text));
}

std::string Command::help_of(const std::vector<std::string>& names) const {
    const CLI::App* at = app_;
    std::string before;
    for (const std::string& name : names) {
        const auto below = at->get_subcommands([&](const CLI::App* c) { return c->get_name() == name; });
        if (below.empty()) return "";
        before += (before.empty() ? "" : " ") + at->get_name();
        at = below.front();
    }
    return at == app_ ? "" : fit_lines(at->help(before), page_width());
}

std::vector<std::string> Command::commands() const {
    std::vector<std::string> names;
    const CLI::App* app = app_;
    for (const CLI::App* command : app->get_subcommands({})) names.push_back(command->get_name());
    return names;
}

Option Command::flag(const std::string& name, bool& target, const std::string& help) {
    return Option(app_->add_flag(name, target, help));
}

Option Command::option(const std::string& name, std::string& target, const std::string& help) {
    return Option(app_->add_option(name, target, help));
}

Option Command::option(const std::string& name, int& target, const std::string& help) {
    return Option(app_->add_option(name, target, help));
}

Option Command::option(const std::string& name, double& target, const std::string& help) {
    return Option(app_->add_option(name, target, help));
}

Option Command::option(const std::string& name, std::uint64_t& target, const std::string& help) {
    return Option(app_->add_option(name, target, help));
}

Option Command::option(const std::string& name, std::vector<std::string>& target, const std::string& help) {
    return Option(app_->add_option(name, target, help));
}

void Command::runs(Action action) {
    app_->callback([chosen = chosen_, action = std::move(action)] { *chosen = action; });
}

CommandLine::CommandLine(const std::string& name, const std::string& help, const std::string& version)
    : app_(std::make_unique<CLI::App>(help, name)) {
    if (!version.empty()) app_->set_version_flag("--version", version);
}

CommandLine::~CommandLine() = default;

Command CommandLine::root() {
    return Command(app_.get(), &chosen_);
}

std::string CommandLine::help() const {
    return fit_lines(app_->help(), page_width());
}

Action CommandLine::parse(int argc, char** argv, int& status) {
    status = 0;
    try {
        app_->parse(argc, argv);
        suggest_folder_of(*app_);
        return chosen_;
    } catch (const CLI::Success& answer) {  // --help and --version
        std::ostringstream out;
        status = app_->exit(answer, out, out);
        print(fit_lines(out.str(), page_width()));
    } catch (const CLI::ParseError& error) {
        tell(mistake_text(*app_, error, argc, argv));
        status = kUsage;
    }
    return nullptr;
}

}  // namespace rooftune
