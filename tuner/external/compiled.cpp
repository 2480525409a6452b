#include "tuner/external/compiled.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>

#include "kernels/runtime/error.h"
#include "tuner/base/atomic_file.h"
#include "tuner/base/command_words.h"
#include "tuner/base/execute.h"
#include "tuner/base/text_width.h"

namespace rooftune::external {
namespace {

namespace fs = std::filesystem;

constexpr double kUsualSeconds = 60.0;
constexpr std::int64_t kMostKept = std::int64_t{512} << 20;
constexpr std::size_t kMostMessage = 1500;  // of a compiler: the first error says most

// Twice FNV-1a from different starts: 128 bits, so that two sources never share an object by accident.
std::string hash_of(const std::string& text) {
    std::uint64_t a = 14695981039346656037ull, b = 1099511628211ull;
    for (const char c : text) {
        a = (a ^ static_cast<unsigned char>(c)) * 1099511628211ull;
        b = (b ^ static_cast<unsigned char>(c)) * 1099511628211ull;
    }
    return fmt::format("{:016x}{:016x}", a, b);
}

bool is_there(const std::string& program) {
    if (program.find('/') != std::string::npos) return access(program.c_str(), X_OK) == 0;
    const char* const path = std::getenv("PATH");
    const std::string folders = path ? path : "/usr/local/bin:/usr/bin:/bin";
    for (std::size_t from = 0; from <= folders.size();) {
        const std::size_t colon = std::min(folders.find(':', from), folders.size());
        const std::string candidate = folders.substr(from, colon - from) + "/" + program;
        if (access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate)) return true;
        from = colon + 1;
    }
    return false;
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
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
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

// Libraries are looked for what the source before them lacks.
bool is_library(const std::string& flag) {
    return flag.starts_with("-l") || flag.ends_with(".a") || flag.ends_with(".so") || flag.ends_with(".o");
}

// Compilers fail for lack of space or memory as well, which says nothing of the source.
bool is_environments(const std::string& message) {
    return message.find("No space left on device") != std::string::npos ||
           message.find("Cannot allocate memory") != std::string::npos ||
           message.find("Killed signal terminated program") != std::string::npos;
}

std::string shortened(std::string message) {
    while (!message.empty() && (message.back() == '\n' || message.back() == ' ')) message.pop_back();
    if (message.size() > kMostMessage) message = message.substr(0, kMostMessage) + "…";
    return message;
}

}  // namespace

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
        if (is_there(usual)) return usual;
    }
    throw EnvironmentError(std::string("there is no compiler for ") + (cpp ? "C++" : "C") +
                           " here; install one (Debian: apt-get install " + (cpp ? "g++" : "gcc") +
                           "), or name yours in $" + (cpp ? "CXX" : "CC"));
}

std::string kernel_cache() {
    if (const char* own = std::getenv("ROOFTUNE_KERNEL_CACHE"); own && *own) return own;
    if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg && *xdg)
        return std::string(xdg) + "/rooftune/kernels";
    if (const char* home = std::getenv("HOME"); home && *home)
        return std::string(home) + "/.cache/rooftune/kernels";
    return (fs::temp_directory_path() / fmt::format("rooftune-kernels-{}", getuid())).string();
}

void shrink_kernel_cache(std::int64_t most_bytes) {
    struct Kept {
        fs::file_time_type used;
        std::int64_t bytes;
        fs::path path;
    };
    std::vector<Kept> entries;
    std::int64_t all = 0;
    std::error_code error;
    for (const fs::directory_entry& file : fs::directory_iterator(kernel_cache(), error)) {
        if (file.path().extension() != ".so") continue;
        const auto bytes = static_cast<std::int64_t>(file.file_size(error));
        if (error) continue;
        entries.push_back({file.last_write_time(error), bytes, file.path()});
        all += bytes;
    }
    std::sort(entries.begin(), entries.end(), [](const Kept& a, const Kept& b) { return a.used < b.used; });
    for (const Kept& entry : entries) {
        if (all <= most_bytes) return;
        if (fs::remove(entry.path, error)) all -= entry.bytes;
    }
}

std::string compiled(const Compilation& what) {
    std::string key = what.compiler + '\n' + version_of(what.compiler) + '\n' + what.include_folder + '\n' +
                      what.included + '\n' + processor();
    for (const std::string& flag : what.flags) key += flag + '\n';
    const fs::path folder = kernel_cache();
    const std::string name = hash_of(key + what.source);
    const fs::path object = folder / (name + ".so");
    std::error_code error;
    if (fs::is_regular_file(object, error)) {
        fs::last_write_time(object, fs::file_time_type::clock::now(), error);
        return object.string();
    }
    make_folder(folder.string());
    // Names of this process: whoever compiles the same renames the same over it.
    const fs::path mine = folder / fmt::format("{}.{}", name, getpid());
    const fs::path source = mine.string() + (what.language == Language::cpp ? ".cpp" : ".c");
    const fs::path made = mine.string() + ".part", log = mine.string() + ".log";
    const auto clean = [&] {
        std::error_code ignored;
        for (const fs::path& file : {source, made, log}) fs::remove(file, ignored);
    };
    write_atomically(source.string(), what.source);
    std::vector<std::string> words{"/bin/sh", "-c", "exec \"$@\" 2>\"$0\"", log.string()};
    for (std::string& word : command_words(what.compiler, "the compiler")) words.push_back(std::move(word));
    words.insert(words.end(), {"-shared", "-fPIC", "-Dmain=rooftune_unused_main"});
    if (!what.include_folder.empty()) words.insert(words.end(), {"-iquote", what.include_folder});
    const auto add = [&](bool libraries) {
        for (const std::string& flag : what.flags) {
            if (is_library(flag) == libraries) words.push_back(flag);
        }
    };
    add(false);
    words.insert(words.end(), {source.string(), "-o", made.string()});
    add(true);
    words.emplace_back("-lm");
    const Execution run = execute(words, compile_limit(),
                                  {.folder = what.include_folder, .limit_flag = "$ROOFTUNE_COMPILE_LIMIT"});
    const std::string message = shortened(printable_lines(text_of(log)));
    if (run.end == Execution::End::exited && run.status == 0) fs::rename(made, object, error);
    clean();
    if (run.end == Execution::End::interrupted) throw EnvironmentError("interrupted while it was compiled");
    if (is_environments(message)) throw EnvironmentError(what.compiler + ": " + message);
    if (run.end != Execution::End::exited || run.status != 0)
        throw VariantError(VariantError::Kind::build,
                           what.compiler + ": " + (message.empty() ? run.detail : message));
    if (error)
        throw EnvironmentError("the compiled kernel cannot be kept in " + folder.string() + ": " +
                               error.message() +
                               "; free space, or set $ROOFTUNE_KERNEL_CACHE to another folder");
    shrink_kernel_cache(kMostKept);
    return object.string();
}

}  // namespace rooftune::external
