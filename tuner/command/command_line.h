// The command line as our commands see it: options with their targets, help and rules, and what a command
// does. CLI11 is behind it, in command_line.cpp alone: its templates took a third of the compiler's time when
// every command named it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace rooftune {

/// What a command does once its line is parsed; the result is the exit status.
using Action = std::function<int()>;

/// A flag or an option with a value. Refers to one of a CommandLine, which must outlive it.
class Option {
public:
    explicit Option(CLI::Option* option) : option_(option) {}
    Option& required();
    /// The value that its target has now is shown in the help as the default.
    Option& shows_default();
    /// Of an option that may be given several times: each mention takes one value, so that what follows is
    /// not taken for another.
    Option& one_value_each();
    /// One value may hold several, with this between them.
    Option& separated_by(char between);
    /// Takes exactly `count` values, which the help calls `names`.
    Option& takes(int count, const std::string& names);
    Option& range(int least, int most);
    Option& range(double least, double most);
    Option& positive();
    Option& not_negative();
    Option& one_of(const std::vector<std::string>& values);
    Option& needs(const Option& other);
    Option& excludes(const Option& other);

private:
    CLI::Option* option_;
};

/// The program's own level of the command line, or one command. Refers to one of a CommandLine. A name
/// without dashes is an argument by its place. Values go to their targets while the line is parsed, so
/// targets must live until then: commands keep theirs alive in what they run.
class Command {
public:
    Command(CLI::App* app, Action* chosen) : app_(app), chosen_(chosen) {}

    Command command(const std::string& name, const std::string& help);
    /// One of its commands must follow.
    void needs_command();
    void footer(const std::string& text);
    /// What `rooftune NAME … --help` prints, for a command below this one; empty where there is none.
    std::string help_of(const std::vector<std::string>& names) const;
    /// The names of the commands below this one.
    std::vector<std::string> commands() const;

    Option flag(const std::string& name, bool& target, const std::string& help);
    Option option(const std::string& name, std::string& target, const std::string& help);
    Option option(const std::string& name, int& target, const std::string& help);
    Option option(const std::string& name, double& target, const std::string& help);
    Option option(const std::string& name, std::uint64_t& target, const std::string& help);
    Option option(const std::string& name, std::vector<std::string>& target, const std::string& help);

    /// What is done when this command is chosen.
    void runs(Action action);

private:
    CLI::App* app_;
    Action* chosen_;
};

/// A whole command line: built from its root, then parsed once.
class CommandLine {
public:
    /// `version` is what --version prints; empty: there is no such flag.
    CommandLine(const std::string& name, const std::string& help, const std::string& version);
    ~CommandLine();
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    Command root();
    std::string help() const;

    /// What was chosen, to be run by the caller. Nothing where the answer is given already: `status` is then
    /// 0 after --help and --version, and 2 after a mistake, which is told on standard error with the nearest
    /// flag or command.
    Action parse(int argc, char** argv, int& status);

private:
    std::unique_ptr<CLI::App> app_;
    Action chosen_;
};

}  // namespace rooftune
