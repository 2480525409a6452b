// `rooftune compare BASE NEW`: has it regressed? Interleaved rounds in fresh processes, and a verdict.
#include <algorithm>
#include <filesystem>
#include <iterator>
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
#include "tuner/track/baselines.h"
#include "tuner/track/commands.h"
#include "tuner/track/compare_configs.h"
#include "tuner/track/compare_programs.h"
#include "tuner/track/compare_svg.h"
#include "tuner/track/compare_text.h"
#include "tuner/track/program_sets.h"
#include "tuner/track/read_history.h"

namespace rooftune {
namespace {

using track::CompareReport;

struct CompareArguments {
    CommonFlags common;
    std::string base, candidate, baseline;
    ProgramWish programs;
    CompareRules rules;
    double delta = 0.0;  ///< 0: by the machine's history
    std::vector<std::string> kernels;
    bool strict = false;
    std::string format = "text";
    std::string file, svg;
};

void check_programs(const CompareArguments& a) {
    if (!a.base.empty())
        throw InputError(
            "BASE and NEW are for tuned configs, --command, --command-a and --command-b for programs; "
            "give one pair or the other");
    if (!a.kernels.empty()) throw InputError("--kernels chooses among tuned configs; programs have none");
    if (!a.baseline.empty())
        throw InputError(
            "--baseline has tuned configs, and programs have none; build what is to be run "
            "again, and name it with --command-a");
}

void check_configs(const CompareArguments& a) {
    if (!a.baseline.empty()) {
        if (!a.candidate.empty())
            throw InputError("with --baseline only NEW is given, since the baseline is BASE; leave out " +
                             a.base);
        track::check_baseline_name(a.baseline, "--baseline");
    } else if (a.base.empty() || a.candidate.empty()) {
        throw InputError(
            "give two tuned configs or two results folders, BASE and NEW (they may be the same), or "
            "--baseline with a name that was recorded, or two programs with --command-a and --command-b, or "
            "more with --command");
    }
    const std::string flag = a.programs.first_flag();
    if (!flag.empty())
        throw InputError(
            flag +
            " is for programs (--command, --command-a, --command-b); of a tuned config the kernel is "
            "timed in a process that has run it before, and the ceiling that binds it is the control");
}

void check(const CompareArguments& a) {
    if (a.programs.any_command()) {
        check_programs(a);
    } else {
        check_configs(a);
    }
    if (a.common.json && a.format != "text" && a.file.empty())
        throw InputError("--json and --format " + a.format +
                         " both want standard output; give --file a place for the "
                         "second");
}

// The pairs of two sides, or of a baseline and what there is now.
track::Pairing pairing_of(const CompareArguments& a, const std::string& machine, const Notice& notice) {
    const std::string under =
        std::string(a.kernels.empty() ? "" : " under --kernels") +
        "; only configs of the same problem, backend and state of the caches can be compared";
    if (a.baseline.empty()) {
        // One after the other, so that of two mistakes the first that was given is named.
        const auto base = track::side_at(a.base, notice), candidate = track::side_at(a.candidate, notice);
        track::Pairing pairing = track::pair_up(base, candidate, a.kernels);
        if (pairing.pairs.empty())
            throw InputError("BASE " + a.base + " and NEW " + a.candidate + " have no problem in common" +
                             under);
        return pairing;
    }
    const std::string folder = results_folder(a.common);
    const std::string store = (std::filesystem::path(folder) / "rooftune.db").string();
    const auto then = track::baseline_configs(track::read_history(store, notice),
                                              {a.baseline, machine, a.kernels, store}, notice);
    const std::string now = a.base.empty() ? folder : a.base;
    track::Pairing pairing = track::pair_with_baseline(then, track::side_at(now, notice), a.kernels);
    if (pairing.pairs.empty())
        throw InputError("the baseline " + a.baseline + " and NEW " + now + " have no problem in common" +
                         under);
    return pairing;
}

std::vector<Cost> costs_of(const track::Pairing& pairing) {
    const auto known = [](const TuneResult& r) { return VariantCost{r.seconds.median, r.prepare_seconds}; };
    std::vector<Cost> costs;
    for (const track::ConfigPair& pair : pairing.pairs)
        costs.push_back(
            cost_of_variants(known(pair.base.config.result), known(pair.candidate.config.result)));
    return costs;
}

// So many of those that are left have been compared: they are in order.
void made(CompareReport& report, std::size_t count) {
    report.left.erase(report.left.begin(), report.left.begin() + static_cast<std::ptrdiff_t>(count));
}

void compare_programs_into(CompareReport& report, const CompareArguments& a) {
    const std::vector<ProgramSet> sets = program_sets(a.programs);
    MeasuringScreen screen("comparing", "combination", sets.size(), a.common.quiet);
    report.together = sets.front().together;
    report.pairs_together = sets.front().pairs_together;
    report.scanned = sets.size() > 1;
    for (const ProgramSet& set : sets) {
        for (const track::Comparison& c : unmeasured_comparisons(set, "", 0.0))
            report.left.push_back({c.kernel, c.setting});
    }
    for (const ProgramSet& set : sets) {
        if (interrupted()) return;
        std::optional<ProgramsCompared> compared;
        // One point of a scan must not take the others' verdicts.
        const auto failed = [&](const std::exception& error) {
            compared.emplace();
            compared->comparisons = unmeasured_comparisons(set, error.what(), a.rules.delta.value_or(0.0));
        };
        try {
            screen.next(set.title.empty() ? set.arms.front().text : set.title);
            compared = compare_programs(set, a.common, a.rules, report.machine, screen);
        } catch (const InputError& error) {
            if (sets.size() == 1) throw;
            failed(error);
        } catch (const EnvironmentError& error) {
            if (sets.size() == 1) throw;
            // Ctrl-C ends programs halfway, which is no fault of theirs.
            if (interrupted()) return;
            failed(error);
        }
        if (!compared) return;
        made(report, compared->comparisons.size());
        if (compared->ranking) {
            compared->ranking->first = report.comparisons.size();
            report.rankings.push_back(std::move(*compared->ranking));
        }
        std::move(compared->comparisons.begin(), compared->comparisons.end(),
                  std::back_inserter(report.comparisons));
    }
}

CompareReport compare_all(const CompareArguments& a, const Registry& registry) {
    const Notice notice = notices(a.common.quiet);
    CompareReport report;
    report.machine = new_machine().id;
    if (a.programs.any_command()) {
        compare_programs_into(report, a);
        return report;
    }
    const track::Pairing pairing = pairing_of(a, report.machine, notice);
    report.only_base = pairing.only_base;
    report.only_candidate = pairing.only_candidate;
    for (const track::ConfigPair& pair : pairing.pairs)
        report.left.push_back(track::name_of(pair.base.config.result));
    MeasuringScreen screen("comparing", "pair", pairing.pairs.size(), a.common.quiet);
    screen.expects(costs_of(pairing));
    for (const track::ConfigPair& pair : pairing.pairs) {
        if (interrupted()) break;
        screen.next(report.left.front().title + report.left.front().setting);
        std::optional<track::Comparison> c;
        // Of two folders one kernel must not take the others' verdicts, be it a config that is wrong or a
        // device that is not there.
        const auto failed = [&](const std::exception& error) {
            c.emplace();
            c->kernel = pair.base.config.result.title;
            c->setting = track::name_of(pair.base.config.result).setting;
            c->base = pair.base.path;
            c->candidate = pair.candidate.path;
            c->judgement = track::invalid(error.what(), a.rules.delta.value_or(0.0));
        };
        try {
            c = compare_configs(pair, a.common, a.rules, report.machine, registry, screen);
        } catch (const InputError& error) {
            if (pairing.pairs.size() == 1) throw;
            failed(error);
        } catch (const EnvironmentError& error) {
            if (pairing.pairs.size() == 1) throw;
            // Ctrl-C ends workers halfway, which is no fault of theirs.
            if (interrupted()) break;
            failed(error);
        }
        if (!c) break;
        report.comparisons.push_back(std::move(*c));
        made(report, 1);
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
    if (!a.svg.empty()) check_can_be_written(a.svg);
    const CompareReport report = compare_all(a, registry);
    const auto write_files = [&] {
        // What Ctrl-C left nothing of must not take the place of an earlier answer.
        if (interrupted() && report.comparisons.empty()) return;
        if (!a.file.empty()) write_atomically(a.file, formatted(report, a.format, a.strict));
        if (!a.svg.empty()) write_atomically(a.svg, draw_comparison(report).svg);
    };
    // Whichever of them cannot be written, the others have the verdict.
    try {
        if (a.common.json) {
            print(json_text(to_json(report)));
        } else if (a.format != "text" && a.file.empty()) {
            print(formatted(report, a.format, a.strict));
        } else {
            print_page(compare_text(report));
        }
    } catch (const EnvironmentError&) {
        write_files();
        throw;
    }
    write_files();
    return exit_status(report, a.strict);
}

}  // namespace

void add_compare_command(Command& program, const Registry& registry) {
    auto a = std::make_shared<CompareArguments>();
    Command app = program.command(
        "compare",
        "Has it regressed? Tuned configs, results folders or programs, interleaved, with a verdict");
    app.footer(
        "Examples:\n"
        "  rooftune compare base.json new.json              two tuned configs of one problem\n"
        "  rooftune compare results/main results/local      the newest configs of each problem in two "
        "folders\n"
        "  rooftune compare --baseline v1.2                 variants of then and of now, both by this build\n"
        "  rooftune compare --command-a './old --n 9' --command-b './new --n 9' --format markdown\n"
        "  rooftune compare --command './v1' --command './v2' --command './v3'      three in the same "
        "rounds\n"
        "  rooftune compare --command './new --threads {n}' --parameter n=1:8       from 1 thread to 8\n"
        "Rounds of A, B, a second A and a probe of the machine, each in a fresh process, until the interval "
        "of the\n"
        "ratio decides, 40 at most. REGRESSED and IMPROVED: beyond the threshold. UNCHANGED: proven to be "
        "within.\n"
        "INCONCLUSIVE: neither after 40 rounds. INVALID: the machine changed, A differed from itself, or an "
        "arm failed.\n"
        "Of several arms, or values of a parameter, intervals are wide enough to hold together, and 20 "
        "rounds "
        "are the least.\n"
        "Of one --command with a --parameter no value is the older one: each is FASTER or SLOWER than the "
        "first, "
        "and the\n"
        "fastest is told.\n"
        "Exit status: 0 done; 1 REGRESSED; 2 bad usage or input; 3 INVALID, and INCONCLUSIVE with --strict.");
    add_common(app, a->common);
    app.option("base", a->base, "The baseline: tuned config, or results folder");
    app.option("new", a->candidate, "What is compared with it: the same kind");
    app.option("--baseline", a->baseline,
               "In place of BASE the tuned configs that `track record --baseline NAME` kept: the variants of "
               "then, run again with the kernels of this build, so that a change of the kernels themselves "
               "shows in `track report` only. NEW is then the only argument (default: the results folder)");
    app.option("--command-a", a->programs.base,
               "A program with its arguments as the baseline; quotes keep blanks, no shell reads it");
    app.option("--command-b", a->programs.candidate, "The program that is compared with it");
    app.option(
           "--command", a->programs.commands,
           "In their place 2 to 16 programs, one a flag, or a single one with --parameter: the first is the "
           "baseline, all take turns in the same rounds, and the fastest is told")
        .one_value_each();
    app.option("--parameter", a->programs.parameters,
               "Values for {NAME} in the programs: NAME=1:10, NAME=1:10:3 (a step) or NAME=a,b,c. Of one "
               "--command each value is an arm, the first the baseline, and there are 2 to 16; else each "
               "value is a comparison, 64 at most. Several make all combinations. A value is read as if it "
               "stood there; quote {NAME} to keep blanks")
        .one_value_each();
    app.option("--prepare", a->programs.prepare,
               "A program to run before each turn of each program, not timed; it may have {NAME} too");
    app.option("--warmup", a->programs.warmup,
               "Turns of each program before the first round that are thrown away, besides the first run of "
               "all")
        .range(0, 1000)
        .shows_default();
    app.flag("--reads-time", a->programs.reads_time,
             "A program's time is the last number that it prints, in any unit (default: it is timed whole)");
    app.option("--control", a->programs.control,
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
    app.option("--svg", a->svg,
               "Write a plot of every turn of every arm to this file, with medians and their intervals");
    app.runs([a, &registry] { return compare(*a, registry); });
}

}  // namespace rooftune
