#include "tuner/external/program_problem.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "kernels/runtime/error.h"
#include "tuner/base/command_words.h"
#include "tuner/base/find_program.h"
#include "tuner/base/text_file.h"
#include "tuner/base/text_hash.h"
#include "tuner/external/folder_lock.h"
#include "tuner/external/program_description.h"
#include "tuner/external/program_template.h"

namespace rooftune::external {
namespace {

constexpr std::size_t kMostDescription = std::size_t{1} << 20;
constexpr std::size_t kMostHashed = std::size_t{64} << 20;

// The words of a command without those that depend on a variant; a size is one of the problem.
std::vector<std::string> fixed_words(const Declaration& d, const Text& text, const std::string& word) {
    const ValueOf none = [](const std::string&) { return nullptr; };
    return CommandTemplate(d, text, word).words(none);
}

// A program that is built is made of what its build names; another one is the files that its command names:
// the first, and what can be executed. Arguments that name data are none: runs may write them.
std::string hash_of_files(const Declaration& d, const std::string& folder) {
    const bool is_built = d.build.has_value();
    TextHash hash;
    bool any = false;
    for (const std::string& word : fixed_words(d, is_built ? *d.build : *d.command, "command")) {
        const std::filesystem::path file = std::filesystem::path(folder) / word;
        std::error_code error;
        if (word.empty() || !std::filesystem::is_regular_file(file, error)) continue;
        const bool is_executable = access(file.c_str(), X_OK) == 0;
        if (is_built ? is_executable : any && !is_executable) continue;
        if (std::filesystem::file_size(file, error) > kMostHashed || error) continue;
        any = true;
        hash.add(word);
        hash.add(read_text_file(file.string(), kMostHashed));
    }
    return any ? hash.text() : "";
}

// The program itself, where nothing builds it and its name is no variant's.
void check_there(const Instance& instance) {
    const Declaration& d = instance.declaration;
    const CommandTemplate command(d, *d.command, "command");
    if (d.build || !command.names_of_program().empty()) return;
    const std::string program = command.words([](const std::string&) { return nullptr; }).front();
    const std::string place = place_of(d.file, *d.command);
    if (program.find('/') == std::string::npos) {
        if (!find_program(program).empty()) return;
        const std::filesystem::path here = std::filesystem::path(instance.folder) / program;
        throw InputError(
            place + " there is no program '" + program + "' in the folders of $PATH; " +
            (is_program_file(here.string()) ? "write ./" + program : "install it, or write its path"));
    }
    const std::filesystem::path file = std::filesystem::path(instance.folder) / program;
    std::error_code error;
    if (!std::filesystem::exists(file, error))
        throw InputError(place + " there is no " + program + " in " + instance.folder +
                         "; build it first, or say by `build` how it is built");
    if (!is_program_file(file.string()))
        throw InputError(
            place + " " + program + " in " + instance.folder +
            " cannot be executed; make it so (chmod +x), or write the program that reads it before "
            "it");
}

// What the program that a description runs is called.
std::string name_of_command(const std::string& text) {
    for (const Text& line : lines_of_description(text, true)) {
        if (line.text.starts_with("command ")) return program_name(line.text.substr(8));
    }
    return "the program";
}

// What the folder has of it.
void look_around(Instance& instance) {
    check_there(instance);
    instance.included = hash_of_files(instance.declaration, instance.folder);
    if (instance.declaration.build) instance.build_state = build_state(instance.folder);
}

}  // namespace

bool names_program(const ProblemSpec& spec) {
    const auto source = spec.find("source");
    return spec.contains(kDescriptionKey) || (source != spec.end() && is_description_name(source->second));
}

Instance described_instance(const std::string& text, const std::string& path, const std::string& file,
                            const ProblemSpec& sizes, double available) {
    Instance instance =
        instance_of(description_from(lines_of_description(text, path.empty()), file), sizes, available);
    instance.source = text;
    instance.path = path;
    return instance;
}

Instance program_instance(const ProblemSpec& spec, double available) {
    namespace fs = std::filesystem;
    ProblemSpec sizes = spec;
    const auto source = sizes.extract("source"), text = sizes.extract(kDescriptionKey),
               folder = sizes.extract(kFolderKey);
    Instance instance;
    if (!text.empty()) {
        if (!source.empty())
            throw InputError("external: 'source' and 'description' exclude each other; give one of them");
        if (folder.empty())
            throw InputError("external: 'folder' is missing, where the described program runs");
        instance = described_instance(text.mapped(), "", name_of_command(text.mapped()), sizes, available);
        instance.folder = fs::absolute(folder.mapped()).lexically_normal().string();
    } else {
        const fs::path path = fs::absolute(source.mapped()).lexically_normal();
        instance = described_instance(read_text_file(source.mapped(), kMostDescription), path.string(),
                                      path.filename().string(), sizes, available);
        instance.folder = path.parent_path().string();
    }
    std::error_code error;
    if (!fs::is_directory(instance.folder, error))
        throw InputError("external: the folder " + instance.folder +
                         ", where the program was tuned, is not there any more");
    look_around(instance);
    return instance;
}

Instance described_instance(const KernelDocument& document, const ProblemSpec& sizes, double available) {
    std::string text;
    for (const Text& line : document.lines) text += line.text + "\n";
    const bool is_file = document.reference.ends_with(document.name);
    const std::string name = is_file ? document.name : name_of_command(text);
    Instance instance = instance_of(declaration_of(document.lines, name, Language::program, document.place),
                                    sizes, available);
    instance.source = text;
    instance.path = document.reference;
    return instance;
}

Instance program_instance(const KernelDocument& document, const ProblemSpec& sizes, double available) {
    Instance instance = described_instance(document, sizes, available);
    instance.folder = document.folder;
    look_around(instance);
    return instance;
}

std::string verified_by_program(const Declaration& declaration) {
    const std::optional<Text>& verify = declaration.verify;
    return !verify || verify->text == kByExitStatus
               ? "by the exit status alone: what was computed is compared with nothing"
               : "against what the first variant wrote into " + verify->text + ", for want of a reference";
}

}  // namespace rooftune::external
