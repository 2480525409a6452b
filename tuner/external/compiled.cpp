#include "tuner/external/compiled.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

#include "kernels/runtime/error.h"
#include "kernels/runtime/file_text.h"
#include "kernels/runtime/user_cache.h"
#include "tuner/base/atomic_file.h"
#include "tuner/base/command_words.h"
#include "tuner/base/execute.h"
#include "tuner/base/find_program.h"
#include "tuner/base/text_hash.h"
#include "tuner/base/text_width.h"

namespace rooftune::external {
namespace {

namespace fs = std::filesystem;

constexpr double kUsualSeconds = 60.0;
constexpr std::int64_t kMostKept = std::int64_t{512} << 20;
constexpr std::size_t kMostMessage = 1500;  // of a compiler: the first error says most

// Twice from different starts: 128 bits, so that two sources never share an object by accident.
std::string hash_of(const std::string& text) {
    TextHash a, b(1099511628211ull);
    a.add(text);
    b.add(text);
    return a.text() + b.text();
}

// Another version of a compiler makes other code.
const std::string& version_of(const std::string& compiler) {
    static std::mutex mutex;
    static std::map<std::string, std::string> known;
    const std::lock_guard<std::mutex> lock(mutex);
    const auto found = known.find(compiler);
    if (found != known.end()) return found->second;
    std::vector<std::string> words = command_words(compiler, "the compiler");
    words.emplace_back("--version");
    const Execution run = execute(words, compile_limit());
    if (run.end == Execution::End::not_started)
        throw VariantError(VariantError::Kind::build,
                           "the compiler '" + compiler + "' cannot be started: " + run.detail +
                               "; install it (Debian: apt-get install g++) or name another one");
    return known.emplace(compiler, run.output).first->second;
}

std::string text_of(const fs::path& path) {
    return file_text(path).value_or("");
}

// Objects for the processor that is here (-march=native) are not for another one that shares the folder.
const std::string& processor() {
    static const std::string text = [] {
        std::ifstream file("/proc/cpuinfo");
        std::string all;
        for (std::string line; std::getline(file, line) && !line.empty();) {
            if (line.starts_with("flags") || line.starts_with("model name") || line.starts_with("Features"))
                all += line + '\n';
        }
        return all;
    }();
    return text;
}

// The files behind the colon of a rule of make, as compilers write it: a backslash before a blank that is
// part of a name, and at the end of a line that goes on.
std::vector<std::string> listed_files(const std::string& rule) {
    std::vector<std::string> files(1);
    const std::size_t colon = rule.find(": ");
    for (std::size_t i = colon == std::string::npos ? rule.size() : colon + 2; i < rule.size(); ++i) {
        if (rule[i] == '\\' && i + 1 < rule.size() && rule[i + 1] == ' ') {
            files.back() += rule[++i];
        } else if (rule[i] == '\\' && i + 1 < rule.size() && rule[i + 1] == '\n') {
            ++i;
        } else if (rule[i] == '$' && i + 1 < rule.size() && rule[i + 1] == '$') {
            files.back() += rule[++i];
        } else if (rule[i] != ' ' && rule[i] != '\n') {
            files.back() += rule[i];
        } else if (!files.back().empty()) {
            files.emplace_back();
        }
    }
    if (files.back().empty()) files.pop_back();
    return files;
}

// Libraries are looked for what the source before them lacks.
bool is_library(const std::string& flag) {
    return flag.starts_with("-l") || flag.ends_with(".a") || flag.ends_with(".so") || flag.ends_with(".o");
}

std::string shortened(std::string message) {
    while (!message.empty() && (message.back() == '\n' || message.back() == ' ')) message.pop_back();
    if (message.size() > kMostMessage) message = message.substr(0, kMostMessage) + "…";
    return message;
}

}  // namespace

bool tells_of_environment(const std::string& message) {
    constexpr std::array<std::string_view, 8> kWords{"No space left on device",
                                                     "Disk quota exceeded",
                                                     "Cannot allocate memory",
                                                     "virtual memory exhausted",
                                                     "] Killed",
                                                     "unable to execute command: Killed",
                                                     "Killed signal terminated program",
                                                     "Killed (program cc1"};
    return std::any_of(kWords.begin(), kWords.end(),
                       [&](std::string_view word) { return message.find(word) != std::string::npos; });
}

double compile_limit() {
    const char* const own = std::getenv("ROOFTUNE_COMPILE_LIMIT");
    const double seconds = own ? std::atof(own) : 0.0;
    return seconds > 0.0 ? seconds : kUsualSeconds;
}

std::string compiler_for(const Declaration& declaration) {
    if (declaration.compiler) return declaration.compiler->text;
    const bool cpp = declaration.language == Language::cpp;
    if (const char* own = std::getenv(cpp ? "CXX" : "CC"); own && *own) return own;
    for (const char* usual : cpp ? std::array{"g++", "c++", "clang++"} : std::array{"gcc", "cc", "clang"}) {
        if (!find_program(usual).empty()) return usual;
    }
    throw EnvironmentError(std::string("there is no compiler for ") + (cpp ? "C++" : "C") +
                           " here; install one (Debian: apt-get install " + (cpp ? "g++" : "gcc") +
                           "), or name yours in $" + (cpp ? "CXX" : "CC"));
}

std::string kernel_cache() {
    if (const char* own = std::getenv("ROOFTUNE_KERNEL_CACHE"); own && *own) return own;
    if (const std::string cache = user_cache(); !cache.empty()) return cache + "/rooftune/kernels";
    return (fs::temp_directory_path() / fmt::format("rooftune-kernels-{}", getuid())).string();
}

void shrink_kernel_cache(std::int64_t most_bytes) {
    shrink_cache(kernel_cache(), ".so", most_bytes, ".d");
}

namespace {

// One compilation: what it is known by, and the files that it makes on its way, with names of this process:
// whoever compiles the same renames the same over it.
class Making {
public:
    explicit Making(const Compilation& what) : what_(what), folder_(kernel_cache()) {
        std::string key = what.compiler + '\n' + version_of(what.compiler) + '\n' + what.include_folder +
                          '\n' + what.included + '\n' + processor();
        for (const std::string& flag : what.flags) key += flag + '\n';
        const std::string name = hash_of(key + what.source);
        object_ = folder_ / (name + ".so");
        const fs::path mine = folder_ / fmt::format("{}.{}", name, getpid());
        source_ = mine.string() + (what.language == Language::cpp ? ".cpp" : ".c");
        made_ = mine.string() + ".part";
        log_ = mine.string() + ".log";
        listed_ = mine.string() + ".list";
        list_ = folder_ / (name + ".d");
    }
    ~Making() {
        std::error_code ignored;
        for (const fs::path& file : {source_, made_, log_, listed_}) fs::remove(file, ignored);
    }
    Making(const Making&) = delete;
    Making& operator=(const Making&) = delete;

    std::string object() const { return object_.string(); }
    std::string folder() const { return folder_.string(); }
    /// Whether it is there, and nothing that it was made of has changed since: headers from anywhere, and
    /// files among the flags.
    bool is_kept() const {
        std::error_code error;
        if (!fs::is_regular_file(object_, error)) return false;
        const fs::file_time_type then = fs::last_write_time(list_, error);
        if (error) return false;
        const auto is_older = [&](const fs::path& path) {
            const fs::file_time_type changed = fs::last_write_time(path, error);
            return !error && changed <= then;
        };
        // What cannot be read tells of no file that may have changed.
        const std::optional<std::string> list = file_text(list_.string());
        if (!list) return false;
        for (const std::string& path : listed_files(*list)) {
            if (path != source_.string() && !path.starts_with((folder_ / "").string()) &&
                !is_older(fs::path(what_.include_folder) / path))
                return false;
        }
        for (const std::string& flag : what_.flags) {
            const fs::path path = fs::path(what_.include_folder) / flag;
            if (!flag.starts_with('-') && fs::exists(path, error) && !is_older(path)) return false;
        }
        return true;
    }
    void use() const {
        std::error_code ignored;
        fs::last_write_time(object_, fs::file_time_type::clock::now(), ignored);
    }
    /// Writes the source.
    void begin() const {
        make_folder(folder_.string());
        write_atomically(source_.string(), what_.source);
    }
    std::vector<std::string> words() const {
        std::vector<std::string> words = command_words(what_.compiler, "the compiler");
        words.insert(words.end(), {"-shared", "-fPIC", "-Dmain=rooftune_unused_main"});
        if (!what_.include_folder.empty()) words.insert(words.end(), {"-iquote", what_.include_folder});
        const auto add = [&](bool libraries) {
            for (const std::string& flag : what_.flags) {
                if (is_library(flag) == libraries) words.push_back(flag);
            }
        };
        add(false);
        words.insert(words.end(), {"-MD", "-MF", listed_.string(), source_.string(), "-o", made_.string()});
        add(true);
        words.emplace_back("-lm");
        return words;
    }
    std::string made() const { return made_.string(); }
    std::string listed() const { return listed_.string(); }
    std::string list() const { return list_.string(); }
    std::string log() const { return log_.string(); }
    std::string message() const { return shortened(printable_lines(text_of(log_))); }
    /// What was made becomes what is kept.
    std::error_code keep() const {
        std::error_code error;
        fs::rename(listed_, list_, error);
        if (!error) fs::rename(made_, object_, error);
        return error;
    }
    const Compilation& what() const { return what_; }

private:
    Compilation what_;
    fs::path folder_, object_, source_, made_, log_;
    fs::path listed_, list_;  ///< what it was made of, as the compiler lists it for make
};

}  // namespace

std::string compiled(const Compilation& what) {
    const Making making(what);
    if (making.is_kept()) {
        making.use();
        return making.object();
    }
    making.begin();
    std::vector<std::string> words{"/bin/sh", "-c", "exec \"$@\" 2>\"$0\"", making.log()};
    for (std::string& word : making.words()) words.push_back(std::move(word));
    const Execution run = execute(words, compile_limit(),
                                  {.folder = what.include_folder, .limit_flag = "$ROOFTUNE_COMPILE_LIMIT"});
    const std::string message = making.message();
    std::error_code error;
    if (run.end == Execution::End::exited && run.status == 0) error = making.keep();
    if (run.end == Execution::End::interrupted) throw EnvironmentError("interrupted while it was compiled");
    if (tells_of_environment(message)) throw EnvironmentError(what.compiler + ": " + message);
    if (run.end != Execution::End::exited || run.status != 0)
        throw VariantError(VariantError::Kind::build,
                           what.compiler + ": " + (message.empty() ? run.detail : message));
    if (error)
        throw EnvironmentError("the compiled kernel cannot be kept in " + making.folder() + ": " +
                               error.message() +
                               "; free space, or set $ROOFTUNE_KERNEL_CACHE to another folder");
    shrink_kernel_cache(kMostKept);
    return making.object();
}

void compile_ahead(const std::vector<Compilation>& all, int at_once) {
    std::vector<std::unique_ptr<Making>> missing;
    for (const Compilation& what : all) {
        if (static_cast<int>(missing.size()) == at_once) break;
        auto making = std::make_unique<Making>(what);
        const bool twice = std::any_of(missing.begin(), missing.end(), [&](const auto& other) {
            return other->object() == making->object();
        });
        if (!making->is_kept() && !twice) missing.push_back(std::move(making));
    }
    // One alone is compiled where it is asked for, which tells what is wrong with it.
    if (missing.size() < 2) return;
    // One shell for all: it waits for each, and removes what one that failed has left.
    std::string script;
    for (const auto& making : missing) {
        making->begin();
        const std::vector<std::string> words = making->words();
        script += "( cd " +
                  shell_word(making->what().include_folder.empty() ? "." : making->what().include_folder) +
                  " && " + shell_line(words) + " 2>" + shell_word(making->log()) + " && mv " +
                  shell_line({making->listed(), making->list()}) + " && mv " +
                  shell_line({making->made(), making->object()}) + " ) & ";
    }
    execute({"/bin/sh", "-c", script + "wait"}, compile_limit());
    shrink_kernel_cache(kMostKept);
}

}  // namespace rooftune::external
