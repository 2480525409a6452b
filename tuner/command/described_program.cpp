#include "tuner/command/described_program.h"

#include <filesystem>

#include "kernels/runtime/error.h"
#include "tuner/external/program_problem.h"

namespace rooftune {

void add_program_description(Command& app, external::ProgramFlags& flags) {
    app.option("--command", flags.command,
               "A program to tune as it is, like './bench --tile {tile}': {NAME} stands for a parameter's or "
               "size's value; no shell reads it (docs/own-kernels.md)");
    app.option("--build", flags.build, "What builds it, like 'make -B TILE={tile}'");
    app.option(
           "--parameter", flags.parameters,
           "A parameter of it as name=value,value,… or name=8:512:x2, a value that has a comma in quotes; "
           "`threads` is their number; may be given several times")
        .one_value_each();
    app.option("--environment", flags.environment,
               "The same, handed to it as a variable of the environment; may be given several times")
        .one_value_each();
    app.option("--size", flags.sizes, "A size of its problem as name=number; may be given several times")
        .one_value_each();
    app.option("--real", flags.reals, "A number of its problem that need not be whole").one_value_each();
    app.option(
        "--time", flags.time,
        "The time of a run: wall (the default), printed (the last number that it prints), or a regular "
        "expression whose first group is the number");
    app.option("--verify", flags.verify,
               "What tells that a run was right: 'exit status' (the default: it is 0), or a file that it "
               "writes, compared with the first variant's");
    app.option("--tolerance", flags.tolerance, "Relative, of numbers in that file (default: 1e-6)");
    app.option("--flops", flags.flops, "Its floating-point operations at least, like '2*n^3'");
    app.option("--reads", flags.reads, "Distinct bytes that it reads at least");
    app.option("--writes", flags.writes, "Distinct bytes that it writes at least");
    app.option("--arithmetic", flags.arithmetic, "What all of its arithmetic is in: f64 or f32");
}

Job job_described(const external::ProgramFlags& flags, const std::vector<std::string>& words,
                  const Registry& registry) {
    Job job;
    job.family = &family_named(registry, "external");
    for (const std::string& word : words) {
        if (word.find('=') == std::string::npos)
            throw InputError("--command describes a program, and " + word +
                             " names another problem; give one of them");
        add_to_spec(word, job.problem);
    }
    job.problem[external::kDescriptionKey] = external::composed_description(flags);
    job.problem[external::kFolderKey] = std::filesystem::current_path().string();
    return job;
}

}  // namespace rooftune
