#include "tuner/external/problem.h"

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <set>

#include "kernels/runtime/error.h"
#include "tuner/base/command_words.h"
#include "tuner/base/text_file.h"
#include "tuner/base/text_hash.h"
#include "tuner/external/answers.h"
#include "tuner/external/declared_space.h"
#include "tuner/external/declared_work.h"
#include "tuner/external/example.h"
#include "tuner/external/functions.h"
#include "tuner/external/kernel_document.h"
#include "tuner/external/program_problem.h"
#include "tuner/formats/tune_result.h"

namespace rooftune::external {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostSource = std::size_t{4} << 20;

// What is included by "name", and by what is included so: a change of them is a change of the kernel. Names
// that only a compiler can work out (macros, <…>) are left to it.
void visit_included(const std::string& source, const fs::path& folder, std::set<std::string>& seen,
                    const std::function<void(const fs::path& file, const std::string& text)>& visit) {
    for (std::size_t from = 0; from < source.size();) {
        const std::size_t end = std::min(source.find('\n', from), source.size());
        std::string_view line = std::string_view(source).substr(from, end - from);
        from = end + 1;
        const auto skip_blanks = [&] {
            line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        };
        skip_blanks();
        if (!line.starts_with('#')) continue;
        line.remove_prefix(1);
        skip_blanks();
        if (!line.starts_with("include")) continue;
        const std::size_t open = line.find('"');
        const std::size_t close = open == std::string_view::npos ? open : line.find('"', open + 1);
        if (close == std::string_view::npos) continue;
        const fs::path file =
            (folder / std::string(line.substr(open + 1, close - open - 1))).lexically_normal();
        std::error_code error;
        if (!fs::is_regular_file(file, error) || !seen.insert(file.string()).second) continue;
        const std::string text = read_text_file(file.string(), kMostSource);
        visit(file, text);
        visit_included(text, file.parent_path(), seen, visit);
    }
}

std::string hash_of_included(const std::string& source, const std::string& path) {
    TextHash hash;
    std::set<std::string> seen;
    if (path.empty()) return "";
    visit_included(source, fs::path(path).parent_path(), seen,
                   [&](const fs::path& file, const std::string& text) {
                       hash.add(file.filename().string());
                       hash.add(text);
                   });
    return seen.empty() ? "" : hash.text();
}

std::string shown(double value) {
    return fmt::format("{:.17g}", value);
}

void append(std::string& text, const std::string& part) {
    text += std::to_string(part.size()) + ' ' + part;
}

std::string take(const std::string& text, std::size_t& at) {
    std::size_t bytes = 0;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9')
        bytes = 10 * bytes + static_cast<std::size_t>(text[at++] - '0');
    if (at == text.size() || text[at] != ' ' || bytes > text.size() - at - 1)
        throw EnvironmentError("the descriptor does not hold a kernel of this build");
    const std::string part = text.substr(at + 1, bytes);
    at += 1 + bytes;
    return part;
}

// `path` is the source's: files that it names lie beside it.
Instance with_sizes(const std::string& source, const std::string& file, const std::string& path,
                    const ProblemSpec& sizes, double available, std::vector<GivenMatrix> matrices = {}) {
    Instance instance = instance_of(declaration_from(source, file), sizes, available,
                                    fs::path(path).parent_path().string(), std::move(matrices));
    instance.source = source;
    return instance;
}

// The same where a document adds to what the source says.
Instance with_document(const KernelDocument& document, const std::string& source, const ProblemSpec& sizes,
                       double available, std::vector<GivenMatrix> matrices = {}) {
    std::vector<Text> lines = annotations_of(source);
    lines.insert(lines.end(), document.lines.begin(), document.lines.end());
    const fs::path path = document.source;
    Instance instance =
        instance_of(declaration_of(lines, path.filename().string(), document.language, document.place), sizes,
                    available, path.parent_path().string(), std::move(matrices));
    instance.source = source;
    instance.path = document.source;
    return instance;
}

Instance of_document(const KernelDocument& document, const ProblemSpec& sizes, double available) {
    Instance instance;
    if (document.language == Language::program) {
        instance = program_instance(document, sizes, available);
    } else {
        instance = with_document(document, read_text_file(document.source, kMostSource), sizes, available);
        instance.included = hash_of_included(instance.source, instance.path);
    }
    instance.document = document.reference;
    instance.document_place = document.place;
    instance.document_lines = document.lines;
    return instance;
}

}  // namespace

ExternalProblem::ExternalProblem(Instance instance)
    : instance_(std::move(instance)), flops_(nominal_flops(instance_)) {}

void ExternalProblem::hold_folder() const {
    if (!instance_.build_state.empty() && !lock_) lock_ = lock_folder(instance_.folder);
}

std::unique_ptr<ExternalProblem> ExternalProblem::load(const ProblemSpec& spec, double available) {
    if (const auto source = spec.find("source"); source != spec.end() && names_document(source->second)) {
        ProblemSpec sizes = spec;
        sizes.erase("source");
        return std::unique_ptr<ExternalProblem>(
            new ExternalProblem(of_document(kernel_document(source->second), sizes, available)));
    }
    if (names_program(spec))
        return std::unique_ptr<ExternalProblem>(new ExternalProblem(program_instance(spec, available)));
    ProblemSpec sizes = spec;
    const auto given = sizes.extract("source");
    if (const auto function = spec.find(kFunctionKey); given.empty() && function != spec.end())
        throw InputError("'" + function->second +
                         "' is a function of the program that tuned it (rooftune/kernel.h), and nothing else "
                         "can run it; run that program again");
    if (given.empty())
        throw InputError(
            "external: 'source' is missing; name the kernel's source, as in `rooftune tune mine.cpp`");
    const std::string& path = given.mapped();
    if (path == kExample) {
        Instance instance = with_sizes(example_source(), "example.cpp", "", sizes, available);
        return std::unique_ptr<ExternalProblem>(new ExternalProblem(std::move(instance)));
    }
    if (path == kOpenclExample && !fs::exists(path)) {
        Instance instance = with_sizes(opencl_example_source(), path, "", sizes, available);
        return std::unique_ptr<ExternalProblem>(new ExternalProblem(std::move(instance)));
    }
    if (!language_of(path))
        throw InputError(
            path +
            ": no source that can be compiled here; its name ends in .c, .cc, .cpp, .cxx, .C or .cl "
            "(or in .rooftune: the description of a program, or in .json: the description of either)");
    std::error_code error;
    const std::optional<Language> language = language_of(path);
    if (!fs::exists(path, error) && language && *language != Language::c)
        throw InputError(
            path + ": cannot be opened: No such file or directory; check the path, or let `rooftune new " +
            shell_word(path) + "` write an example there to start from");
    const std::string source = read_text_file(path, kMostSource);
    const fs::path absolute = fs::absolute(path).lexically_normal();
    Instance instance = with_sizes(source, absolute.filename().string(), absolute.string(), sizes, available);
    instance.path = absolute.string();
    instance.included = hash_of_included(source, instance.path);
    return std::unique_ptr<ExternalProblem>(new ExternalProblem(std::move(instance)));
}

std::unique_ptr<ExternalProblem> ExternalProblem::of_functions(const Instance& instance) {
    return std::unique_ptr<ExternalProblem>(new ExternalProblem(instance));
}

std::string ExternalProblem::shared() const {
    std::string text;
    append(text, instance_.path);
    append(text, instance_.declaration.file);
    append(text, instance_.source);
    append(text, instance_.included);
    append(text, instance_.folder);
    append(text, instance_.build_state);
    append(text, instance_.contents);
    append(text, instance_.document);
    append(text, instance_.document_place.flag);
    append(text, std::to_string(static_cast<int>(instance_.declaration.language)));
    append(text, std::to_string(instance_.document_lines.size()));
    for (const Text& line : instance_.document_lines) {
        append(text, line.text);
        append(text, line.flag);
    }
    append(text, std::to_string(instance_.matrices.size()));
    for (const GivenMatrix& matrix : instance_.matrices) append(text, packed(matrix));
    for (const auto& [name, value] : spec()) {
        if (name == "source" || name == kDescriptionKey || name == kFolderKey) continue;
        append(text, name);
        append(text, value);
    }
    return text;
}

std::unique_ptr<ExternalProblem> ExternalProblem::from_shared(const std::string& text, double available) {
    std::size_t at = 0;
    const std::string path = take(text, at), file = take(text, at), source = take(text, at);
    const std::string included = take(text, at), folder = take(text, at), build_state = take(text, at);
    const std::string contents = take(text, at);
    KernelDocument document;
    document.reference = take(text, at);
    document.place = {"", 0, 0, take(text, at)};
    document.language = static_cast<Language>(std::stoi(take(text, at)));
    document.lines.resize(std::stoul(take(text, at)));
    for (Text& line : document.lines) {
        line = {take(text, at), 1, 1};
        line.flag = take(text, at);
    }
    document.source = path;
    document.name = file;
    std::vector<GivenMatrix> matrices(std::stoul(take(text, at)));
    for (GivenMatrix& matrix : matrices) matrix = unpacked(take(text, at));
    ProblemSpec sizes;
    while (at < text.size()) {
        const std::string name = take(text, at);
        sizes[name] = take(text, at);
    }
    Instance instance =
        !document.reference.empty()
            ? folder.empty() ? with_document(document, source, sizes, available, std::move(matrices))
                             : described_instance(document, sizes, available)
        : folder.empty() ? with_sizes(source, file, path, sizes, available, std::move(matrices))
                         : described_instance(source, path, file, sizes, available);
    if (instance.contents != contents)
        throw EnvironmentError(file + ": a file that its arrays are read from has changed; tune it again");
    instance.path = path;
    instance.included = included;
    instance.folder = folder;
    instance.build_state = build_state;
    instance.document = document.reference;
    instance.document_place = document.place;
    instance.document_lines = document.lines;
    return std::unique_ptr<ExternalProblem>(new ExternalProblem(std::move(instance)));
}

ProblemSpec ExternalProblem::spec() const {
    const bool opencl = instance_.declaration.language == Language::opencl;
    ProblemSpec spec{{"source", !instance_.path.empty() ? instance_.path
                                : opencl                ? kOpenclExample
                                                        : kExample}};
    if (instance_.declaration.language == Language::function)
        spec = {{kFunctionKey, instance_.declaration.file}};
    else if (instance_.path.empty() && !instance_.folder.empty())
        spec = {{kDescriptionKey, instance_.source}, {kFolderKey, instance_.folder}};
    if (!instance_.document.empty()) spec = {{"source", instance_.document}};
    for (const DeclaredNumber& n : instance_.declaration.numbers) {
        if (n.matrix < 0) spec[n.name.text] = shown(instance_.numbers.at(n.name.text));
    }
    for (std::size_t m = 0; m < instance_.matrices.size(); ++m)
        spec[instance_.declaration.matrices[m].name.text] = instance_.matrices[m].path;
    return spec;
}

std::string text_of_included(const Instance& instance) {
    std::string all;
    std::set<std::string> seen;
    if (!instance.path.empty())
        visit_included(instance.source, fs::path(instance.path).parent_path(), seen,
                       [&](const fs::path&, const std::string& text) { all += text + "\n"; });
    return all;
}

std::string ExternalProblem::title() const {
    // Several documents may describe functions of one source, and several kernels stand in one job file.
    const std::string last = instance_.document.substr(instance_.document.rfind('/') + 1);
    const bool in_a_job = instance_.document.find('#') != std::string::npos;
    const std::string own = in_a_job ? last : fs::path(last).stem().string();
    std::string text = instance_.declaration.file;
    if (!own.empty() && own != fs::path(text).stem().string()) text += " " + own;
    const char* between = " ";
    for (const GivenMatrix& matrix : instance_.matrices) {
        std::string name = fs::path(matrix.path).filename().string();
        text += between + name.substr(0, name.find(".mtx"));
        between = ",";
    }
    for (const DeclaredNumber& n : instance_.declaration.numbers) {
        if (n.matrix >= 0) continue;
        text += fmt::format("{}{}={:.10g}", between, n.name.text, instance_.numbers.at(n.name.text));
        between = ",";
    }
    return text;
}

std::string ExternalProblem::digest() const {
    TextHash hash;
    hash.add(instance_.source);
    hash.add(instance_.included);
    // The same text is another program in another language.
    if (instance_.declaration.language == Language::c) hash.add("c");
    // Functions have no text that would tell one kernel from another.
    if (instance_.declaration.language == Language::function) hash.add(instance_.declaration.file);
    if (!instance_.contents.empty()) hash.add(instance_.contents);
    for (const Text& line : instance_.document_lines) hash.add(line.text);
    for (const auto& [name, value] : instance_.numbers) {
        hash.add(name);
        hash.add(shown(value));
    }
    return hash.text();
}

std::vector<std::pair<std::string, double>> ExternalProblem::facts() const {
    std::vector<std::pair<std::string, double>> facts;
    for (const DeclaredNumber& n : instance_.declaration.numbers)
        facts.emplace_back(n.name.text, instance_.numbers.at(n.name.text));
    facts.emplace_back("array_bytes", static_cast<double>(instance_.bytes_of_arrays()));
    return facts;
}

std::string ExternalProblem::verified_by() const {
    const Declaration& d = instance_.declaration;
    if (d.language == Language::program) return verified_by_program(d);
    if (d.language == Language::function) return verified_by_functions(d);
    return d.reference || answers_are_given(instance_) ? "" : std::string(kVerifiedByItself);
}

DType ExternalProblem::dtype() const {
    return arithmetic_type(instance_);
}

}  // namespace rooftune::external
