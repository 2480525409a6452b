#include "tuner/command/common_flags.h"

#include "kernels/runtime/error.h"
#include "tuner/base/atomic_file.h"
#include "tuner/base/standard_output.h"

namespace rooftune {

void add_delta(Command& app, double& delta) {
    app.option(
           "--delta", delta,
           "Threshold as a fraction of the time (default: 1 %, or what this machine's noise asks for; 3 % "
           "until it is known from 100 comparisons)")
        .range(1e-6, 1.0);
}

namespace {

void add_common_before_threads(Command& app, CommonFlags& options) {
    app.flag("--json", options.json,
             "One JSON document on standard output; progress and logs on standard error");
    app.flag("--quiet", options.quiet, "No progress bar and no notices");
    app.option("--seed", options.seed, "Seed of everything drawn at random").shows_default();
    app.option("--machine", options.machine,
               "Machine file, or the name of one in configs/machines (default: this machine, measured)");
}

void add_common_after_threads(Command& app, CommonFlags& options) {
    app.option("--cpus", options.cpus, "Processors to use, like 0,2-3 (default: all this process may use)");
    app.option("--backend", options.backend, "Where variants run (default: cpu, or what the job says)")
        .one_of({"cpu", "opencl"});
    app.option("--device", options.device,
               "OpenCL device by index, id or part of its name (default: the first; `rooftune list "
               "devices` shows them)");
    app.option("--state", options.state, "Caches at the start of a repetition")
        .one_of({"warm", "cold"})
        .shows_default();
    app.option(
        "--results", options.results,
        "Folder of the store and the measured machines (default: results/local of the checkout; installed: "
        "~/.local/state/rooftune)");
    app.option("--out", options.out,
               "Folder for tuned configs, headers and plots (default: tuned/ in the results folder)");
}

}  // namespace

void add_common(Command& app, CommonFlags& options) {
    add_common_before_threads(app, options);
    app.option("--threads", options.threads, "Most threads to use (default: all)").range(1, 65536);
    add_common_after_threads(app, options);
}

void add_common(Command& app, CommonFlags& options, std::string& threads) {
    add_common_before_threads(app, options);
    app.option("--threads", threads,
               "Most threads to use (default: all); several numbers, like 1,2,4, are tuned for one after the "
               "other, each with the whole budget and a config of its own");
    add_common_after_threads(app, options);
}

void add_text_file(Command& app, std::string& file) {
    app.option("--file", file, "Also write the text to this file; standard output may then have the JSON");
}

void check_text_file(const std::string& file) {
    if (!file.empty()) check_can_be_written(file);
}

void answer(const CommonFlags& flags, const std::string& file, const std::string& document,
            const std::string& text) {
    // Whichever of the two cannot be written, the other one has the answer.
    const auto write = [&] {
        if (!file.empty()) write_atomically(file, text);
    };
    try {
        if (flags.json) {
            print(document);
        } else {
            print_page(text);
        }
    } catch (const EnvironmentError&) {
        write();
        throw;
    }
    write();
}

void add_program_flags(Command& app, CommonFlags& options) {
    app.flag("--json", options.json,
             "One JSON document on standard output; progress and logs on standard error");
    app.flag("--quiet", options.quiet, "No progress bar and no notices");
    app.option("--seed", options.seed, "Seed of the order of the arms").shows_default();
    app.option("--threads", options.threads, "Use only so many processors (default: all)").range(1, 65536);
    app.option("--cpus", options.cpus, "Processors to use, like 0,2-3 (default: all this process may use)");
    app.option(
        "--results", options.results,
        "Folder of the store and of this machine's noise (default: the one that `rooftune tune` uses)");
}

}  // namespace rooftune
