#include "tuner/external/program_shell.h"

#include "tuner/base/command_words.h"
#include "tuner/base/joined.h"

namespace rooftune::external {

std::string shell_command(const ProgramCall& call, const std::vector<int>& cpus) {
    std::string missing, set;
    for (const auto& [name, value] : call.environment) {
        if (value.empty()) {
            missing += " -u " + name;
        } else {
            set += name + "=" + shell_word(value) + " ";
        }
    }
    std::string text = missing.empty() ? set : "env" + missing + " " + set;
    std::vector<std::string> numbers;
    for (const int cpu : cpus) numbers.push_back(std::to_string(cpu));
    if (!numbers.empty()) text += "taskset -c " + joined(numbers, ",", ",") + " ";
    return text + shell_line(call.command);
}

}  // namespace rooftune::external
