#include "tests/structure/includes.h"

#include <algorithm>
#include <array>
#include <regex>

namespace rooftune::structure {
namespace {

std::string part(std::string_view path, int index) {
    for (; index > 0; --index) {
        const auto slash = path.find('/');
        if (slash == std::string_view::npos) return {};
        path.remove_prefix(slash + 1);
    }
    const auto slash = path.find('/');
    // The last part is a file's name, not a folder's.
    return slash == std::string_view::npos ? std::string() : std::string(path.substr(0, slash));
}

// Why a file may not include the other; empty when it may.
std::string objection(const std::string& from, const std::string& to) {
    const std::string top = part(from, 0), other = part(to, 0);
    if (top == "tests") return {};
    if (other == "tests") return "only tests include tests";
    if (top == "models" && other != "models") return "models include only models";
    if (top == "kernels" && other == "tuner") return "kernels include only kernels and models";
    // What programs link, which is not the tuner.
    const bool plans = top == "tuner" && part(from, 1) == "plans";
    if (other == "tuner") {
        if (part(to, 1) == "plans") return plans ? "" : "nothing of the project is built on plans";
        if (plans && part(to, 1) != "base" && part(to, 1) != "formats" && part(to, 1) != "choose")
            return "of the tuner, plans know only base, formats and choose: programs link them";
    }
    if (other != "kernels") return {};

    const std::string area = part(from, 1), target = part(to, 1);
    const bool to_family = !target.empty() && target != "runtime" && target != "probe" &&
                           target != "contract" && target != "sparse";
    if (plans) return target == "probe" ? "plans measure nothing" : "";
    if (top == "tuner") return to_family ? "the tuner knows families through kernels/registry.h only" : "";
    if (target == "runtime" || (!area.empty() && target == area)) return {};
    if (area == "runtime") return "kernels/runtime includes only itself and models";
    if (area == "sparse") return "kernels/sparse includes only itself and runtime";
    if (target == "sparse") return area == "probe" || area == "contract" ? "it has no matrices" : "";
    if (area == "contract") return "the contract includes only runtime and models";
    if (area == "probe") return "kernels/probe includes only itself, runtime and models";
    if (area.empty()) {
        if (to_family && to != "kernels/" + target + "/family.h")
            return "a family is entered through its family.h";
        return target == "probe" ? "families and the probe do not know each other" : "";
    }
    if (target == "probe") return "families and the probe do not know each other";
    if (to_family) return "families do not include each other";
    return to == "kernels/registry.h" ? "a family does not know the registry" : "";
}

// Some libraries ask for quotes round their own headers, as in "hwy/highway.h".
bool is_of_a_library(const Tree& tree, const File& from, const std::string& target) {
    const std::string top = part(target, 0);
    const bool ours = top.empty() || top.starts_with('.') || !tree.folders_in(top).empty() ||
                      top == "tests" || top == "models" || top == "kernels" || top == "tuner";
    return !ours && tree.find(from.folder() + "/" + target) == nullptr;
}

bool is_own_code(const File& file) {
    return file.is_code() && (file.below("models") || file.below("kernels") || file.below("tuner"));
}

}  // namespace

std::vector<Include> includes_of(const File& file) {
    static const std::regex kInclude(
        R"(^\s*#\s*(?:include|define\s+HWY_TARGET_INCLUDE)\s*([<"])([^>"]+)[>"].*)");
    std::vector<Include> found;
    for (const Line& line : lines_of(file.text)) {
        std::match_results<std::string_view::const_iterator> match;
        if (!std::regex_match(line.text.begin(), line.text.end(), match, kInclude)) continue;
        found.push_back({line.number, match[1].str() == "\"", match[2].str()});
    }
    return found;
}

Complaints include_arrows(const Tree& tree) {
    Complaints complaints;
    for (const File& file : tree.files()) {
        if (!is_own_code(file)) continue;
        for (const Include& include : includes_of(file)) {
            if (!include.quoted) continue;
            const std::string where =
                file.path + ":" + std::to_string(include.line) + ": \"" + include.target + "\": ";
            if (tree.find(include.target) == nullptr) {
                if (is_of_a_library(tree, file, include.target)) continue;
                complaints.push_back(where + "no such file; includes are written from the root");
            } else if (const std::string why = objection(file.path, include.target); !why.empty()) {
                complaints.push_back(where + why);
            }
        }
    }
    return complaints;
}

Complaints models_are_pure(const Tree& tree) {
    static constexpr std::array kImpure{
        "filesystem",   "fstream",     "iostream",   "istream",
        "ostream",      "atomic",      "barrier",    "condition_variable",
        "future",       "latch",       "mutex",      "semaphore",
        "shared_mutex", "stop_token",  "thread",     "pthread.h",
        "sched.h",      "fcntl.h",     "unistd.h",   "hwloc.h",
        "sqlite3.h",    "x86intrin.h", "arm_neon.h",
    };
    static constexpr std::array<std::string_view, 7> kImpureFolders{"hwy/", "tbb/",   "oneapi/",  "sys/",
                                                                    "CL/",  "linux/", "nlohmann/"};
    // <cstdio> is there for snprintf.
    static const std::regex kCalls(R"(\b(printf|fprintf|puts|fopen|getenv|system)\s*\()");
    Complaints complaints;
    for (const File& file : tree.files()) {
        if (!file.below("models") || !file.is_code()) continue;
        for (const Line& line : lines_of(file.text)) {
            const std::string code(line.text.substr(0, line.text.find("//")));
            std::smatch match;
            if (!std::regex_search(code, match, kCalls)) continue;
            complaints.push_back(file.path + ":" + std::to_string(line.number) + ": " + match[1].str() +
                                 "(): models are arithmetic, without input and output");
        }
        for (const Include& include : includes_of(file)) {
            const std::string_view target = include.target;
            const bool impure = std::find(kImpure.begin(), kImpure.end(), target) != kImpure.end() ||
                                target.ends_with("mmintrin.h") || target == "immintrin.h" ||
                                std::any_of(kImpureFolders.begin(), kImpureFolders.end(),
                                            [&](auto f) { return target.starts_with(f); });
            if (!impure) continue;
            complaints.push_back(file.path + ":" + std::to_string(include.line) + ": <" + include.target +
                                 ">: models are arithmetic, without input and output, threads or SIMD");
        }
    }
    return complaints;
}

}  // namespace rooftune::structure
