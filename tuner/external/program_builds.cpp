#include "tuner/external/program_builds.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string_view>

#include "kernels/runtime/error.h"
#include "kernels/runtime/file_text.h"
#include "tuner/base/adopted.h"
#include "tuner/base/atomic_file.h"
#include "tuner/base/command_words.h"
#include "tuner/base/execute.h"
#include "tuner/base/text_hash.h"
#include "tuner/base/text_width.h"
#include "tuner/external/compiled.h"

namespace rooftune::external {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 50000;
constexpr std::size_t kMostMessage = 1500;  // of a build: its end says why it failed

std::string key_of(const std::vector<std::string>& words) {
    TextHash hash;
    for (const std::string& word : words) hash.add(word);
    return hash.text();
}

std::string read_whole(const std::string& path) {
    return file_text(path).value_or("");
}

// Whether a file is a program by its beginning: where file systems keep no rights (FAT, a Windows disk) all
// files can be executed, those that runs write as well.
bool begins_as_program(const std::string& path) {
    std::array<char, 4> begin{};
    std::ifstream(path, std::ios::binary).read(begin.data(), begin.size());
    const std::string_view text(begin.data(), begin.size());
    return text == "\177ELF" || text.starts_with("#!");
}

std::string end_of(std::string message) {
    while (!message.empty() && (message.back() == '\n' || message.back() == ' ')) message.pop_back();
    if (message.size() > kMostMessage) message = "…" + message.substr(message.size() - kMostMessage);
    return message;
}

std::string named(const std::vector<std::string>& build) {
    return "the build `" + printable(shell_line(build)) + "`";
}

}  // namespace

ProgramBuilds::ProgramBuilds(std::string folder, std::string state)
    : folder_(std::move(folder)), state_(std::move(state)) {}

ProgramBuilds::Listing ProgramBuilds::listing() const {
    Listing found;
    std::vector<fs::path> folders{folder_};
    while (!folders.empty()) {
        const fs::path folder = folders.back();
        folders.pop_back();
        std::error_code error;
        fs::directory_iterator at(folder, error);
        // What vanishes meanwhile, or is not this user's to read, is no build's.
        for (; !error && at != fs::directory_iterator(); at.increment(error)) {
            struct stat facts {};
            const fs::path& path = at->path();
            if (lstat(path.c_str(), &facts) != 0) continue;
            if (S_ISDIR(facts.st_mode)) {
                if (!path.filename().string().starts_with('.')) folders.push_back(path);
                continue;
            }
            if (!S_ISREG(facts.st_mode) && !S_ISLNK(facts.st_mode)) continue;
            if (found.size() == kMostFiles)
                throw EnvironmentError(fmt::format(
                    "below {} lie more than {} files, too many to see what a build changes; put the program "
                    "into a folder of its own",
                    folder_, kMostFiles));
            found[path.string()] = {facts.st_mtim.tv_sec * 1'000'000'000 + facts.st_mtim.tv_nsec,
                                    static_cast<std::uint64_t>(facts.st_size), facts.st_ino, facts.st_dev};
        }
        if (error && error != std::errc::no_such_file_or_directory && error != std::errc::permission_denied &&
            error != std::errc::not_a_directory)
            throw EnvironmentError(folder.string() +
                                   " cannot be looked through for what a build changes: " + error.message());
    }
    return found;
}

ProgramBuilds::Listing ProgramBuilds::programs(const std::vector<ProgramWord>& words) const {
    Listing found;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i].file;
        // A first word without a path is looked for elsewhere.
        if (word.empty() || (i == 0 && word.find('/') == std::string::npos)) continue;
        const std::string file = (fs::path(folder_) / word).string();
        struct stat facts {};
        // Through symbolic links: it is what they lead to that runs.
        if (stat(file.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode) || access(file.c_str(), X_OK) != 0)
            continue;
        if (i > 0 && !begins_as_program(file)) continue;
        found[word] = {facts.st_mtim.tv_sec * 1'000'000'000 + facts.st_mtim.tv_nsec,
                       static_cast<std::uint64_t>(facts.st_size), facts.st_ino, facts.st_dev};
    }
    return found;
}

std::string ProgramBuilds::text_of(const Listing& files) {
    std::string text;
    for (const auto& [name, seen] : files)
        text +=
            fmt::format(" {} {} {} {} {}", key_of({name}), seen.changed, seen.bytes, seen.inode, seen.device);
    return text;
}

void ProgramBuilds::run(const std::vector<std::string>& build) const {
    std::vector<std::string> words{"/bin/sh", "-c", "exec \"$@\" 2>&1", "sh"};
    words.insert(words.end(), build.begin(), build.end());
    const bool sweeps = !has_children();
    if (sweeps) adopt_what_is_left();
    const Execution done = execute(words, compile_limit(),
                                   {.folder = folder_,
                                    .limit_flag = "$ROOFTUNE_COMPILE_LIMIT",
                                    .own_group = false,
                                    .watches = false,
                                    .most_output = std::numeric_limits<std::size_t>::max()});
    // Compilers of a build that was ended would go on beside what is timed next.
    if (sweeps && has_children()) end_all_children();
    if (done.end == Execution::End::exited && done.status == 0) return;
    if (done.end == Execution::End::interrupted) throw EnvironmentError("interrupted while it was built");
    const std::string said = end_of(printable_lines(done.output));
    const std::string what = named(build) + ": " + done.detail + (said.empty() ? "" : "\n" + said);
    const bool is_killed = done.end == Execution::End::signalled && done.signal == SIGKILL;
    if (is_killed || done.end == Execution::End::lost || tells_of_environment(done.output))
        throw EnvironmentError(what);
    throw VariantError(VariantError::Kind::build, what);
}

void ProgramBuilds::refuse(const std::vector<std::string>& build, const Listing& programs) const {
    std::string what = "changed no file below " + folder_;
    if (!programs.empty()) what = "left " + printable(programs.begin()->first) + " as it was";
    std::string besides;
    if (!programs.empty())
        besides = "; where the values are in another file, end the build with a `touch` of this one";
    throw VariantError(VariantError::Kind::build,
                       named(build) + " " + what +
                           ", which may be a program of other values; have it build anew, as `make -B` does" +
                           besides);
}

bool ProgramBuilds::is_current(const std::vector<std::string>& build,
                               const std::vector<ProgramWord>& words) const {
    std::ifstream state(state_);
    std::string last;
    return std::getline(state, last) && last == key_of(build) + text_of(programs(words));
}

void ProgramBuilds::use(const std::vector<std::string>& build, const std::vector<ProgramWord>& words) const {
    if (is_current(build, words)) return;
    // The first line is the last build, the others what earlier ones left. While a build is under way, or
    // after one that failed, there is no first line: it may have written anything.
    std::string known = read_whole(state_);
    known.erase(0, known.find('\n') == std::string::npos ? known.size() : known.find('\n') + 1);
    make_folder(fs::path(state_).parent_path().string());
    write_atomically(state_, "\n" + known);
    const Listing before = programs(words);
    const Listing all_before = before.empty() ? listing() : Listing();
    run(build);
    const Listing after = programs(words);
    const auto is_named = [&](const ProgramWord& word) {
        return !word.is_by_build && (after.empty() || after.contains(word.file));
    };
    const bool is_named_by_values = after.empty() ? std::all_of(words.begin(), words.end(), is_named)
                                                  : std::any_of(words.begin(), words.end(), is_named);
    const std::string key = key_of(build), line = key + text_of(after) + "\n";
    const bool is_as_made = known.find(line) != std::string::npos;
    const bool changed = after != before || (after.empty() && listing() != all_before);
    if (!is_named_by_values && !changed && !is_as_made) refuse(build, after);
    if (const std::size_t old = known.find(key); old != std::string::npos)
        known.erase(old, known.find('\n', old) + 1 - old);
    write_atomically(state_, line + known + line);
}

}  // namespace rooftune::external
