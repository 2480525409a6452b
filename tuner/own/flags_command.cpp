// `rooftune flags CONFIG`: the compiler's flags of a tuned kernel, for a Makefile.
#include <memory>

#include "kernels/runtime/error.h"
#include "tuner/base/standard_error.h"
#include "tuner/base/standard_output.h"
#include "tuner/engine/job.h"
#include "tuner/external/declared_space.h"
#include "tuner/external/problem.h"
#include "tuner/external/variant_build.h"
#include "tuner/formats/tuned_config.h"
#include "tuner/own/commands.h"

namespace rooftune {
namespace {

// A word as a shell reads it.
std::string quoted(const std::string& word) {
    constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+./,:@%";
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

int flags(const std::string& path) {
    const TunedConfig config = read_tuned_config(path);
    const TuneResult& tuned = config.result;
    if (tuned.family != "external")
        throw InputError(path + ": it is of the family " + tuned.family +
                         ", whose variants are built in and have no flags; this is for kernels of your own");
    if (tuned.best.empty()) throw InputError(path + ": no variant works, so that there are no flags");
    const auto problem = external::ExternalProblem::load(tuned.problem, 1e300);
    const external::Instance& instance = problem->instance();
    if (problem->digest() != tuned.digest)
        throw InputError(path + ": " + instance.declaration.file +
                         " is not the source that was tuned; tune it again");
    Target target;
    target.threads = tuned.threads;
    const Space space = external::make_space(instance, target);
    std::string why;
    const auto best = space.from_map(tuned.best, why);
    if (!best) throw InputError(path + ": its variant does not exist in the source: " + why);
    std::string line;
    for (const std::string& flag : external::flags_of(instance, space, *best))
        line += (line.empty() ? "" : " ") + quoted(flag);
    print(line + "\n");
    // What no flag can say.
    std::string besides;
    for (const external::DeclaredParameter& p : instance.declaration.parameters) {
        const bool said = p.kind == external::ParameterKind::macro || p.kind == external::ParameterKind::flag;
        const std::string* value = external::value_of(instance.declaration, p, space, *best);
        if (said || !value) continue;
        besides += (besides.empty() ? "" : ", ") + p.name.text + "=" + *value + " (" +
                   std::string(to_text(p.kind)) + ")";
    }
    if (!besides.empty()) tell("beside these flags it had " + besides);
    return 0;
}

}  // namespace

void add_flags_command(Command& program) {
    auto config = std::make_shared<std::string>();
    Command app = program.command("flags", "The compiler's flags of a tuned kernel of your own, in one line");
    app.footer(
        "Example, in a Makefile:\n"
        "  CXXFLAGS += $(shell rooftune flags tuned/mine.json)");
    app.option("config", *config, "Tuned config of a kernel's source").required();
    app.runs([config] { return flags(*config); });
}

}  // namespace rooftune
