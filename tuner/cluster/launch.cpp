#include "tuner/cluster/launch.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "kernels/runtime/error.h"
#include "tuner/base/command_words.h"

namespace rooftune {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostNodes = 100000;

// A step of its own beside the one that this program may be itself, on all processors that the job has there.
// Not --unbuffered: the agent's standard output would be a terminal. Not --cpus-per-task: it implies --exact.
constexpr const char* kSlurm =
    "srun --nodelist={node} --nodes=1 --ntasks=1 --overlap --cpu-bind=none --input=0";
constexpr const char* kSsh = "ssh -o BatchMode=yes -o ServerAliveInterval=15 {node}";

bool is_name_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.' || c == '@' ||
           c == ':';
}

[[noreturn]] void no_name(const std::string& text) {
    throw InputError("--nodes: '" + text +
                     "' is no name of a node; write names between commas, like node1,node[02-04], or slurm");
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
        text.replace(at, what.size(), by);
    return text;
}

// Commas outside of brackets.
std::vector<std::string> parts_of(const std::string& text) {
    std::vector<std::string> parts(1);
    int depth = 0;
    for (const char c : text) {
        depth += c == '[' ? 1 : c == ']' ? -1 : 0;
        if (depth < 0 || depth > 1) no_name(text);
        if (c == ',' && depth == 0) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    if (depth != 0) no_name(text);
    return parts;
}

std::size_t number_of(const std::string& digits, const std::string& whole) {
    if (digits.empty() || digits.size() > 9 ||
        !std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c); }))
        no_name(whole);
    return std::stoul(digits);
}

// One part, with at most one pair of brackets.
void expand(const std::string& part, std::vector<std::string>& names) {
    const std::size_t open = part.find('['), close = part.find(']');
    const std::string before = part.substr(0, open);
    const std::string after = close == std::string::npos ? "" : part.substr(close + 1);
    const auto add = [&](const std::string& name) {
        const bool fine =
            !name.empty() && name.front() != '-' && std::all_of(name.begin(), name.end(), is_name_character);
        if (!fine || names.size() >= kMostNodes) no_name(part);
        names.push_back(name);
    };
    if (open == std::string::npos) return add(part);
    if (after.find('[') != std::string::npos) no_name(part);
    for (const std::string& range : parts_of(part.substr(open + 1, close - open - 1))) {
        const std::size_t dash = range.find('-');
        const std::string low = range.substr(0, dash);
        const std::string high = dash == std::string::npos ? low : range.substr(dash + 1);
        const std::size_t first = number_of(low, part), last = number_of(high, part);
        if (last < first || last - first >= kMostNodes) no_name(part);
        for (std::size_t i = first; i <= last; ++i) {
            std::string digits = std::to_string(i);
            if (digits.size() < low.size()) digits.insert(0, low.size() - digits.size(), '0');
            add(before + digits + after);
        }
    }
}

}  // namespace

std::vector<std::string> expanded_names(const std::string& text) {
    std::vector<std::string> names;
    for (const std::string& part : parts_of(text)) expand(part, names);
    return names;
}

std::vector<std::string> node_names(const std::string& nodes, const Variable& variable,
                                    const LinesOf& lines_of) {
    std::vector<std::string> names;
    if (nodes == "slurm") {
        const std::string list = variable("SLURM_JOB_NODELIST");
        if (list.empty())
            throw InputError(
                "--nodes slurm: this runs in no allocation ($SLURM_JOB_NODELIST is not set); ask for one "
                "with "
                "`salloc --nodes=4 --exclusive`, or put the command into a script for sbatch");
        names = lines_of({"scontrol", "show", "hostnames", list});
    } else {
        names = expanded_names(nodes);
    }
    std::vector<std::string> once;
    for (const std::string& name : names) {
        if (std::find(once.begin(), once.end(), name) != once.end())
            throw InputError("--nodes: " + name +
                             " is named twice; one node measures one thing at a time, name it once");
        once.push_back(name);
    }
    if (once.empty()) throw InputError("--nodes: no node is named");
    return once;
}

std::vector<std::string> agent_words(const ClusterOptions& options, const std::string& node,
                                     std::size_t index) {
    const std::string launcher = !options.launcher.empty()  ? options.launcher
                                 : options.nodes == "slurm" ? kSlurm
                                                            : kSsh;
    std::vector<std::string> words = command_words(launcher, "--launcher");
    for (std::string& word : words)
        word = replaced(replaced(word, "{node}", node), "{index}", std::to_string(index));
    std::string program = options.program;
    if (program.empty()) {
        std::error_code error;
        program = fs::read_symlink("/proc/self/exe", error).string();
        if (error) throw EnvironmentError("where this program lies is not known; say it by --node-program");
    }
    // ssh joins what it is told by blanks and hands that to a shell.
    const bool by_shell = fs::path(words.front()).filename() == "ssh";
    words.push_back(by_shell ? shell_word(program) : program);
    words.push_back("agent");
    return words;
}

}  // namespace rooftune
