#include "tuner/external/t1_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "tuner/external/cursor.h"
#include "tuner/external/document_lines.h"
#include "tuner/external/t1_arguments.h"
#include "tuner/formats/json_message.h"

namespace rooftune::external {
namespace {

namespace fs = std::filesystem;
using ValueKind = PythonValue::Kind;

// Beside the document, or in the folder above, where collections keep the sources of several.
std::string kernel_file(StrictObject& kernel, const std::string& folder) {
    const std::string name = one_line(kernel, "KernelFile");
    std::error_code error;
    for (const fs::path& path : {fs::path(folder) / name, fs::path(folder).parent_path() / name}) {
        if (fs::is_regular_file(path, error)) return path.lexically_normal().string();
    }
    json_fault(kernel.file(), kernel.pointer_to("KernelFile"),
               "there is no file " + (fs::path(folder) / name).lexically_normal().string() +
                   "; its name is relative to the document's folder");
}

void check_is_opencl(StrictObject& kernel) {
    const std::string language = kernel.text("Language");
    if (language == "OpenCL") return;
    json_fault(
        kernel.file(), kernel.pointer_to("Language"),
        "kernels in " + shortened(language) +
            " cannot be run here, where OpenCL is the language of devices; translate the kernel, and "
            "write \"Language\": \"OpenCL\" (what its program prints of its own time can be tuned with "
            "`rooftune tune --command`)");
}

class T1Reader {
public:
    T1Reader(const Json& document, const std::string& file, KernelDocument& d)
        : top_(document, file), d_(d) {}

    void read() {
        StrictObject kernel = top_.object("KernelSpecification");
        check_is_opencl(kernel);
        d_.language = Language::opencl;
        d_.source = kernel_file(kernel, d_.folder);
        problem_size(kernel);
        StrictObject space = top_.object("ConfigurationSpace");
        for (StrictObject& p : space.objects("TuningParameters")) parameter(p);
        if (space.has("Conditions")) {
            for (StrictObject& c : space.objects("Conditions")) condition(c);
        }
        space.finish();
        specification(kernel);
        // What is searched how, for how long, and written where, is said on our own command line.
        for (const char* key : {"General", "Search", "Budget", "Metadata", "BenchmarkConfig", "$schema"})
            top_.has(key);
        top_.finish();
    }

private:
    void add(const StrictObject& at, std::string_view key, std::string line) {
        d_.lines.push_back({std::move(line), 1, 1, place_of_key(at, key)});
    }

    // Sizes of the problem may be named by expressions, as ProblemSize[0].
    void problem_size(StrictObject& kernel) {
        if (!kernel.has("ProblemSize")) return;
        const Json& size = kernel.value("ProblemSize");
        const auto one = [&](const Json& v) {
            if (!v.is_number_integer())
                kernel.fail("ProblemSize", "a whole number, or an array of one to three");
            return value_of(kernel, "ProblemSize", v);
        };
        if (!size.is_array()) {
            problem_ = {one(size)};
            names_.values["ProblemSize"] = problem_.front();
            return;
        }
        if (size.empty() || size.size() > 3)
            kernel.fail("ProblemSize", "a whole number, or an array of one to three");
        for (const Json& v : size) problem_.push_back(one(v));
        names_.values["ProblemSize"] = {ValueKind::list, 0, 0.0, "", problem_};
    }

    static PythonValue values_of(StrictObject& p) {
        const Json& written = p.value("Values");
        if (written.is_string()) {
            const std::string text = one_line(p, "Values");
            PythonValue found =
                with_python(p, "Values", text, [](const Python& e) { return python_value(e); });
            if (found.kind != ValueKind::list)
                json_fault(p.file(), p.pointer_to("Values"),
                           "\"" + shortened(text) + "\" is no list; write one, like \"[1, 2, 4]\"");
            return found;
        }
        if (!written.is_array()) p.fail("Values", "a list as a text, like \"[1, 2, 4]\", or an array");
        PythonValue list{ValueKind::list, 0, 0.0, "", {}};
        for (const Json& v : written) list.elements.push_back(value_of(p, "Values", v));
        return list;
    }

    static PythonValue value_of(StrictObject& p, const char* key, const Json& v) {
        if (v.is_boolean()) return {ValueKind::truth, v.get<bool>(), v.get<bool>() ? 1.0 : 0.0};
        constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
        if (v.is_number_unsigned() && v.get<std::uint64_t>() > kMost)
            json_fault(
                p.file(), p.pointer_to(key),
                "the number " + v.dump() + " is larger than 64 bits hold with a sign; write a smaller one");
        if (v.is_number_integer()) return {ValueKind::whole, v.get<std::int64_t>(), v.get<double>()};
        if (v.is_number()) return {ValueKind::real, 0, v.get<double>()};
        if (!v.is_string()) p.fail(key, "numbers, truths or texts");
        return {ValueKind::text, 0, 0.0, v.get<std::string>()};
    }

    static void check_type(StrictObject& p, const PythonValue& v, const std::string& type) {
        const bool is_it = type == "string"  ? v.kind == ValueKind::text
                           : type == "float" ? v.is_number()
                           : type == "bool"  ? v.kind == ValueKind::truth || (v.kind == ValueKind::whole &&
                                                                             (v.whole == 0 || v.whole == 1))
                                             : v.kind == ValueKind::whole && (type == "int" || v.whole >= 0);
        if (is_it) return;
        json_fault(p.file(), p.pointer_to("Values"),
                   "the value " + shortened(v.kind == ValueKind::list ? "[…]" : macro_text(v)) +
                       " is none of the type " + type + "; change one of them");
    }

    void parameter(StrictObject& p) {
        const std::string name = one_line(p, "Name");
        if (!is_name(name)) p.fail("Name", "a name of letters, digits and _, which a macro can have");
        if (names_.numbers.contains(name) || names_.texts.contains(name))
            json_fault(p.file(), p.pointer_to("Name"),
                       "there is a parameter '" + name + "' already; give one of them another name");
        const std::string type = p.one_of("Type", {"int", "uint", "float", "bool", "string"});
        std::vector<PythonValue> values = values_of(p).elements;
        if (values.empty()) p.fail("Values", "at least one value");
        for (const PythonValue& v : values) check_type(p, v, type);
        // The one that is used without tuning is what others are held against.
        if (p.has("Default")) {
            const PythonValue given = value_of(p, "Default", p.value("Default"));
            const std::string wanted = macro_text(given);
            auto found = std::find_if(values.begin(), values.end(),
                                      [&](const PythonValue& v) { return macro_text(v) == wanted; });
            // In JSON 2.0 is often written 2.
            if (found == values.end() && given.is_number())
                found = std::find_if(values.begin(), values.end(), [&](const PythonValue& v) {
                    return v.is_number() && v.real == given.real;
                });
            if (found == values.end())
                json_fault(p.file(), p.pointer_to("Default"),
                           "the value " + shortened(wanted) + " is not among those of Values; add it there");
            std::rotate(values.begin(), found, found + 1);
        }
        p.finish();
        std::string line = "parameter " + name;
        for (const PythonValue& v : values) {
            const std::string word = macro_text(v);
            line += " " + (word.find(':') == std::string::npos ? quoted_word(p, "Values", word)
                                                               : word_in_quotes(p, "Values", word));
        }
        add(p, "Values", line + " (macro)");
        if (type == "string") {
            for (const PythonValue& v : values) names_.texts[name].insert(v.text);
        } else {
            const auto [least, most] = std::minmax_element(
                values.begin(), values.end(),
                [](const PythonValue& a, const PythonValue& b) { return a.real < b.real; });
            names_.numbers[name] = {least->real, most->real,
                                    std::none_of(values.begin(), values.end(), [](const PythonValue& v) {
                                        return v.kind == ValueKind::real;
                                    })};
        }
    }

    void condition(StrictObject& c) {
        if (c.has("Parameters")) c.texts("Parameters");  // which the expression names anyway
        const std::string text = one_line(c, "Expression");
        c.finish();
        add(c, "Expression", "where " + with_python(c, "Expression", text, [&](const Python& e) {
                                 return rule_from_python(e, names_);
                             }));
    }

    // Whether the key is there; null says nothing.
    static bool says(StrictObject& object, const std::string& key) {
        return object.has(key) && !object.is_null(key);
    }

    // "n" of {"X": "n"}; empty where there is none.
    std::string size(StrictObject& sizes, const char* axis) {
        if (!says(sizes, axis)) return "";
        if (sizes.value(axis).is_number()) return number_text(sizes.value(axis));
        const std::string text = one_line(sizes, axis);
        return with_python(sizes, axis, text, [&](const Python& e) { return number_from_python(e, names_); });
    }

    std::vector<std::string> sizes(StrictObject& kernel, const char* key) {
        std::vector<std::string> found;
        StrictObject sizes = kernel.object(key);
        for (const char* axis : {"X", "Y", "Z"}) {
            std::string text = size(sizes, axis);
            if (text.empty() && axis[0] == 'X') sizes.value(axis);  // refuses
            found.push_back(text.empty() ? "1" : text);
        }
        sizes.finish();
        return found;
    }

    // What divides an axis of the problem into work-groups: names or numbers. An empty list is one that
    // divides by nothing; none at all is the parameter that the work items of a group are.
    std::string divisor(StrictObject& kernel, std::size_t axis, const std::string& local) {
        const std::string key = std::string("GridDiv") + "XYZ"[axis];
        const bool is_said = says(kernel, key);
        if (!is_said) return names_.numbers.contains(local) ? local : "";
        std::string product;
        for (const std::string& text : kernel.texts(key))
            product += (product.empty() ? "(" : " * (") +
                       with_python(kernel, key, text,
                                   [&](const Python& e) { return number_from_python(e, names_); }) +
                       ")";
        return product;
    }

    // Work-groups of each axis, from the size of the problem and its divisors.
    std::vector<std::string> groups_of_problem(StrictObject& kernel, const std::vector<std::string>& local) {
        if (problem_.empty())
            json_fault(kernel.file(), kernel.pointer(),
                       "nothing says how many work items there are; add \"GlobalSize\": {\"X\": \"1024\"}");
        std::vector<std::string> groups(3, "1");
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::string by = divisor(kernel, axis, local[axis]);
            if (axis >= problem_.size()) continue;
            groups[axis] = macro_text(problem_[axis]);
            if (!by.empty()) groups[axis] = "ceil(" + groups[axis] + " / (" + by + "))";
        }
        return groups;
    }

    void work_items(StrictObject& kernel) {
        std::vector<std::string> local = sizes(kernel, "LocalSize"), global;
        std::string counted = says(kernel, "GlobalSizeType")
                                  ? kernel.one_of("GlobalSizeType", {"OpenCL", "CUDA", "Vulkan"})
                                  : std::string("OpenCL");
        const bool is_given = says(kernel, "GlobalSize");
        if (is_given) {
            global = sizes(kernel, "GlobalSize");
            for (std::size_t axis = 0; axis < 3; ++axis) divisor(kernel, axis, local[axis]);
        } else {
            global = groups_of_problem(kernel, local);
            counted = "CUDA";
        }
        std::size_t axes = 3;
        while (axes > 1 && local[axes - 1] == "1" && global[axes - 1] == "1") --axes;
        std::string global_line = "global", local_line = "local";
        for (std::size_t axis = 0; axis < axes; ++axis) {
            const char* const between = axis == 0 ? " " : ", ";
            // CUDA and Vulkan count work-groups.
            global_line +=
                between +
                (counted == "OpenCL" ? global[axis] : fmt::format("({}) * ({})", global[axis], local[axis]));
            local_line += between + local[axis];
        }
        add(kernel, is_given ? "GlobalSize" : "ProblemSize", global_line);
        add(kernel, "LocalSize", local_line);
    }

    // Files of right answers, by the array that they are of.
    std::map<std::string, std::string> answers_of(std::vector<StrictObject>& references) {
        std::map<std::string, std::string> answers;
        for (StrictObject& r : references) {
            const std::string target = one_line(r, "TargetName");
            if (answers.contains(target))
                json_fault(
                    r.file(), r.pointer_to("TargetName"),
                    "there is an answer for \"" + shortened(target) + "\" already; leave one of them out");
            if (r.text("FillType") != "BinaryRaw")
                json_fault(
                    r.file(), r.pointer_to("FillType"),
                    "a right answer is read from a file here; write its elements into one, and BinaryRaw "
                    "with its name as DataSource");
            answers[target] = one_line(r, "DataSource");
            // The tolerance follows from the number of operations, or an annotation of the source has it.
            for (const char* unused :
                 {"Name", "FillValue", "RandomSeed", "ValidationMethod", "ValidationThreshold"})
                r.has(unused);
            r.finish();
        }
        return answers;
    }

    void arguments(StrictObject& kernel, const std::string& name) {
        std::vector<StrictObject> given, references;
        if (kernel.has("Arguments")) given = kernel.objects("Arguments");
        if (kernel.has("ReferenceArguments")) references = kernel.objects("ReferenceArguments");
        T1Arguments arguments = t1_arguments(std::move(given), names_, answers_of(references), d_.folder,
                                             fs::path(d_.source).parent_path().string());
        for (StrictObject& r : references) {
            if (const std::string target = r.text("TargetName"); !arguments.answered.contains(target))
                json_fault(r.file(), r.pointer_to("TargetName"),
                           "no array among the Arguments is named \"" + shortened(target) + "\"");
        }
        if (!arguments.is_any_written)
            json_fault(
                kernel.file(), kernel.pointer_to("Arguments"),
                "none of them is written, so that nothing could be checked; give the kernel's output the "
                "AccessType WriteOnly or ReadWrite");
        std::move(arguments.arrays.begin(), arguments.arrays.end(), std::back_inserter(d_.lines));
        add(kernel, "Arguments", "call " + name + "(" + arguments.call + ")");
    }

    void specification(StrictObject& kernel) {
        const std::string name = one_line(kernel, "KernelName");
        if (!is_name(name)) kernel.fail("KernelName", "the name of a kernel in the file");
        work_items(kernel);
        arguments(kernel, name);
        if (kernel.has("CompilerOptions")) {
            const std::string options = flag_words(kernel, "CompilerOptions");
            if (!options.empty()) add(kernel, "CompilerOptions", "flags" + options);
        }
        if (kernel.has("SharedMemory") && kernel.value("SharedMemory") != 0)
            kernel.fail(
                "SharedMemory",
                "0, since local memory of an OpenCL kernel is one of its Arguments, of MemoryType Local");
        if (kernel.has("KernelTypeNames") && !kernel.value("KernelTypeNames").empty())
            kernel.fail("KernelTypeNames", "nothing, since an OpenCL kernel is no template");
        for (const char* key : {"Device", "Profiling", "Stream", "SimulationInput", "BenchmarkName"})
            kernel.has(key);
        kernel.finish();
    }

    StrictObject top_;
    KernelDocument& d_;
    PythonNames names_;
    std::vector<PythonValue> problem_;  ///< axes of the problem
};

}  // namespace

bool is_t1(const Json& document) {
    return document.is_object() &&
           (document.contains("ConfigurationSpace") || document.contains("KernelSpecification"));
}

void read_t1(const Json& document, const std::string& file, KernelDocument& d) {
    T1Reader(document, file, d).read();
}

}  // namespace rooftune::external
