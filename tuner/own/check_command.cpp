// `rooftune check mine.cpp`: what the annotations of a source say, whether it compiles, and whether the
// variant that stands there gives the reference's answer can be tried. Nothing is measured.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "kernels/runtime/opencl.h"
#include "tuner/base/command_words.h"
#include "tuner/base/page_width.h"
#include "tuner/base/si.h"
#include "tuner/base/standard_output.h"
#include "tuner/base/table.h"
#include "tuner/base/text_width.h"
#include "tuner/ceilings/probe_machine.h"
#include "tuner/chart/phrases.h"
#include "tuner/command/common_flags.h"
#include "tuner/command/described_program.h"
#include "tuner/engine/job.h"
#include "tuner/engine/machine_model.h"
#include "tuner/external/answers.h"
#include "tuner/external/declared_space.h"
#include "tuner/external/declared_work.h"
#include "tuner/external/family.h"
#include "tuner/external/problem.h"
#include "tuner/external/program_bench.h"
#include "tuner/external/program_template.h"
#include "tuner/external/variant_build.h"
#include "tuner/formats/schema_kind.h"
#include "tuner/own/check_advice.h"
#include "tuner/own/check_bounds.h"
#include "tuner/own/commands.h"
#include "tuner/own/trial_builds.h"

namespace rooftune {
namespace {

using namespace external;

struct CheckArguments {
    std::string file;
    std::vector<std::string> pieces;
    CommonOptions common;  ///< device and folder of the results
    ProgramFlags program;
    bool json = false;
};

std::string direction_of(const DeclaredArray& a) {
    return a.direction == Direction::in ? "in" : a.direction == Direction::out ? "out" : "inout";
}

// Line by line, as the compiler set them: what stands below what says more than the words do.
std::string messages_text(const std::string& messages) {
    std::string text;
    for (std::size_t from = 0; from < messages.size();) {
        const std::size_t end = std::min(messages.find('\n', from), messages.size());
        const std::string line = messages.substr(from, end - from);
        text += (display_width(line) <= page_width() ? line : wrap(line)) + "\n";
        from = end + 1;
    }
    return text;
}

std::string arrays_text(const Instance& instance) {
    Table table({{"array", Align::left},
                 {"direction", Align::left},
                 {"elements", Align::right},
                 {"bytes", Align::right},
                 {"holds", Align::left},
                 {"must move", Align::left}});
    for (std::size_t i = 0; i < instance.counts.size(); ++i) {
        const DeclaredArray& a = instance.declaration.arrays[i];
        const double bytes =
            static_cast<double>(instance.counts[i]) * static_cast<double>(bytes_of(a.element));
        table.add(
            {a.name.text, direction_of(a),
             format_count(instance.counts[i]) + " " + std::string(to_text(a.element)), format_si(bytes, "B"),
             a.direction == Direction::out
                 ? (a.file ? "after a call " + a.file->text : "poison before a call")
             : a.fill        ? a.fill->text
             : a.file        ? a.file->text
             : a.matrix >= 0 ? instance.declaration.matrices[static_cast<std::size_t>(a.matrix)].file.text
                             : "random numbers",
             a.all ? "all of it" : "nothing is claimed"});
    }
    return table.to_text();
}

// Rules as they were understood, and what each does; a bar of theirs would be a column in a table.
std::string rules_text(const Instance& instance, const Space& space) {
    const char* of_others = space.constraints().size() > 1 ? " that the other rules allow" : "";
    std::string text;
    for (const RuleEffect& rule : rule_effects(instance, space)) {
        std::string does;
        if (rule.of_sizes) {
            does = " holds for these sizes and names no parameter";
        } else if (rule.left_out) {
            does = *rule.left_out == 0
                       ? " leaves out nothing"
                       : " leaves out " + format_plural(static_cast<std::int64_t>(*rule.left_out), "variant");
            does += of_others;
        }
        text += list_item("where " + printable(rule.text) + (does.empty() ? "" : ":" + does));
    }
    return text;
}

std::string parameters_text(const Instance& instance, const Space& space, const Variant& first) {
    Table table({{"parameter", Align::left},
                 {"values", Align::left},
                 {"meaning", Align::left},
                 {"exists", Align::left}});
    for (const DeclaredParameter& p : instance.declaration.parameters) {
        const int index = space.find(p.name.text);
        std::string values;
        for (const ParameterValue& v : space.parameters()[static_cast<std::size_t>(index)].values)
            values += (values.empty() ? "" : " ") + listed_value(v.text);
        table.add({p.name.text, values, meaning_of(p.kind, p.name.text),
                   p.when ? "when " + p.when->text : "always"});
    }
    const std::string rules = rules_text(instance, space);
    if (table.empty())
        return "No parameters: there is one variant, whose speed is held against the machine's.\n" +
               (rules.empty() ? "" : "\n" + rules);
    return table.to_text() + "\n" + rules + (rules.empty() ? "" : "\n") +
           wrap("Space: " +
                format_plural(static_cast<std::int64_t>(space.count(PartialVariant())), "variant") +
                (instance.declaration.language == Language::program ? ". The first: "
                                                                    : ". As the source stands: ") +
                variant_assignment(space.to_map(first)) + ".") +
           "\n";
}

nlohmann::ordered_json rules_json(const Instance& instance, const Space& space) {
    nlohmann::ordered_json rules = nlohmann::ordered_json::array();
    for (const RuleEffect& rule : rule_effects(instance, space)) {
        rules.push_back({{"where", rule.text}, {"left_out", nullptr}});
        if (rule.left_out) rules.back()["left_out"] = *rule.left_out;
    }
    return rules;
}

// Whether flops are declared by which nothing is bound.
bool is_unbound(const Declaration& d) {
    return d.language == Language::program && !d.arithmetic;
}

// For which what is declared of caches is told.
constexpr Bytes kOneCache{1024.0 * 1024.0};

std::string work_text(const Instance& instance, const WorkModel& model, const Space& space,
                      const Variant& first, const Target& target) {
    const Work least = model.work(PartialVariant()), stands = model.work(first);
    const Declaration& d = instance.declaration;
    const bool is_program = d.language == Language::program;
    std::string text = fmt::format("Work of one {}, at least: ", is_program ? "run" : "call");
    if (!d.flops) {
        text += "no flops are declared, so that arithmetic bounds nothing and no flop/s are told";
    } else if (is_unbound(d)) {
        text += format_si(least.flops_nominal.value, "flop") +
                " (which bound nothing: without `arithmetic f64` or `f32` nobody knows where a program "
                "computes, and in what)";
    } else {
        text += format_si(least.total.ops.value, "flop");
        if (stands.total.ops.value != least.total.ops.value)
            text += " (" + format_si(stands.total.ops.value, "flop") +
                    (is_program ? " of the first variant)" : " as the source stands)");
    }
    text += fmt::format("; {} read and {} written", format_si(least.traffic.reads.value, "B"),
                        format_si(least.traffic.writes.value, "B"));
    if (least.traffic.declared) {
        const auto beyond = [](const Work& work) {
            return format_si(work.traffic.reads_beyond(kOneCache).value, "B") + " read and " +
                   format_si(work.traffic.writes_beyond(kOneCache).value, "B") + " written";
        };
        text += "; beyond a cache of 1 MiB " + beyond(least);
        if (beyond(stands) != beyond(least))
            text +=
                " (" + beyond(stands) + (is_program ? " of the first variant)" : " as the source stands)");
    }
    const bool moves = least.traffic.declared || least.traffic.sum_beyond(Bytes(0.0)).value > 0.0;
    if (!moves)
        text += is_program ? " (neither `reads` nor `writes` is declared, so that memory bounds nothing)"
                           : " (no array is marked `all`, so that memory bounds nothing)";
    const int threads = threads_of(instance, space, PartialVariant(), target.threads);
    text += d.language == Language::opencl
                ? ". It runs on " + target.device.name + "."
                : fmt::format(". It runs on {} at most.", format_plural(threads, "processor"));
    return wrap(text) + "\n";
}

// How a program is run, timed and judged.
std::string program_text(const Instance& instance, const ProgramCall& first) {
    const Declaration& d = instance.declaration;
    std::string text = "It runs in " + instance.folder + ".";
    if (!first.build.empty())
        text += " Built by `" + shell_line(first.build) + "`, before variants are timed.";
    text += d.time ? " Its time is what it prints: " + d.time->text + "."
                   : " Its time is that from its start to its end.";
    text += first.verify.empty() ? " A run is right that ends with status 0."
                                 : " A run is right that ends with status 0 and leaves in " + first.verify +
                                       " what the first variant does.";
    return wrap(printable(text)) + "\n";
}

struct Checked {
    std::string text;
    nlohmann::ordered_json document;
    bool fine = true;  ///< it compiles
};

// `words` name it to `rooftune tune`; in a document they are the problem's source.
Checked checked(const ProblemSpec& spec, const std::string& words, const CheckArguments& a) {
    const auto problem = ExternalProblem::load(spec, available_memory());
    const Instance& instance = problem->instance();
    const std::vector<int> cpus = chosen_cpus(CommonOptions());
    Machine machine;
    CheckedBounds bounds;
    try {
        machine = this_machine(a.common);
    } catch (const InputError& error) {
        // What bounds stand on; the rest of the answer needs none.
        machine.topology = read_topology();
        bounds.failure = error.what();
    }
    Target target = target_on(machine.topology, usable_widths(), static_cast<int>(cpus.size()));
    const bool device = instance.declaration.language == Language::opencl;
    if (device) {
        target.backend = Backend::opencl;
        target.device = pick_device(opencl_devices(cpus), a.common.device);
        target.threads = target.device.compute_units;
    }
    const Space space = make_space(instance, target);
    const Variant first = first_variant(instance, space);
    const auto model = make_work_model(instance, space, target, State::warm);
    if (bounds.failure.empty()) bounds = check_bounds(space, *model, first, machine, target);
    const bool is_program = instance.declaration.language == Language::program;
    ProgramCall call;
    if (is_program)
        call = program_call(instance, space, first, threads_of(instance, space, first, target.threads));
    const std::vector<TrialBuild> builds = trial_builds(instance, space, target);
    Checked result;
    bool& fine = result.fine;
    for (const TrialBuild& build : builds) fine = fine && build.failure.empty();
    if (a.json) {
        const Work least = model->work(PartialVariant());
        nlohmann::ordered_json& document = result.document;
        document = {
            {"source", words},
            {"title", problem->title()},
            {"variants", space.count(PartialVariant())},
            {"first", space.to_map(first)},
            {"rules", rules_json(instance, space)},
            {"flops", is_unbound(instance.declaration) ? least.flops_nominal.value : least.total.ops.value},
            {"bytes_read", least.traffic.reads.value},
            {"bytes_written", least.traffic.writes.value},
            {"bounds", bounds_json(bounds)},
            {"advice", advice_for(instance)},
            {"builds", nlohmann::ordered_json::array()}};
        if (least.traffic.declared)
            document["beyond"] = {{"cache_bytes", kOneCache.value},
                                  {"bytes_read", least.traffic.reads_beyond(kOneCache).value},
                                  {"bytes_written", least.traffic.writes_beyond(kOneCache).value}};
        for (const TrialBuild& build : builds)
            document["builds"].push_back(
                {{"what", build.what}, {"command", build.command}, {"failure", build.failure}});
        return result;
    }
    std::string& text = result.text;
    text = wrap(printable(problem->title() + (is_program ? ", run as `" : ", called as `") +
                          (is_program ? shell_line(call.command) : instance.declaration.call.text) + "`.")) +
           "\n\n";
    text += (is_program ? program_text(instance, call) : arrays_text(instance)) + "\n" +
            parameters_text(instance, space, first) + "\n" +
            work_text(instance, *model, space, first, target) + wrap(bounds_text(bounds, target)) + "\n" +
            (builds.empty() ? "" : "\n");
    const std::string builds_it = is_program ? "Builds " : "Compiles ";
    const std::string does_not = is_program ? "Does not build " : "Does not compile ";
    for (const TrialBuild& build : builds) {
        text += build.failure.empty() ? wrap(builds_it + build.what + ": " + build.command) + "\n"
                                      : wrap(does_not + build.what + ": " + build.command) + "\n\n" +
                                            messages_text(build.failure) + "\n";
    }
    for (const std::string& line : advice_for(instance)) text += "\n" + wrap("Note: " + line + ".") + "\n";
    if (fine)
        text += "\n" +
                wrap("Next: `rooftune tune " + words + "` measures; with --dry-run it shows bounds alone.") +
                "\n";
    return result;
}

bool is_job(const std::string& file) {
    const bool is_file = file.ends_with(".json") && file.find(".json#/") == std::string::npos;
    return is_file && claims_to_be(read_json_file(file), "rooftune/job/1");
}

// The kernels of the user's own among the problems of a job.
int check_job(const CheckArguments& a) {
    if (!a.pieces.empty())
        throw InputError(a.file + ": is a job file, whose problems have sizes of their own; leave " +
                         a.pieces.front() + " out");
    const Registry families = all_families();
    nlohmann::ordered_json document = nlohmann::ordered_json::array();
    std::string text;
    bool fine = true;
    for (const Job& job : read_jobs(a.file, families).jobs) {
        if (job.family->name() != "external") continue;
        const auto source = job.problem.find("source");
        Checked one = checked(job.problem,
                              a.json && source != job.problem.end() ? source->second : "--job " + a.file, a);
        fine = fine && one.fine;
        document.push_back(std::move(one.document));
        text += (text.empty() ? "" : "\n") + one.text;
    }
    if (text.empty() && document.empty())
        throw InputError(a.file +
                         ": none of its problems is a kernel of your own, so that there is nothing to "
                         "check; `rooftune tune --dry-run --job " +
                         a.file + "` shows bounds");
    if (a.json) {
        print(document.dump(2) + "\n");
    } else {
        print_page(text);
    }
    return fine ? 0 : 1;
}

int check(const CheckArguments& a) {
    const bool is_described = a.program.any();
    if (!is_described && is_job(a.file)) return check_job(a);
    std::vector<std::string> pieces = a.pieces;
    ProblemSpec spec{{"source", a.file}};
    std::string words = a.file;
    if (is_described) {
        if (!a.file.empty()) pieces.insert(pieces.begin(), a.file);
        spec = job_described(a.program, pieces, all_families()).problem;
        words = a.json ? a.file : "…";
    } else if (a.file.empty()) {
        throw InputError(
            "name a source, as in `rooftune check mine.cpp`, or describe a program by --command");
    } else {
        for (const std::string& piece : pieces) add_to_spec(piece, spec);
        for (const std::string& piece : a.pieces) words += a.json ? "" : " " + piece;
    }
    const Checked result = checked(spec, words, a);
    if (a.json) {
        print(result.document.dump(2) + "\n");
    } else {
        print_page(result.text);
    }
    return result.fine ? 0 : 1;
}

}  // namespace

void add_check_command(Command& program) {
    auto a = std::make_shared<CheckArguments>();
    Command app = program.command(
        "check", "Says what the annotations of a kernel's source mean and bound, and whether it compiles");
    app.footer(
        "Examples:\n"
        "  rooftune check mine.cpp            sizes as declared\n"
        "  rooftune check mine.cpp n=1e6      another size\n"
        "  rooftune check mine.rooftune       the description of a program\n"
        "  rooftune check mine.json           the description of a kernel beside its source, or a T1 file\n"
        "  rooftune check job.json            the kernels of a job file\n"
        "Nothing is measured, and the kernel is not run.\n"
        "Exit status: 0 it can be tuned; 1 it does not compile; 2 an annotation is wrong; 3 there is no "
        "compiler.");
    app.option("file", a->file,
               "C, C++ or OpenCL source with annotations, the description of a program, or a JSON file that "
               "describes "
               "either");
    app.option("sizes", a->pieces, "Sizes as key=value[,key=value…] in place of those declared");
    add_program_description(app, a->program);
    app.option("--where", a->program.rules,
               "A rule on its parameters and sizes, like 'tile <= n'; may be given several times")
        .one_value_each();
    app.option("--device", a->common.device,
               "OpenCL device, by number, id or part of its name (`rooftune list devices`)");
    app.option("--results", a->common.results,
               "Folder of the machine that bounds are of (default: the one that `rooftune tune` uses)");
    app.flag("--json", a->json, "One JSON document");
    app.runs([a] { return check(*a); });
}

}  // namespace rooftune
