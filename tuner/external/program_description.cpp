#include "tuner/external/program_description.h"

#include <algorithm>

#include "kernels/runtime/error.h"
#include "tuner/base/quoted_parts.h"

namespace rooftune::external {
namespace {

constexpr std::string_view kBlanks = " \t\r";

// "--parameter tile": the flag that a line was composed of, with the name that it gives, so that of several
// the one is found.
std::string flag_of(std::string_view line) {
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string word(line.substr(0, end));
    std::string flag = "--" + word;
    if (word != "parameter" && word != "size" && word != "real") return flag;
    const std::size_t from = line.find_first_not_of(' ', end);
    if (from == std::string_view::npos) return flag;
    if (word == "parameter" && line.ends_with(" (environment)")) flag = "--environment";
    return flag + " " + std::string(line.substr(from, std::min(line.find(' ', from), line.size()) - from));
}

void refuse_breaks(const std::string& flag, const std::string& text) {
    if (text.find_first_of("\n\r") != std::string::npos)
        throw InputError(flag +
                         ": it goes over several lines; write it in one, or put the description into a "
                         "file.rooftune");
}

// The two sides of "name=value".
std::pair<std::string, std::string> sides_of(const std::string& flag, const std::string& text,
                                             const std::string& form) {
    refuse_breaks(flag, text);
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
        throw InputError(flag + " " + text + ": expected a name and what it is; write " + flag + " " + form);
    return {text.substr(0, equals), text.substr(equals + 1)};
}

std::string parameter_line(const std::string& flag, const std::string& text, const std::string& form) {
    // With a blank before any `=` it is a line as it stands.
    if (text.find_first_of(" \t") < text.find('=')) {
        refuse_breaks(flag, text);
        return "parameter " + text;
    }
    const auto [name, values] = sides_of(flag, text, form);
    std::string line = "parameter " + name;
    for (const std::string& value : quoted_parts(values, ','))
        line += " " + quoted_value(flag + " " + name, unquoted(value));
    return line;
}

}  // namespace

std::string quoted_value(const std::string& flag, const std::string& value, bool always) {
    const bool plain = !always && !value.empty() && value.find_first_of(" \t") == std::string::npos &&
                       value.front() != '"' && value.front() != '\'' && value.front() != '(';
    if (plain) return value;
    for (const char quote : {'"', '\''}) {
        if (value.find(quote) == std::string::npos) return quote + value + quote;
    }
    throw InputError(flag + ": the value " + value +
                     " has both kinds of quotes; put the description into a file.rooftune");
}

std::vector<Text> lines_of_description(const std::string& text, bool composed) {
    std::vector<Text> lines;
    int number = 0;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        const std::string_view line = std::string_view(text).substr(from, end - from);
        from = end + 1;
        ++number;
        const std::size_t first = line.find_first_not_of(kBlanks);
        if (first == std::string_view::npos || line[first] == '#') continue;
        const std::size_t last = line.find_last_not_of(kBlanks);
        lines.push_back({std::string(line.substr(first, last + 1 - first)), number,
                         static_cast<int>(first) + 1, composed ? flag_of(line.substr(first)) : ""});
    }
    return lines;
}

bool ProgramFlags::any() const {
    const auto there = [](const std::string* text) { return !text->empty(); };
    const std::vector<const std::string*> texts{&command, &build,  &time,       &verify,   &flops,
                                                &reads,   &writes, &arithmetic, &tolerance};
    return std::any_of(texts.begin(), texts.end(), there) || !parameters.empty() || !environment.empty() ||
           !sizes.empty() || !reals.empty();
}

std::string composed_description(const ProgramFlags& flags) {
    if (flags.command.empty())
        throw InputError(
            "--command is missing, which says how the program is run; write --command './bench --tile "
            "{tile}'");
    std::string text;
    for (const std::string& size : flags.sizes) {
        const auto [name, value] = sides_of("--size", size, "n=1000");
        text += "size " + name + " = " + value + "\n";
    }
    for (const std::string& real : flags.reals) {
        const auto [name, value] = sides_of("--real", real, "a=2.5");
        text += "real " + name + " = " + value + "\n";
    }
    for (const std::string& parameter : flags.parameters)
        text += parameter_line("--parameter", parameter, "tile=8:512:x2 or threads=1,2") + "\n";
    for (const std::string& parameter : flags.environment)
        text += parameter_line("--environment", parameter, "OMP_SCHEDULE=static,guided") + " (environment)\n";
    const std::vector<std::pair<std::string, const std::string*>> rest{
        {"flops", &flags.flops},           {"reads", &flags.reads},         {"writes", &flags.writes},
        {"arithmetic", &flags.arithmetic}, {"tolerance", &flags.tolerance}, {"command", &flags.command},
        {"build", &flags.build},           {"time", &flags.time},           {"verify", &flags.verify}};
    for (const std::string& rule : flags.rules) {
        refuse_breaks("--where", rule);
        text += "where " + rule + "\n";
    }
    for (const auto& [word, value] : rest) {
        refuse_breaks("--" + word, *value);
        if (!value->empty()) text += word + " " + *value + "\n";
    }
    return text;
}

std::vector<std::string> flags_of_description(const std::string& text) {
    std::vector<std::string> words;
    for (const Text& line : lines_of_description(text, true)) {
        const std::size_t end = std::min(line.text.find_first_of(kBlanks), line.text.size());
        const std::size_t rest = std::min(line.text.find_first_not_of(kBlanks, end), line.text.size());
        words.push_back("--" + line.text.substr(0, end));
        words.push_back(line.text.substr(rest));
    }
    return words;
}

bool is_description_name(std::string_view word) {
    constexpr std::string_view kEnding = ".rooftune";
    return word.size() > kEnding.size() && word.ends_with(kEnding);
}

}  // namespace rooftune::external
