#include "tuner/own/check_advice.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>

#include "tuner/base/text_width.h"
#include "tuner/external/annotations.h"
#include "tuner/external/answers.h"
#include "tuner/external/declared_work.h"
#include "tuner/external/problem.h"
#include "tuner/external/program_template.h"
#include "tuner/external/source_words.h"
#include "tuner/external/variant_build.h"
#include "tuner/external/wrapped_source.h"

namespace rooftune {
namespace {

using namespace external;

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        lines.push_back(text.substr(from, end - from));
        from = end + 1;
    }
    return lines;
}

// Whether a name stands in the source besides the annotations, or in one that says what is run.
bool is_used(const Instance& instance, const std::string& name) {
    const Declaration& d = instance.declaration;
    std::string text = d.call.text + "\n" + (d.reference ? d.reference->text : "");
    for (const std::string& flag : common_flags(instance)) text += "\n" + flag;
    for (const DeclaredParameter& p : d.parameters) {
        for (const Text& value : p.values) text += "\n" + (p.kind == ParameterKind::flag ? value.text : "");
    }
    for (const std::vector<Text>* sizes : {&d.global, &d.local}) {
        for (const Text& size : *sizes) text += "\n" + size.text;
    }
    const std::string source = instance.source + "\n" + text_of_included(instance);
    std::set<int> annotated;  // lines
    for (const Text& annotation : annotations_of(source)) annotated.insert(annotation.line);
    int number = 0;
    for (const std::string_view line : lines_of(source)) {
        if (!annotated.contains(++number)) text += "\n" + std::string(line);
    }
    return has_name(text, name);
}

// What stands behind '#' and blanks; empty for other lines.
std::string_view directive_of(std::string_view line) {
    const auto skip = [&] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
    skip();
    if (!line.starts_with('#')) return {};
    line.remove_prefix(1);
    skip();
    return line;
}

// Whether the source says `#define NAME` whatever is defined before: outside of every #if and comment.
bool defines_anyway(const Instance& instance, const std::string& name) {
    int depth = 0;
    bool in_comment = false;
    for (const std::string_view line : lines_of(instance.source)) {
        if (!in_comment) {
            const std::string_view directive = directive_of(line);
            if (directive.starts_with("if")) ++depth;
            if (directive.starts_with("endif")) --depth;
            // The name's own word: `#define U T` defines another.
            const std::string_view rest = directive.starts_with("define") ? directive.substr(6) : "";
            const std::size_t begin = std::min(rest.find_first_not_of(" \t"), rest.size());
            if (depth == 0 && rest.substr(begin, rest.find_first_of(" \t(", begin) - begin) == name)
                return true;
        }
        const std::size_t opens = line.rfind("/*"), closes = line.rfind("*/");
        if (opens != std::string_view::npos && (closes == std::string_view::npos || closes < opens))
            in_comment = true;
        else if (closes != std::string_view::npos)
            in_comment = false;
    }
    return false;
}

// Whether it says of OpenMP's threads how many there are.
bool counts_threads(const Instance& instance) {
    if (has_name(instance.source, "omp_set_num_threads")) return true;
    for (const std::string_view line : lines_of(instance.source)) {
        const bool pragma = directive_of(line).starts_with("pragma") || has_name(line, "_Pragma");
        if (pragma && has_name(line, "num_threads")) return true;
    }
    return false;
}

std::vector<std::string> advice_for_program(const Instance& instance) {
    const Declaration& d = instance.declaration;
    std::vector<std::string> advice;
    std::set<std::string> used = CommandTemplate(d, *d.command, "command").names();
    if (d.build) used.merge(std::set<std::string>(CommandTemplate(d, *d.build, "build").names()));
    for (const DeclaredNumber& n : d.numbers) {
        if (!used.contains(n.name.text))
            advice.push_back("the program is not told " + n.name.text + ": write {" + n.name.text +
                             "} into its command, or it is a number for the work alone");
    }
    if (!d.verify)
        advice.emplace_back(
            "what it computes is compared with nothing: any run that ends with status 0 is right; say by "
            "`verify` which file it writes");
    return advice;
}

// Whether a value of some parameter turns OpenMP on.
bool names_openmp(const Declaration& d) {
    for (const DeclaredParameter& p : d.parameters) {
        for (const Text& value : p.values) {
            if (value.text.find("openmp") != std::string::npos) return true;
        }
    }
    return false;
}

std::vector<std::string> advice_for_source(const Instance& instance) {
    const Declaration& d = instance.declaration;
    std::vector<std::string> advice;
    const bool parallel = uses_openmp(instance) || calls_by_thread(d);
    if (parallel && !d.thread_parameter() && !d.threads)
        advice.emplace_back(
            "it can use threads, but says nothing of them, so it runs on one processor; add `parameter "
            "threads 1 all` or "
            "`threads all`");
    const std::vector<std::string> common = common_flags(instance);
    const auto holds = [&](const char* word) { return instance.source.find(word) != std::string::npos; };
    const bool others = holds("std::thread") || holds("pthread") || holds("tbb") || holds("std::execution") ||
                        !instance.included.empty();
    if ((d.thread_parameter() || d.threads) && !parallel && !others)
        advice.emplace_back(
            "threads are declared, and nothing in the source seems to make any: no pragma of OpenMP, and the "
            "call "
            "does not name `thread`");
    if ((d.thread_parameter() || d.threads) && counts_threads(instance))
        advice.emplace_back(
            "the source says how many threads there are (omp_set_num_threads, num_threads): where it does, "
            "what "
            "is declared of threads gives it processors, and no threads");
    if (uses_openmp(instance) && d.language != Language::opencl &&
        std::find(common.begin(), common.end(), "-fopenmp") == common.end() && !names_openmp(d))
        advice.emplace_back(
            "there are pragmas of OpenMP, and -fopenmp is not among the flags: they do nothing");
    if (d.flops && std::getenv("ROOFTUNE_MAX_WIDTH") != nullptr)
        advice.emplace_back(
            "flops are declared and bound nothing while ROOFTUNE_MAX_WIDTH is set: it masks vectors of our "
            "kernels, and not of yours");
    const std::string unknown = why_arithmetic_is_unknown(instance);
    if (d.flops && !unknown.empty())
        advice.push_back(
            "flops are declared and bound nothing, because of " + printable(unknown) +
            ": arithmetic of 16 bits, which may be there, is faster than the ceilings of f64 and "
            "f32; say `arithmetic f64` or `arithmetic f32`");
    if (!d.reference && !answers_are_given(instance))
        advice.emplace_back(
            "no reference is declared: variants are compared with the kernel itself, compiled plainly, which "
            "cannot "
            "find a mistake that all of them have; add `reference f_plain(…)`");
    for (const DeclaredParameter& p : d.parameters) {
        const bool macro = p.kind == ParameterKind::macro;
        if (macro && defines_anyway(instance, p.name.text))
            advice.push_back("the source defines " + p.name.text +
                             " itself, so that values of the parameter change nothing: put #ifndef " +
                             p.name.text + " and #endif around that");
        if (macro && !is_used(instance, p.name.text))
            advice.push_back("the parameter " + p.name.text + " is the macro " + p.name.text +
                             ", which stands nowhere in the source" +
                             (instance.included.empty()
                                  ? ": all of its values are one program"
                                  : " or in the files beside it that it includes: unless another "
                                    "one names it, all of its values are one program"));
    }
    const std::vector<std::string> flags = usual_flags(instance);
    if (d.flags.empty() && !flags.empty()) {
        std::string text;
        for (const std::string& flag : flags) text += " " + flag;
        std::string before;
        for (const DeclaredParameter& p : d.parameters) {
            if (p.kind == ParameterKind::flag) before += (before.empty() ? "" : ", ") + p.name.text;
        }
        advice.push_back("no flags are declared: it is compiled with" + text +
                         (before.empty()
                              ? ""
                              : ", before the values of " + before +
                                    ", which these may leave nothing to change; `flags` with other ones "
                                    "takes their place"));
    }
    return advice;
}

}  // namespace

std::vector<std::string> advice_for(const Instance& instance) {
    return instance.declaration.language == Language::program ? advice_for_program(instance)
                                                              : advice_for_source(instance);
}

}  // namespace rooftune
