#include "tuner/base/suggested.h"

#include "tuner/base/command_words.h"

namespace rooftune {
namespace {

std::string& results_folder_named() {
    static std::string folder;
    return folder;
}

}  // namespace

void suggest_results_folder(const std::string& folder) {
    results_folder_named() = folder;
}

std::string command_here(std::string_view command) {
    const std::string& folder = results_folder_named();
    return "rooftune " + std::string(command) + (folder.empty() ? "" : " --results " + shell_word(folder));
}

std::string suggested(std::string_view command) {
    return "`" + command_here(command) + "`";
}

}  // namespace rooftune
