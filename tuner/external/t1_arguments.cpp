#include "tuner/external/t1_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "tuner/external/cursor.h"
#include "tuner/external/document_lines.h"
#include "tuner/formats/json_message.h"

namespace rooftune::external {
namespace {

struct T1Type {
    std::string_view name;
    std::string_view element;
    int lanes = 1;
};
// A bool has no size that a device would promise. Of three lanes are those that take the room of four.
constexpr std::array<T1Type, 27> kT1Types{
    {{"int8", "i8"},          {"uint8", "u8"},       {"int16", "i16"},      {"uint16", "u16"},
     {"int32", "i32"},        {"uint32", "u32"},     {"int64", "i64"},      {"uint64", "u64"},
     {"int", "i32"},          {"uint", "u32"},       {"half", "f16"},       {"float", "f32"},
     {"float2", "f32", 2},    {"float4", "f32", 4},  {"float8", "f32", 8},  {"float16", "f32", 16},
     {"double", "f64"},       {"double2", "f64", 2}, {"double4", "f64", 4}, {"double8", "f64", 8},
     {"double16", "f64", 16}, {"half2", "f16", 2},   {"half4", "f16", 4},   {"half8", "f16", 8},
     {"half16", "f16", 16},   {"float3", "f32", 4},  {"double3", "f64", 4}}};

class ArgumentsReader {
public:
    ArgumentsReader(const PythonNames& names, const std::map<std::string, std::string>& answers,
                    const std::string& folder, const std::string& source_folder)
        : names_(names), answers_(answers), folder_(folder), source_folder_(source_folder) {
        sizes_.values = names.values;
    }

    void read(StrictObject& a, std::size_t number) {
        const std::string memory = a.one_of("MemoryType", {"Scalar", "Vector", "Local", "Symbol"});
        for (const char* unused : {"TypeSize", "RandomSeed", "Output", "MemType"}) a.has(unused);
        if (memory == "Symbol")
            json_fault(a.file(), a.pointer_to("MemoryType"),
                       "an OpenCL kernel has no symbols; write Vector for an array, Scalar for a number");
        if (!found_.call.empty()) found_.call += ", ";
        if (memory == "Scalar") {
            scalar(a);
        } else if (memory == "Local") {
            const T1Type type = type_of(a);
            found_.call += fmt::format("local {}[{}]", type.element, count(a, type, names_));
            a.has("Name");
        } else {
            vector(a, number);
        }
        a.finish();
    }

    T1Arguments done() { return std::move(found_); }

private:
    static T1Type type_of(StrictObject& a) {
        const std::string name = a.text("Type");
        const auto known =
            std::find_if(kT1Types.begin(), kT1Types.end(), [&](const T1Type& t) { return t.name == name; });
        if (known != kT1Types.end()) return *known;
        std::vector<std::string> names;
        for (const T1Type& t : kT1Types) names.emplace_back(t.name);
        json_fault(a.file(), a.pointer_to("Type"),
                   "elements of the type \"" + shortened(name) + "\" cannot be made here; there are " +
                       listed_types(names));
    }

    static std::string listed_types(const std::vector<std::string>& names) {
        std::string text;
        for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
        return text;
    }

    // A number of the kernel, in the type that the kernel has for it.
    void scalar(StrictObject& a) {
        a.text("Type");
        for (const char* unused : {"Name", "AccessType", "Size", "DataSource"}) a.has(unused);
        if (a.has("FillType")) a.one_of("FillType", {"Constant"});
        const Json& value = a.value("FillValue");
        if (value.is_boolean()) {
            found_.call += value.get<bool>() ? "1" : "0";
        } else {
            found_.call += expression(a, "FillValue", names_);
        }
    }

    // A number, or Python in a text.
    static std::string expression(StrictObject& a, std::string_view key, const PythonNames& names) {
        const Json& value = a.value(key);
        if (value.is_number()) return number_text(value);
        if (!value.is_string()) a.fail(key, "a number, or an expression as a text");
        const std::string text = one_line(a, key);
        return with_python(a, key, text, [&](const Python& e) { return number_from_python(e, names); });
    }

    static std::string count(StrictObject& a, const T1Type& type, const PythonNames& names) {
        const std::string elements = expression(a, "Size", names);
        return type.lanes == 1 ? elements : fmt::format("{} * ({})", type.lanes, elements);
    }

    // 0 where it is no number, which is told elsewhere.
    double size_of(StrictObject& a) const {
        const Json& size = a.value("Size");
        if (size.is_number()) return size.get<double>();
        try {
            if (size.is_string())
                return python_value(python_from(size.get<std::string>()), sizes_.values).real;
        } catch (const PythonFault&) {
            return 0.0;
        }
        return 0.0;
    }

    // Arrays are made once for all variants.
    void refuse_varying_size(StrictObject& a) const {
        const Json& size = a.value("Size");
        if (!size.is_string()) return;
        const std::string text = size.get<std::string>();
        try {
            number_from_python(python_from(text), sizes_);
            return;
        } catch (const PythonFault&) {
            try {
                number_from_python(python_from(text), names_);
            } catch (const PythonFault&) {
                return;  // wrong in any case, and told as that
            }
        }
        json_fault(a.file(), a.pointer_to("Size"),
                   "\"" + shortened(text) +
                       "\" depends on a parameter, and an array has one size for all "
                       "variants; write the largest that is needed");
    }

    void vector(StrictObject& a, std::size_t number) {
        refuse_varying_size(a);
        const T1Type type = type_of(a);
        std::string name = a.text_or("Name", "");
        // A call has a word of its own for local memory.
        if (!is_name(name) || name == "local" ||
            std::find(taken_.begin(), taken_.end(), name) != taken_.end() || names_.numbers.contains(name) ||
            names_.texts.contains(name))
            name = "argument_" + std::to_string(number + 1);
        taken_.push_back(name);
        found_.call += name;
        const std::string access = a.has("AccessType")
                                       ? a.one_of("AccessType", {"ReadOnly", "WriteOnly", "ReadWrite"})
                                       : std::string("ReadWrite");
        const bool is_read_only = access == "ReadOnly";
        found_.is_any_written = found_.is_any_written || !is_read_only;
        std::string word = is_read_only ? "in" : "inout";
        std::string fill = filled(a, type, access, word);
        if (const auto answer = answers_.find(a.text_or("Name", "")); answer != answers_.end()) {
            // Poison takes the place of what it holds before.
            const bool holds_nothing = a.has("FillType") ? a.text("FillType") == "Uninitialized"
                                                         : !a.has("AccessType") && !a.has("FillValue");
            if (access != "WriteOnly" && !(access == "ReadWrite" && holds_nothing))
                json_fault(
                    a.file(), a.pointer_to("Name"),
                    "ReferenceArguments has an answer for an array that is read as well; only of those "
                    "that are WriteOnly, or Uninitialized, it is compared; give it one of these where the "
                    "kernel does not read it");
            word = "out";
            fill = "file " + quoted_word(a, "Name", file_beside(folder_, source_folder_, answer->second));
            found_.answered.insert(answer->first);
        }
        found_.arrays.push_back({fmt::format("{} {} {}[{}]{}", word, name, type.element,
                                             count(a, type, sizes_), fill.empty() ? "" : " = " + fill),
                                 1, 1, a.file() + ": at " + a.pointer()});
    }

    // Numbers from 0 on, below FillValue or else 1: a kernel that takes their roots, or counts by them, is
    // written for these. Whole ones without a limit are our own, from 0 to 99. The fractions of an irrational
    // number's multiples by i² are spread evenly and show no pattern; the periods of both factors keep them
    // small enough to have fractions.
    std::string drawn(StrictObject& a, std::string_view element) {
        if (!answers_.empty() && !answers_.contains(a.text_or("Name", "")))
            json_fault(a.file(), a.pointer_to("FillType"),
                       "ReferenceArguments has a right answer from a file, so that this array must hold what "
                       "that was made for, and not random numbers; fill it by Constant, Generator or "
                       "BinaryRaw");
        const bool is_whole = !element.starts_with('f');
        const bool is_limited = a.has("FillValue") && !a.is_null("FillValue");
        if (is_whole && !is_limited) return "";
        std::string drawn =
            fmt::format("(i % 65521) * (i % 32749 + {}) * 0.6180339887498949 % 1", found_.arrays.size() + 1);
        if (is_limited) drawn += " * (" + expression(a, "FillValue", sizes_) + ")";
        return is_whole ? "floor(" + drawn + ")" : drawn;
    }

    // What it holds before a call, behind the equals sign; empty: random numbers. An array that is written
    // may be left in part as it was, so that it is filled as the file says where it says something.
    std::string filled(StrictObject& a, const T1Type& of, const std::string& access, std::string& word) {
        const bool is_said = a.has("FillType");
        if (!is_said && access == "WriteOnly" && !a.has("FillValue")) {
            word = "out";
            return "";
        }
        const std::string type = !is_said ? "Constant"
                                          : a.one_of("FillType", {"Constant", "Random", "Generator", "Script",
                                                                  "BinaryRaw", "BinaryHDF", "Uninitialized"});
        if (type == "Constant") {
            a.has("DataSource");
            return a.has("FillValue") ? expression(a, "FillValue", sizes_) : "0";
        }
        if (type == "Random") {
            a.has("DataSource");
            return drawn(a, of.element);
        }
        a.has("FillValue");
        if (type == "Uninitialized") a.has("DataSource");
        if (type == "Uninitialized") return "0";
        if (type == "Generator") {
            PythonNames with_index = sizes_;
            const double elements = of.lanes * size_of(a);
            with_index.numbers["i"] = {0.0, elements, true};
            return expression(a, "DataSource", with_index);
        }
        if (type != "BinaryRaw")
            json_fault(a.file(), a.pointer_to("FillType"),
                       type +
                           " cannot be read here; write the elements into a file, and BinaryRaw with its "
                           "name as DataSource");
        const std::string file = one_line(a, "DataSource");
        if (access == "WriteOnly") {
            word = "out";
            return "";
        }
        if (access == "ReadWrite")
            json_fault(
                a.file(), a.pointer_to("FillType"),
                "an array that is read and written is not filled from a file here; fill it by Constant, "
                "Random or Generator, or hand the file over as an array that is ReadOnly");
        return "file " + quoted_word(a, "DataSource", file_beside(folder_, source_folder_, file));
    }

    const PythonNames& names_;
    const std::map<std::string, std::string>& answers_;
    PythonNames sizes_;  ///< what sizes of arrays may name: no parameters
    const std::string& folder_;
    const std::string& source_folder_;
    std::vector<std::string> taken_;
    T1Arguments found_;
};

}  // namespace

void refuse_python(const StrictObject& object, std::string_view key, const std::string& text,
                   const PythonFault& fault) {
    json_fault(object.file(), object.pointer_to(key),
               fmt::format("in \"{}\", at character {}: {}", shortened(text), fault.at + 1, fault.what));
}

T1Arguments t1_arguments(std::vector<StrictObject> arguments, const PythonNames& names,
                         const std::map<std::string, std::string>& answers, const std::string& folder,
                         const std::string& source_folder) {
    ArgumentsReader reader(names, answers, folder, source_folder);
    for (std::size_t i = 0; i < arguments.size(); ++i) reader.read(arguments[i], i);
    return reader.done();
}

}  // namespace rooftune::external
