#include "tuner/external/document_lines.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tuner/base/command_words.h"
#include "tuner/external/cursor.h"
#include "tuner/formats/json_message.h"

namespace rooftune::external {
namespace {

bool is_blank_text(std::string_view text) {
    return text.find_first_not_of(" \t") == std::string_view::npos;
}

class DocumentReader {
public:
    DocumentReader(StrictObject& object, std::string folder, std::string source_folder, Language language)
        : o_(object),
          folder_(std::move(folder)),
          source_folder_(std::move(source_folder)),
          is_program_(language == Language::program) {}

    // In the order in which names may be used: matrices give sizes, numbers come before what is made of them.
    std::vector<Text> all() {
        if (!is_program_) each("matrices", [&](StrictObject& m, const std::string& n) { matrix(m, n); });
        each("sizes", [&](StrictObject& sizes, const std::string& n) { number("size", sizes, n); });
        each("reals", [&](StrictObject& reals, const std::string& n) { number("real", reals, n); });
        if (!is_program_) each("arrays", [&](StrictObject& a, const std::string& n) { array(a, n); });
        each("parameters", [&](StrictObject& p, const std::string& n) { parameter(p, n); });
        if (o_.has("where")) rules();
        for (const char* key : {"flops", "reads", "writes", "tolerance", "threads"}) claim(key);
        for (const char* key : {"reads_beyond", "writes_beyond"}) beyond(key);
        text("arithmetic");
        if (is_program_) {
            for (const char* key : {"build", "command", "time", "verify"}) text(key);
            return std::move(lines_);
        }
        claim("chain");
        for (const char* key : {"call", "reference", "compiler"}) text(key);
        for (const char* key : {"global", "local"}) work_items(key);
        flags();
        return std::move(lines_);
    }

private:
    void add(const StrictObject& at, std::string_view key, std::string line) {
        lines_.push_back({std::move(line), 1, 1, place_of_key(at, key)});
    }

    // An object whose keys are names.
    template <typename Read>
    void each(const char* key, const Read& read) {
        if (!o_.has(key)) return;
        StrictObject named = o_.object(key);
        for (const auto& [name, value] : o_.value(key).items()) {
            if (!is_name(name))
                json_fault(named.file(), named.pointer_to(name),
                           "\"" + shortened(name) +
                               "\" is no name; one has letters, digits and _, and begins "
                               "with no digit");
            read(named, name);
        }
        named.finish();
    }

    // A text or a number.
    static std::string expression(StrictObject& at, std::string_view key) {
        const Json& value = at.value(key);
        if (value.is_number()) return number_text(value);
        if (!value.is_string()) at.fail(key, "an expression, as a text or a number");
        return one_line(at, key);
    }

    void number(const char* word, StrictObject& numbers, const std::string& name) {
        add(numbers, name, std::string(word) + " " + name + " = " + expression(numbers, name));
    }

    void matrix(StrictObject& matrices, const std::string& name) {
        std::string more;
        std::string file;
        if (matrices.value(name).is_string()) {
            file = one_line(matrices, name);
        } else {
            StrictObject m = matrices.object(name);
            file = one_line(m, "file");
            if (m.has("type")) more += " " + m.one_of("type", {"f64", "f32", "f16", "bf16"});
            if (m.has("index")) more += " " + m.one_of("index", {"i32", "i64"});
            if (m.flag_or("all", false)) more += " all";
            m.finish();
        }
        add(matrices, name,
            "matrix " + name + " " + quoted_word(matrices, name, file_beside(folder_, source_folder_, file)) +
                more);
    }

    void array(StrictObject& arrays, const std::string& name) {
        StrictObject a = arrays.object(name);
        std::string line = a.one_of("direction", {"in", "out", "inout"}) + " " + name + " ";
        line += a.one_of("type",
                         {"f64", "f32", "f16", "bf16", "i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8"});
        line += "[" + expression(a, "count") + "]";
        if (a.flag_or("all", false)) line += " all";
        if (a.has("file") && a.has("values"))
            json_fault(a.file(), a.pointer_to("values"),
                       "a file says what the array holds already; leave one of them out");
        if (a.has("file"))
            line += " = file " +
                    quoted_word(a, "file", file_beside(folder_, source_folder_, one_line(a, "file")));
        if (a.has("values")) line += " = " + expression(a, "values");
        a.finish();
        add(arrays, name, line);
    }

    // A value, or a list of them.
    static std::string values(StrictObject& at, std::string_view key) {
        const Json& value = at.value(key);
        const auto one = [&](const Json& v, const std::string& pointer) {
            if (v.is_number()) return " " + number_text(v);
            if (!v.is_string())
                json_mismatch(at.file(), pointer, "a value: a number, or a text", describe_json(v));
            const std::string word = v.get<std::string>();
            if (word.find_first_of("\n\r") != std::string::npos)
                json_mismatch(at.file(), pointer, "a value in one line", describe_json(v));
            return " " + quoted_word(at, key, word);
        };
        if (!value.is_array()) return one(value, at.pointer_to(key));
        if (value.empty()) at.fail(key, "at least one value");
        std::string line;
        for (std::size_t i = 0; i < value.size(); ++i)
            line += one(value[i], at.pointer_to(key) + "/" + std::to_string(i));
        return line;
    }

    void parameter(StrictObject& parameters, const std::string& name) {
        std::string line = "parameter " + name;
        if (!parameters.value(name).is_object()) {
            line += values(parameters, name);
        } else {
            StrictObject p = parameters.object(name);
            line += values(p, "values");
            if (p.has("kind"))
                line += " (" +
                        (is_program_ ? p.one_of("kind", {"environment", "threads"})
                                     : p.one_of("kind", {"macro", "flag", "compiler", "environment",
                                                         "argument", "threads"})) +
                        ")";
            if (p.has("when")) line += " when " + expression(p, "when");
            p.finish();
        }
        add(parameters, name, line);
    }

    void rules() {
        if (o_.value("where").is_string()) return add(o_, "where", "where " + one_line(o_, "where"));
        const std::vector<std::string> all = o_.texts("where");
        for (std::size_t i = 0; i < all.size(); ++i) {
            const std::string pointer = o_.pointer_to("where") + "/" + std::to_string(i);
            if (is_blank_text(all[i]) || all[i].find_first_of("\n\r") != std::string::npos)
                json_mismatch(o_.file(), pointer, "a rule in one line", describe_json(o_.value("where")[i]));
            lines_.push_back({"where " + all[i], 1, 1, o_.file() + ": at " + pointer});
        }
    }

    void claim(const char* key) {
        if (o_.has(key)) add(o_, key, std::string(key) + " " + expression(o_, key));
    }

    // {"w": "8*n - w"}
    void beyond(const char* key) {
        if (!o_.has(key)) return;
        if (!o_.value(key).is_object() || o_.value(key).size() != 1)
            o_.fail(key, "one name for the bytes of a cache, with an expression: {\"w\": \"8*n - w\"}");
        each(key, [&](StrictObject& capacity, const std::string& name) {
            add(capacity, name, std::string(key) + "(" + name + ") " + expression(capacity, name));
        });
    }

    void text(const char* key) {
        if (o_.has(key)) add(o_, key, std::string(key) + " " + one_line(o_, key));
    }

    void work_items(const char* key) {
        if (!o_.has(key)) return;
        const Json& sizes = o_.value(key);
        if (!sizes.is_array()) return add(o_, key, std::string(key) + " " + expression(o_, key));
        std::string line = key;
        const char* between = " ";
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            if (!sizes[i].is_number() &&
                !(sizes[i].is_string() && !is_blank_text(sizes[i].get<std::string>())))
                json_mismatch(o_.file(), o_.pointer_to(key) + "/" + std::to_string(i),
                              "a number of work items, as a text or a number", describe_json(sizes[i]));
            line += between + (sizes[i].is_number() ? number_text(sizes[i]) : sizes[i].get<std::string>());
            between = ", ";
        }
        if (sizes.empty() || line.find_first_of("\n\r") != std::string::npos)
            o_.fail(key, "one to three numbers of work items");
        add(o_, key, line);
    }

    void flags() {
        if (!o_.has("flags")) return;
        if (o_.value("flags").is_string()) return text("flags");
        add(o_, "flags", "flags" + flag_words(o_, "flags"));
    }

    StrictObject& o_;
    std::string folder_, source_folder_;
    bool is_program_;
    std::vector<Text> lines_;
};

}  // namespace

std::string place_of_key(const StrictObject& object, std::string_view key) {
    return object.file() + ": at " + object.pointer_to(key);
}

std::string one_line(StrictObject& object, std::string_view key) {
    std::string text = object.text(key);
    if (is_blank_text(text)) object.fail(key, "a text that is not empty");
    if (text.find_first_of("\n\r") != std::string::npos) object.fail(key, "a text in one line");
    return text;
}

std::string number_text(const Json& value) {
    return value.dump();
}

std::string quoted_word(const StrictObject& object, std::string_view key, const std::string& word) {
    const bool is_plain = !word.empty() && word.find_first_of(" \t") == std::string::npos &&
                          word.front() != '"' && word.front() != '\'' && word.front() != '(' &&
                          !word.starts_with("when");
    return is_plain ? word : word_in_quotes(object, key, word);
}

std::string word_in_quotes(const StrictObject& object, std::string_view key, const std::string& word) {
    for (const char quote : {'"', '\''}) {
        if (word.find(quote) == std::string::npos) return quote + word + quote;
    }
    json_fault(object.file(), object.pointer_to(key),
               "the word " + shortened(word) +
                   " has both kinds of quotes, which cannot be handed on; write it "
                   "with one kind");
}

std::string flag_words(StrictObject& object, std::string_view key) {
    std::string line;
    for (const std::string& text : object.texts(key)) {
        if (text.find_first_of("\n\r") != std::string::npos) object.fail(key, "flags in one line each");
        if (is_blank_text(text)) continue;
        const bool is_one = text.find_first_of(" \t") == std::string::npos;
        for (const std::string& word :
             is_one ? std::vector{text} : command_words(text, place_of_key(object, key)))
            line += " " + quoted_word(object, key, word);
    }
    return line;
}

std::string file_beside(const std::string& document_folder, const std::string& source_folder,
                        const std::string& name) {
    namespace fs = std::filesystem;
    if (document_folder == source_folder || fs::path(name).is_absolute()) return name;
    return (fs::path(document_folder) / name).lexically_normal().lexically_relative(source_folder).string();
}

std::vector<Text> lines_of_document(StrictObject& object, const std::string& document_folder,
                                    const std::string& source_folder, Language language) {
    return DocumentReader(object, document_folder, source_folder, language).all();
}

}  // namespace rooftune::external
