// `rooftune compare BASE NEW`: has it regressed? Interleaved rounds in fresh processes, and a verdict.
#include <memory>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tuner/base/atomic_file.h"
#include "tuner/base/interrupt.h"
#include "tuner/base/standard_output.h"
#include "tuner/ceilings/probe_machine.h"
#include "tuner/command/common_flags.h"
#include "tuner/command/notices.h"
#include "tuner/formats/result_json.h"
#include "tuner/track/commands.h"
#include "tuner/track/compare_configs.h"
#include "tuner/track/compare_programs.h"
#include "tuner/track/compare_text.h"

namespace rooftune {
namespace {

using track::CompareReport;

struct CompareArguments {
    CommonFlags common;
    std::string base, candidate;
    ProgramPair programs;
    std::string control = "compute";
    CompareRules rules;
    double delta = 0.0;  ///< 0: by the machine's history
    std::vector<std::string> kernels;
    bool strict = false;
    std::string format = "text";
    std::string file;
};

bool are_programs(const CompareArguments& a) {
    return !a.programs.base.empty() || !a.programs.candidate.empty();
}

void check(const CompareArguments& a) {
    if (are_programs(a)) {
        if (a.programs.base.empty() || a.programs.candidate.empty())
            throw InputError("--command-a and --command-b belong together; give both (they may be the same)");
        if (!a.base.empty())
            throw InputError(
                "BASE and NEW are for tuned configs, --command-a and --command-b for programs; give one "
                "pair or the other");
        if (!a.kernels.empty()) throw InputError("--kernels chooses among tuned configs; programs have none");
    } else {
        if (a.base.empty() || a.candidate.empty())
            throw InputError(
                "give two tuned configs or two results folders, BASE and NEW (they may be the same), or "
                "two programs with --command-a and --command-b");
        if (a.programs.reads_time || a.control != "compute")
            throw InputError(
                "--reads-time and --control are for programs (--command-a, --command-b); of a tuned "
                "config the kernel is timed, and the ceiling that binds it is the control");
    }
    if (a.common.json && a.format != "text" && a.file.empty())
        throw InputError("--json and --format " + a.format +
                         " both want standard output; give --file a place for the "
                         "second");
}

CompareReport compare_all(const CompareArguments& a, const Registry& registry) {
    const Notice notice = notices(a.common.quiet);
    CompareReport report;
    report.machine = new_machine().id;
    if (are_programs(a)) {
        ProgramPair pair = a.programs;
        pair.control = track::control_from(a.control);
        if (auto c = compare_programs(pair, a.common, a.rules, report.machine, notice))
            report.comparisons.push_back(std::move(*c));
        return report;
    }
    // One after the other, so that of two mistakes the first that was given is named.
    const auto base = track::side_at(a.base, notice), candidate = track::side_at(a.candidate, notice);
    const track::Pairing pairing = track::pair_up(base, candidate, a.kernels);
    if (pairing.pairs.empty()) {
        throw InputError(
            "BASE " + a.base + " and NEW " + a.candidate + " have no problem in common" +
            (a.kernels.empty() ? "" : " under --kernels") +
            "; only configs of the same problem, backend and state of the caches can be compared");
    }
    report.only_base = pairing.only_base;
    report.only_candidate = pairing.only_candidate;
    for (const track::ConfigPair& pair : pairing.pairs) {
        if (interrupted()) break;
        std::optional<track::Comparison> c;
        // Of two folders one kernel must not take the others' verdicts, be it a config that is wrong or a
        // device that is not there.
        const auto failed = [&](const std::exception& error) {
            c.emplace();
            c->kernel = pair.base.config.result.title;
            c->base = pair.base.path;
            c->candidate = pair.candidate.path;
            c->judgement = track::invalid(error.what(), a.rules.delta.value_or(0.0));
        };
        try {
            c = compare_configs(pair, a.common, a.rules, report.machine, registry, notice);
        } catch (const InputError& error) {
            if (pairing.pairs.size() == 1) throw;
            failed(error);
        } catch (const EnvironmentError& error) {
            if (pairing.pairs.size() == 1) throw;
            // Ctrl-C ends workers halfway, which is no fault of theirs.
            if (interrupted()) break;
            failed(error);
        }
        if (c) report.comparisons.push_back(std::move(*c));
    }
    return report;
}

std::string formatted(const CompareReport& report, const std::string& format, bool strict) {
    if (format == "markdown") return compare_markdown(report);
    if (format == "junit") return compare_junit(report, strict);
    return compare_text(report);
}

int compare(CompareArguments a, const Registry& registry) {
    check(a);
    if (a.delta > 0.0) a.rules.delta = a.delta;
    if (!a.file.empty()) check_can_be_written(a.file);
    const CompareReport report = compare_all(a, registry);
    // First what cannot fail: a full disk must not take the verdict.
    print(a.common.json ? json_text(to_json(report))
                        : formatted(report, a.file.empty() ? a.format : "text", a.strict));
    if (!a.file.empty()) write_atomically(a.file, formatted(report, a.format, a.strict));
    return exit_status(report, a.strict);
}

}  // namespace

void add_compare_command(Command& program, const Registry& registry) {
    auto a = std::make_shared<CompareArguments>();
    Command app = program.command(
        "compare",
        "Has it regressed? Two tuned configs, results folders or programs, interleaved, with a verdict");
    app.footer(
        "Examples:\n"
        "  rooftune compare base.json new.json              two tuned configs of one problem\n"
        "  rooftune compare results/main results/local      the newest configs of each problem in two "
        "folders\n"
        "  rooftune compare --command-a './old --n 9' --command-b './new --n 9' --format markdown\n"
        "Rounds of A, B, a second A and a probe of the machine, each in a fresh process, until the interval "
        "of the\n"
        "ratio decides, 40 at most. REGRESSED and IMPROVED: beyond the threshold. UNCHANGED: proven to be "
        "within.\n"
        "INCONCLUSIVE: neither after 40 rounds. INVALID: the machine changed, A differed from itself, or an "
        "arm failed.\n"
        "Exit status: 0 done; 1 REGRESSED; 2 bad usage or input; 3 INVALID, and INCONCLUSIVE with --strict.");
    add_common(app, a->common);
    app.option("base", a->base, "The baseline: tuned config, or results folder");
    app.option("new", a->candidate, "What is compared with it: the same kind");
    app.option("--command-a", a->programs.base,
               "A program with its arguments as the baseline; quotes keep blanks, no shell reads it");
    app.option("--command-b", a->programs.candidate, "The program that is compared with it");
    app.flag("--reads-time", a->programs.reads_time,
             "A program's time is the last number that it prints, in any unit (default: it is timed whole)");
    app.option("--control", a->control,
               "What is watched beside programs: the clock (compute), the memory, or nothing")
        .one_of({"compute", "memory", "none"})
        .shows_default();
    app.option("--limit", a->rules.limit, "Seconds that one turn of an arm may take")
        .positive()
        .shows_default();
    add_delta(app, a->delta);
    app.option("--kernels", a->kernels,
               "Only tuned configs whose title or family contains one of these; several may be given");
    app.flag("--strict", a->strict, "INCONCLUSIVE is status 3 as well");
    app.option("--format", a->format, "text, markdown (for a pull request) or junit (XML)")
        .one_of({"text", "markdown", "junit"})
        .shows_default();
    app.option("--file", a->file, "File for the --format; standard output then has the text, or the JSON");
    app.runs([a, &registry] { return compare(*a, registry); });
}

}  // namespace rooftune
