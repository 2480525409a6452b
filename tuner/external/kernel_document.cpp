#include "tuner/external/kernel_document.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tuner/external/document_lines.h"
#include "tuner/external/t1_document.h"
#include "tuner/formats/json_message.h"
#include "tuner/formats/schema_kind.h"

namespace rooftune::external {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".json";
constexpr const char* kSchema = "rooftune/kernel/1";

// Where the file's name ends; npos: the word names no document.
std::size_t end_of_file(std::string_view word) {
    // The name of an object may end as a file's does.
    const std::size_t at = word.find(".json#/");
    if (at != std::string_view::npos && at > 0) return at + kEnding.size();
    const bool is_file = word.size() > kEnding.size() && word.ends_with(kEnding);
    return is_file ? word.size() : std::string_view::npos;
}

const Json& object_at(const Json& document, const std::string& file, const std::string& pointer) {
    try {
        const Json::json_pointer at(pointer);
        if (document.contains(at)) return document.at(at);
    } catch (const Json::exception&) {
        // A pointer that is none names nothing either.
    }
    throw InputError(file + ": there is nothing at " + pointer +
                     "; what stands behind # is the way to a kernel's description, like #/kernels/NAME");
}

// The file that a document of ours names, beside the document.
std::string source_of(StrictObject& object, const std::string& folder) {
    const std::string path = (fs::path(folder) / one_line(object, "source")).lexically_normal().string();
    if (!language_of(path))
        object.fail("source",
                    "a file that can be compiled here, whose name ends in .c, .cc, .cpp, .cxx, .C "
                    "or .cl (a program has the key \"command\" instead)");
    std::error_code error;
    if (!fs::is_regular_file(path, error))
        json_fault(object.file(), object.pointer_to("source"),
                   "there is no file " + path + "; a source's name is relative to the document's folder");
    return path;
}

// Keys that have a meaning, but not here.
void refuse_keys_of_others(StrictObject& object, bool is_program) {
    const std::initializer_list<const char*> of_programs{"build", "time", "verify"};
    const std::initializer_list<const char*> of_kernels{"matrices", "arrays", "chain",  "call", "reference",
                                                        "compiler", "flags",  "global", "local"};
    for (const char* key : is_program ? of_kernels : of_programs) {
        if (object.has(key))
            json_fault(object.file(), object.pointer_to(key),
                       is_program
                           ? "it is for kernels that are compiled here, and this is a program; leave it out"
                           : "it is for programs, which have a command and no source; leave it out");
    }
}

void read_own(StrictObject object, KernelDocument& d) {
    const bool is_program = object.has("command");
    if (is_program && object.has("source"))
        json_fault(object.file(), object.pointer_to("command"),
                   "a program has a command and a kernel a source; leave one of them out");
    if (!is_program && !object.has("source"))
        json_fault(
            object.file(), object.pointer(),
            "it names neither the kernel's source nor a program's command; add \"source\": \"mine.c\"");
    if (is_program) {
        d.language = Language::program;
    } else {
        d.source = source_of(object, d.folder);
        d.language = *language_of(d.source);
    }
    object.text_or("description", "");
    refuse_keys_of_others(object, is_program);
    d.lines = lines_of_document(object, d.folder, fs::path(d.source).parent_path().string(), d.language);
    object.finish();
}

}  // namespace

bool names_document(std::string_view word) {
    return end_of_file(word) != std::string_view::npos;
}

KernelDocument kernel_document(const std::string& reference) {
    const std::size_t end = end_of_file(reference);
    const std::string file = reference.substr(0, end);
    const std::string pointer = end == reference.size() ? "" : reference.substr(end + 1);
    const Json document = read_json_file(file);
    const fs::path path = fs::absolute(file).lexically_normal();
    KernelDocument d;
    d.reference = path.string() + (pointer.empty() ? "" : "#" + pointer);
    d.name = path.filename().string();
    d.folder = path.parent_path().string();
    d.place = {"", 0, 0, pointer.empty() ? file + ": at the top" : file + ": at " + pointer};
    if (pointer.empty() && is_t1(document)) {
        read_t1(document, file, d);
        return d;
    }
    if (pointer.empty()) {
        if (claims_to_be(document, "rooftune/job/1"))
            throw InputError(file +
                             ": is a job file, with kernels of its own perhaps; `rooftune tune --job " +
                             file + "` tunes what it names");
        check_kind(document, file, kSchema);
        StrictObject object(document, file);
        object.schema(kSchema);
        read_own(std::move(object), d);
    } else {
        StrictObject object(object_at(document, file, pointer), file, pointer);
        if (object.has("schema")) object.schema(kSchema);
        read_own(std::move(object), d);
    }
    return d;
}

}  // namespace rooftune::external
