#include "tests/structure/fortran.h"

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace rooftune::structure {
namespace {

constexpr std::string_view kCHeader = "tuner/plans/rooftune_c.h";
constexpr std::string_view kFortranModule = "tuner/plans/rooftune.f90";

/// What both languages say of an argument: "int64_t", "double array, read", "pointer", "function".
struct Argument {
    std::string name, form;
    bool operator==(const Argument&) const = default;
};

struct Signature {
    std::string result;  ///< "void", "pointer" or a number's type
    std::vector<Argument> arguments;
};

using Signatures = std::map<std::string, Signature>;
using Constants = std::map<std::string, std::string>;

struct Declared {
    Signatures functions;
    Constants constants;
};

std::string trimmed(std::string text) {
    text.erase(0, std::min(text.find_first_not_of(" \t\n"), text.size()));
    text.erase(text.find_last_not_of(" \t\n") + 1);
    return text;
}

/// The pieces between commas that stand in no parentheses.
std::vector<std::string> parts_of(const std::string& list) {
    std::vector<std::string> parts;
    std::string part;
    int depth = 0;
    for (const char c : list) {
        depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
        if (c == ',' && depth == 0) {
            parts.push_back(trimmed(std::move(part)));
            part.clear();
        } else {
            part += c;
        }
    }
    if (!trimmed(part).empty()) parts.push_back(trimmed(std::move(part)));
    return parts;
}

/// What stands in the parentheses that open at `open`.
std::string in_parentheses(const std::string& text, std::size_t open) {
    int depth = 0;
    for (std::size_t at = open; at < text.size(); ++at) {
        depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
        if (depth == 0) return text.substr(open + 1, at - open - 1);
    }
    return text.substr(open + 1);
}

enum class Access { read, written, only_written };

std::string array_of(const std::string& type, Access access) {
    if (type == "pointer") return "array of pointers";
    const std::string words = access == Access::read      ? "read"
                              : access == Access::written ? "written"
                                                          : "only written";
    return type + " array, " + words;
}

constexpr std::string_view kMayBeAbsent = ", may be absent";

/// Where C takes NULL for "none": elsewhere an argument that is left out of a call would be a crash.
const std::map<std::string, std::string>& that_may_be_absent() {
    static const std::map<std::string, std::string> arguments{{"rooftune_load_tuned", "folder"},
                                                              {"rooftune_stencil_advance", "coefficients"}};
    return arguments;
}

/// A parameter, or with an empty name what a function returns. `callbacks`: the names of types of functions.
Argument of_c(std::string text, const std::set<std::string>& callbacks) {
    static const std::regex kFunction(R"(\(\s*\*\s*(\w+)\s*\).*)");
    std::smatch match;
    if (std::regex_search(text, match, kFunction)) return {match[1].str(), "function"};
    static const std::regex kBounds(R"(\[[^\]]*\])");
    const bool has_bounds = std::regex_search(text, kBounds);
    text = std::regex_replace(text, kBounds, "");
    text = std::regex_replace(text, std::regex(R"(\*)"), " * ");
    std::istringstream words(text);
    std::vector<std::string> names;
    auto stars = has_bounds ? 1 : 0;
    bool read = false;
    for (std::string word; words >> word;) {
        if (word == "*") {
            ++stars;
        } else if (word == "const") {
            read = read || stars == (has_bounds ? 1 : 0);
        } else if (word != "struct") {
            names.push_back(word);
        }
    }
    if (names.empty()) return {};
    static const std::set<std::string> kNumbers{"char",   "int",    "int32_t", "int64_t",
                                                "size_t", "double", "float"};
    const std::string name = names.size() > 1 ? names.back() : "";
    // What is not const may hold something before: y where beta is not 0.
    const Access access = read ? Access::read : Access::written;
    if (stars == 0) return {name, callbacks.contains(names.front()) ? "function" : names.front()};
    if (stars > 1) return {name, array_of("pointer", access)};
    return {name, kNumbers.contains(names.front()) ? array_of(names.front(), access) : "pointer"};
}

Declared declared_in_c(std::string text) {
    text = std::regex_replace(text, std::regex(R"(/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)"), " ");
    text = std::regex_replace(text, std::regex(R"((^|\n)[ \t]*#[^\n]*)"), "\n");
    Declared all;
    static const std::regex kConstant(R"(\b(ROOFTUNE_\w+)\s*=\s*(\d+))");
    for (std::sregex_iterator at(text.begin(), text.end(), kConstant), none; at != none; ++at)
        all.constants[(*at)[1].str()] = (*at)[2].str();
    static const std::regex kCallback(R"(\btypedef\b[^;{]*?\(\s*\*\s*(\w+)\s*\))");
    std::set<std::string> callbacks;
    for (std::sregex_iterator at(text.begin(), text.end(), kCallback), none; at != none; ++at)
        callbacks.insert((*at)[1].str());
    static const std::regex kFunction(R"(\b(rooftune_\w+)\s*\()");
    for (std::sregex_iterator at(text.begin(), text.end(), kFunction), none; at != none; ++at) {
        const auto begin = static_cast<std::size_t>(at->position());
        const std::size_t before = text.find_last_of(";{}", begin) + 1;
        Signature function;
        const Argument result = of_c(text.substr(before, begin - before), callbacks);
        // A text is a pointer where it is returned.
        function.result = result.form.find("array") != std::string::npos ? "pointer" : result.form;
        const std::size_t open = begin + static_cast<std::size_t>(at->length()) - 1;
        for (const std::string& parameter : parts_of(in_parentheses(text, open))) {
            if (parameter != "void") function.arguments.push_back(of_c(parameter, callbacks));
        }
        const auto absent = that_may_be_absent().find((*at)[1].str());
        for (Argument& argument : function.arguments) {
            if (absent != that_may_be_absent().end() && argument.name == absent->second)
                argument.form += kMayBeAbsent;
        }
        all.functions[(*at)[1].str()] = std::move(function);
    }
    return all;
}

/// Fortran's lines in small letters without comments, continued ones joined.
std::vector<std::string> statements_of(std::string_view text) {
    std::vector<std::string> statements;
    bool goes_on = false;
    for (const Line& line : lines_of(text)) {
        std::string words = trimmed(std::string(line.text.substr(0, line.text.find('!'))));
        std::transform(words.begin(), words.end(), words.begin(),
                       [](unsigned char c) { return std::tolower(c); });
        if (words.empty()) continue;
        const bool more = words.back() == '&';
        if (more) words.pop_back();
        if (goes_on) {
            statements.back() += words;
        } else {
            statements.push_back(words);
        }
        goes_on = more;
    }
    return statements;
}

/// A type as C has it; what is not among them stays as it is written.
std::string type_of_fortran(std::string type) {
    type = std::regex_replace(type, std::regex(R"(\s)"), "");
    static const std::map<std::string, std::string> kTypes{
        {"integer(c_int)", "int"},          {"integer(c_int32_t)", "int32_t"},
        {"integer(c_int64_t)", "int64_t"},  {"integer(c_size_t)", "size_t"},
        {"real(c_double)", "double"},       {"real(c_float)", "float"},
        {"type(c_ptr)", "pointer"},         {"type(c_funptr)", "function"},
        {"character(kind=c_char)", "char"}, {"character(kind=c_char,len=1)", "char"}};
    const auto found = kTypes.find(type);
    return found == kTypes.end() ? type : found->second;
}

/// Takes what a declaration says of its names into `forms`.
void declare(const std::string& statement, std::map<std::string, std::string>& forms) {
    const std::size_t colons = statement.find("::");
    if (colons == std::string::npos) return;
    const std::vector<std::string> attributes = parts_of(statement.substr(0, colons));
    const auto has = [&](std::string_view attribute) {
        return std::find(attributes.begin(), attributes.end(), attribute) != attributes.end();
    };
    const std::string type = type_of_fortran(attributes.front());
    const Access access = has("intent(in)")    ? Access::read
                          : has("intent(out)") ? Access::only_written
                                               : Access::written;
    for (const std::string& name : parts_of(statement.substr(colons + 2))) {
        const std::string bare = trimmed(name.substr(0, name.find('(')));
        forms[bare] = has("value") ? type : array_of(type, access);
        if (has("optional")) forms[bare] += kMayBeAbsent;
        // What a function returns is neither.
        forms["result of " + bare] = type;
    }
}

Declared declared_in_fortran(std::string_view text) {
    Declared all;
    static const std::regex kConstant(R"(parameter\s*::\s*(rooftune_\w+)\s*=\s*(\d+).*)");
    static const std::regex kFunction(
        R"((function|subroutine)\s+(rooftune_\w+)\s*\(([^)]*)\)\s*bind\(c\)\s*)");
    std::string name;
    std::vector<std::string> arguments;
    std::map<std::string, std::string> forms;
    bool is_function = false;
    for (const std::string& statement : statements_of(text)) {
        std::smatch match;
        if (std::regex_search(statement, match, kConstant)) {
            std::string constant = match[1].str();
            std::transform(constant.begin(), constant.end(), constant.begin(),
                           [](unsigned char c) { return std::toupper(c); });
            all.constants[constant] = match[2].str();
        } else if (std::regex_match(statement, match, kFunction)) {
            is_function = match[1] == "function";
            name = match[2].str();
            arguments = parts_of(match[3].str());
            forms.clear();
        } else if (!name.empty() && statement.starts_with("end ")) {
            Signature function;
            function.result = is_function ? forms["result of " + name] : "void";
            for (const std::string& argument : arguments)
                function.arguments.push_back({argument, forms[argument]});
            all.functions[name] = std::move(function);
            name.clear();
        } else if (!name.empty()) {
            declare(statement, forms);
        }
    }
    return all;
}

std::string text_of(const Signature& function) {
    std::string text = "(";
    for (const Argument& argument : function.arguments)
        text += (text.size() > 1 ? "; " : "") + argument.name + ": " + argument.form;
    return text + ") -> " + function.result;
}

/// What a plan goes on reading must be c_loc() of a target in Fortran: of an array a compiler may hand over a
/// copy, which is gone after the call.
Signature with_kept_arrays(const std::string& name, Signature function) {
    if (name.find("_view_") == std::string::npos) return function;
    for (Argument& argument : function.arguments) {
        if (argument.form.find("array") != std::string::npos) argument.form = "pointer";
    }
    return function;
}

}  // namespace

Complaints fortran_agrees(const Tree& tree) {
    const Declared c = declared_in_c(std::string(tree.text(kCHeader)));
    const Declared fortran = declared_in_fortran(tree.text(kFortranModule));
    Complaints complaints;
    const auto complain = [&](const std::string& what) {
        complaints.push_back(std::string(kFortranModule) + ": " + what);
    };
    for (const auto& [name, function] : c.functions) {
        const auto found = fortran.functions.find(name);
        if (found == fortran.functions.end()) {
            complain("has no " + name + "(), which " + std::string(kCHeader) + " declares");
        } else if (const std::string mine = text_of(found->second),
                   its = text_of(with_kept_arrays(name, function));
                   mine != its) {
            complain(name + mine + ", but in " + std::string(kCHeader) + " " + its);
        }
    }
    for (const auto& [name, function] : fortran.functions) {
        if (!c.functions.contains(name)) complain(name + "() is not in " + std::string(kCHeader));
    }
    for (const auto& [name, value] : c.constants) {
        const auto found = fortran.constants.find(name);
        if (found == fortran.constants.end() || found->second != value)
            complain(name + " is not " + value + ", as in " + std::string(kCHeader));
    }
    for (const auto& [name, value] : fortran.constants) {
        if (!c.constants.contains(name)) complain(name + " is not in " + std::string(kCHeader));
    }
    if (c.functions.empty()) complaints.push_back(std::string(kCHeader) + ": declares no function");
    return complaints;
}

}  // namespace rooftune::structure
