// `rooftune flags CONFIG`: the compiler's flags of a tuned kernel, for a Makefile.
#include <filesystem>
#include <memory>

#include "kernels/runtime/error.h"
#include "tuner/base/command_words.h"
#include "tuner/base/standard_error.h"
#include "tuner/base/standard_output.h"
#include "tuner/base/text_width.h"
#include "tuner/engine/job.h"
#include "tuner/engine/options.h"
#include "tuner/external/declared_space.h"
#include "tuner/external/problem.h"
#include "tuner/external/program_bench.h"
#include "tuner/external/program_shell.h"
#include "tuner/external/variant_build.h"
#include "tuner/external/wrapped_source.h"
#include "tuner/formats/tuned_config.h"
#include "tuner/own/commands.h"

namespace rooftune {
namespace {

// What builds and runs the winner of a program, for a shell: nothing runs behind what failed.
std::string lines_of_program(const external::Instance& instance, const Space& space, const Variant& best,
                             int threads) {
    const int own = external::threads_of(instance, space, best, threads);
    const external::ProgramCall call = external::program_call(instance, space, best, own);
    const external::Declaration& d = instance.declaration;
    std::vector<int> cpus;
    if (d.threads || d.thread_parameter()) cpus = chosen_cpus(CommonOptions());
    if (cpus.size() > static_cast<std::size_t>(own)) cpus.resize(static_cast<std::size_t>(own));
    std::string text = "cd " + shell_word(instance.folder) + " &&\n";
    if (!call.build.empty()) text += shell_line(call.build) + " &&\n";
    return text + external::shell_command(call, cpus) + "\n";
}

// The winner's macros, for a source that includes them.
std::string header_of(const external::Instance& instance, const Space& space, const Variant& best,
                      const TuneResult& tuned) {
    std::string text = "// " + printable(tuned.title) + ": the variant that rooftune found fastest on " +
                       printable(tuned.machine_name) + ".\n#pragma once\n\n";
    for (const external::DeclaredParameter& p : instance.declaration.parameters) {
        const std::string* value = external::value_of(instance.declaration, p, space, best);
        if (!value) continue;
        if (p.kind == external::ParameterKind::macro) {
            text += "#undef " + p.name.text + "\n#define " + p.name.text + " " + *value + "\n";
        } else {
            text +=
                "// " + p.name.text + ": " + printable(*value) + " (" + std::string(to_text(p.kind)) + ")\n";
        }
    }
    return text;
}

int flags(const std::string& path, bool header) {
    const TunedConfig config = read_tuned_config(path);
    const TuneResult& tuned = config.result;
    if (tuned.family != "external")
        throw InputError(path + ": it is of the family " + tuned.family +
                         ", whose variants are built in and have no flags; this is for kernels of your own");
    if (tuned.best.empty()) throw InputError(path + ": no variant works, so that there are no flags");
    const auto problem = external::ExternalProblem::load(tuned.problem, 1e300);
    const external::Instance& instance = problem->instance();
    // A build goes on when a comment of the source was edited: without its flags it would be the slow
    // program, and make does not stop for a message.
    if (problem->digest() != tuned.digest)
        tell(instance.declaration.file +
             " has changed since it was tuned, or its document, or a file that these name: this is the "
             "winner of that time, "
             "by what is declared now; tune it again to be sure");
    Target target;
    target.threads = tuned.threads;
    const Space space = external::make_space(instance, target);
    std::string why;
    const auto best = space.from_map(tuned.best, why);
    if (!best)
        throw InputError(path + ": its variant does not exist in " + instance.declaration.file +
                         " as it is now: " + why + "; tune it again");
    if (instance.declaration.language == external::Language::program) {
        if (header)
            throw InputError(path +
                             ": it is of a program, which has no macros; without --header it says what "
                             "builds and runs it");
        print(lines_of_program(instance, space, *best, tuned.threads));
        return 0;
    }
    if (header) {
        print(header_of(instance, space, *best, tuned));
        return 0;
    }
    std::vector<std::string> words = external::flags_of(instance, space, *best);
    // The kernel is compiled in its own folder, and who uses the flags is in another. A device's compiler
    // runs in whatever folder its process has.
    if (instance.declaration.language != external::Language::opencl && !instance.path.empty())
        words =
            external::flags_from_anywhere(words, std::filesystem::path(instance.path).parent_path().string());
    print(shell_line(words) + "\n");
    // What no flag can say.
    std::string besides, environment;
    for (const external::DeclaredParameter& p : instance.declaration.parameters) {
        const bool said = p.kind == external::ParameterKind::macro || p.kind == external::ParameterKind::flag;
        const std::string* value = external::value_of(instance.declaration, p, space, *best);
        if (said || !value) continue;
        besides += (besides.empty() ? "" : ", ") + p.name.text + "=" + *value + " (" +
                   std::string(to_text(p.kind)) + ")";
        // Threads that the call itself has are no OpenMP's.
        const bool openmp = !external::calls_by_thread(instance.declaration);
        if (p.kind == external::ParameterKind::threads && openmp) environment += " OMP_NUM_THREADS=" + *value;
        if (p.kind == external::ParameterKind::environment)
            environment += " " + p.name.text + "=" + shell_word(*value);
    }
    if (!besides.empty())
        tell("beside these flags it had " + besides +
             (environment.empty() ? "" : "; to run it so:" + environment));
    return 0;
}

}  // namespace

void add_flags_command(Command& program) {
    auto config = std::make_shared<std::string>();
    auto header = std::make_shared<bool>(false);
    Command app = program.command("flags",
                                  "The compiler's flags of a tuned kernel of your own, in one line; of a "
                                  "program, what builds and runs it");
    app.footer(
        "Example, in a Makefile, which ends where there are no flags:\n"
        "  TUNED := $(shell rooftune flags results/local/tuned/mine.json || echo failed)\n"
        "  $(if $(filter failed,$(TUNED)),$(error mine.json has no flags))\n"
        "  CXXFLAGS += $(TUNED)\n"
        "In CMake, with the installed package: rooftune_tuned_flags(TARGET CONFIG).\n"
        "Of a program, for a shell: its folder, its build, its variables and its command.");
    app.option("config", *config, "Tuned config of a kernel's source, or of a program").required();
    app.flag("--header", *header, "A header with a #define for each macro, in place of flags");
    app.runs([config, header] { return flags(*config, *header); });
}

}  // namespace rooftune
