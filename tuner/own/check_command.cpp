// `rooftune check mine.cpp`: what the annotations of a source say, whether it compiles, and whether the
// variant that stands there gives the reference's answer can be tried. Nothing is measured.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tuner/base/interrupt.h"
#include "tuner/base/si.h"
#include "tuner/base/standard_output.h"
#include "tuner/base/table.h"
#include "tuner/base/text_width.h"
#include "tuner/ceilings/probe_machine.h"
#include "tuner/command/common_flags.h"
#include "tuner/engine/job.h"
#include "tuner/external/declared_space.h"
#include "tuner/external/declared_work.h"
#include "tuner/external/problem.h"
#include "tuner/external/variant_build.h"
#include "tuner/own/commands.h"

namespace rooftune {
namespace {

using namespace external;

struct CheckArguments {
    std::string file;
    std::vector<std::string> pieces;
    bool json = false;
};

std::string direction_of(const DeclaredArray& a) {
    return a.direction == Direction::in ? "in" : a.direction == Direction::out ? "out" : "inout";
}

// What was compiled, or the compiler's messages.
struct Compiled {
    std::string what, command, failure;
};

Compiled tried(const std::string& what, const Compilation& compilation) {
    Compiled result{what, compilation.compiler, ""};
    for (const std::string& flag : compilation.flags) {
        if (!flag.starts_with("-Wl,")) result.command += " " + flag;  // of ours, which say nothing here
    }
    try {
        compiled(compilation);
    } catch (const VariantError& error) {
        result.failure = error.what();
    }
    return result;
}

std::string arrays_text(const Instance& instance) {
    Table table({{"array", Align::left},
                 {"", Align::left},
                 {"elements", Align::right},
                 {"bytes", Align::right},
                 {"holds", Align::left},
                 {"must move", Align::left}});
    for (std::size_t i = 0; i < instance.counts.size(); ++i) {
        const DeclaredArray& a = instance.declaration.arrays[i];
        const double bytes =
            static_cast<double>(instance.counts[i]) * static_cast<double>(bytes_of(a.element));
        table.add({a.name.text, direction_of(a),
                   format_count(instance.counts[i]) + " " + std::string(to_text(a.element)),
                   format_si(bytes, "B"),
                   a.direction == Direction::out ? "poison before a call"
                   : a.fill                      ? a.fill->text
                                                 : "random numbers",
                   a.all ? "all of it" : "nothing is claimed"});
    }
    return table.to_text();
}

std::string parameters_text(const Instance& instance, const Space& space, const Variant& first) {
    Table table(
        {{"parameter", Align::left}, {"values", Align::left}, {"", Align::left}, {"exists", Align::left}});
    for (const DeclaredParameter& p : instance.declaration.parameters) {
        const int index = space.find(p.name.text);
        std::string values;
        for (const ParameterValue& v : space.parameters()[static_cast<std::size_t>(index)].values)
            values += (values.empty() ? "" : " ") +
                      (v.text.find(' ') == std::string::npos ? v.text : "\"" + v.text + "\"");
        table.add({p.name.text, values,
                   p.kind == ParameterKind::threads ? "a number of threads"
                                                    : "of kind " + std::string(to_text(p.kind)),
                   p.when ? "when " + p.when->text : "always"});
    }
    if (table.empty())
        return "No parameters: there is one variant, whose speed is held against the machine's.\n";
    return table.to_text() + "\n" +
           wrap("Space: " +
                format_plural(static_cast<std::int64_t>(space.count(PartialVariant())), "variant") +
                ". As the source stands: " + space.to_text(first) + ".") +
           "\n";
}

std::string work_text(const Instance& instance, const WorkModel& model, const Space& space,
                      const Variant& first, int threads) {
    const Work least = model.work(PartialVariant()), stands = model.work(first);
    std::string text = "Work of one call, at least: ";
    const Declaration& d = instance.declaration;
    if (!d.flops) {
        text += "no flops are declared, so that arithmetic bounds nothing and no flop/s are told";
    } else {
        text += format_si(least.total.ops.value, "flop");
        if (stands.total.ops.value != least.total.ops.value)
            text += " (" + format_si(stands.total.ops.value, "flop") + " as the source stands)";
    }
    text += fmt::format("; {} read and {} written", format_si(least.traffic.reads.value, "B"),
                        format_si(least.traffic.writes.value, "B"));
    const bool moves = least.traffic.reads.value + least.traffic.writes.value > 0.0;
    if (!moves) text += " (no array is marked `all`, so that memory bounds nothing)";
    text += fmt::format(". It runs on {} at most.",
                        format_plural(threads_of(instance, space, PartialVariant(), threads), "processor"));
    return wrap(text) + "\n";
}

std::vector<std::string> advice(const Instance& instance) {
    const Declaration& d = instance.declaration;
    std::vector<std::string> advice;
    const bool parallel = instance.source.find("#pragma omp") != std::string::npos || calls_by_thread(d);
    if (parallel && !d.thread_parameter() && !d.threads)
        advice.emplace_back(
            "it can use threads, but says nothing of them, so it runs on one processor; add `parameter "
            "threads 1 all` or "
            "`threads all`");
    if (!d.reference)
        advice.emplace_back(
            "no reference is declared: variants are compared with the kernel itself, compiled plainly, which "
            "cannot "
            "find a mistake that all of them have; add `reference f_plain(…)`");
    const std::vector<std::string> flags = usual_flags(instance);
    if (d.flags.empty()) {
        std::string text;
        for (const std::string& flag : flags) text += " " + flag;
        advice.push_back("no flags are declared: it is compiled with" + text);
    }
    return advice;
}

int check(const CheckArguments& a) {
    ProblemSpec spec{{"source", a.file}};
    for (const std::string& piece : a.pieces) add_to_spec(piece, spec);
    const auto problem = ExternalProblem::load(spec, available_memory());
    const Instance& instance = problem->instance();
    const int threads = static_cast<int>(chosen_cpus(CommonOptions()).size());
    Target target;
    target.threads = threads;
    const Space space = make_space(instance, target);
    const Variant first = first_variant(instance, space);
    const auto model = make_work_model(instance, space, target, State::warm);
    std::vector<Compiled> builds{tried("as the source stands", compilation_of(instance, space, first))};
    if (builds.front().failure.empty() && !interrupted())
        builds.push_back(
            tried(instance.declaration.reference ? "the reference" : "the kernel as its own reference",
                  reference_compilation(instance, space, first)));
    bool fine = true;
    for (const Compiled& build : builds) fine = fine && build.failure.empty();
    if (a.json) {
        nlohmann::ordered_json document{{"source", a.file},
                                        {"title", problem->title()},
                                        {"variants", space.count(PartialVariant())},
                                        {"first", space.to_map(first)},
                                        {"flops", model->work(PartialVariant()).total.ops.value},
                                        {"bytes_read", model->work(PartialVariant()).traffic.reads.value},
                                        {"bytes_written", model->work(PartialVariant()).traffic.writes.value},
                                        {"advice", advice(instance)},
                                        {"builds", nlohmann::ordered_json::array()}};
        for (const Compiled& build : builds)
            document["builds"].push_back(
                {{"what", build.what}, {"command", build.command}, {"failure", build.failure}});
        print(document.dump(2) + "\n");
        return fine ? 0 : 1;
    }
    std::string text =
        wrap(printable(problem->title()) + ", called as `" + instance.declaration.call.text + "`.") + "\n\n";
    text += arrays_text(instance) + "\n" + parameters_text(instance, space, first) + "\n" +
            work_text(instance, *model, space, first, threads) + "\n";
    for (const Compiled& build : builds) {
        text += build.failure.empty() ? wrap("Compiles " + build.what + ": " + build.command) + "\n"
                                      : wrap("Does not compile " + build.what + ": " + build.command) +
                                            "\n\n" + wrap(build.failure) + "\n";
    }
    for (const std::string& line : advice(instance)) text += "\n" + wrap("Note: " + line + ".") + "\n";
    std::string words = a.file;
    for (const std::string& piece : a.pieces) words += " " + piece;
    if (fine)
        text += "\n" +
                wrap("Next: `rooftune tune " + words + "` measures; with --dry-run it shows bounds alone.") +
                "\n";
    print_page(text);
    return fine ? 0 : 1;
}

}  // namespace

void add_check_command(Command& program) {
    auto a = std::make_shared<CheckArguments>();
    Command app = program.command(
        "check", "Says what the annotations of a kernel's source mean, and whether it compiles");
    app.footer(
        "Examples:\n"
        "  rooftune check mine.cpp            sizes as declared\n"
        "  rooftune check mine.cpp n=1e6      another size\n"
        "Nothing is measured, and the kernel is not run.\n"
        "Exit status: 0 it can be tuned; 1 it does not compile; 2 an annotation is wrong; 3 there is no "
        "compiler.");
    app.option("file", a->file, "C or C++ source with annotations").required();
    app.option("sizes", a->pieces, "Sizes as key=value[,key=value…] in place of those declared");
    app.flag("--json", a->json, "One JSON document");
    app.runs([a] { return check(*a); });
}

}  // namespace rooftune
