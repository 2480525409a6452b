// What a source declares of its kernel, or a description of its program: sizes, arrays, parameters, rules
// between them, work, and how it is called. Read from annotations; nothing is evaluated here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/external/annotations.h"

namespace rooftune::external {

/// Element types of arrays.
enum class Element { f64, f32, f16, bf16, i64, i32, i16, i8, u64, u32, u16, u8 };

std::string_view to_text(Element e);
std::optional<Element> element_from(std::string_view text);
std::size_t bytes_of(Element e);
bool is_real(Element e);
/// The type that the kernel's language has for it.
std::string_view c_type(Element e);

/// The key of a problem that is a function of the program that tunes; its value is the kernel's name.
inline constexpr const char* kFunctionKey = "function";

enum class Language {
    c,
    cpp,
    opencl,
    program,
    function,  ///< of the program that tunes: there is no text of it
};

/// A number that the kernel is given: of whole ones a size.
struct DeclaredNumber {
    Text name;
    Text value;  ///< an expression of those before it
    bool whole = true;
    int matrix = -1;  ///< of which matrix it is a size: its value is "rows", "columns" or "entries"
};

/// Compressed rows: where each begins, and for each entry its column and its value.
enum class MatrixPart { start, column, value };

/// A matrix of a Matrix Market file, which gives the kernel sizes and arrays.
struct DeclaredMatrix {
    Text name;
    Text file;  ///< relative to the source's folder
};

enum class Direction { in, out, inout };

struct DeclaredArray {
    Text name;
    Direction direction = Direction::in;
    Element element = Element::f64;
    Text count;                ///< elements: an expression of the numbers
    bool all = false;          ///< every element is needed: compulsory traffic
    std::optional<Text> fill;  ///< an expression of the numbers and the index i
    /// A file that holds its elements, relative to the source's folder; of an array that is only written what
    /// it must hold after a call.
    std::optional<Text> file;
    int matrix = -1;  ///< of which matrix it is a part
    MatrixPart part = MatrixPart::start;

    /// Whether it holds other numbers for each seed.
    bool is_random() const { return direction != Direction::out && !fill && !file && matrix < 0; }
};

/// How a parameter's value reaches the kernel.
enum class ParameterKind {
    macro,        ///< -DNAME=value
    flag,         ///< the value is flags of the compiler
    compiler,     ///< the value is the compiler
    environment,  ///< an environment variable
    argument,     ///< a number beside the sizes: no new compilation
    threads,      ///< threads that the kernel may use
    word,         ///< of a program: its value stands for {NAME} in the command or the build
};

std::string_view to_text(ParameterKind k);
/// What a value of it is, for people: "macro (-DUNROLL=…)", "compiler flag".
std::string meaning_of(ParameterKind k, const std::string& name);

struct DeclaredParameter {
    Text name;
    ParameterKind kind = ParameterKind::macro;
    std::vector<Text> values;  ///< as written, ranges expanded
    std::optional<Text> when;  ///< it exists only where this holds
};

/// Bytes beyond a cache of so many: an expression of numbers, parameters, and the cache's bytes by this name.
struct DeclaredBeyond {
    Text capacity;  ///< the name
    Text bytes;
};

struct Declaration {
    std::string file;  ///< for messages
    Language language = Language::cpp;
    std::vector<DeclaredNumber> numbers;
    std::vector<DeclaredMatrix> matrices;
    std::vector<DeclaredArray> arrays;
    std::vector<DeclaredParameter> parameters;
    std::vector<Text> rules;  ///< `where`
    /// Expressions of numbers and parameters, of one repetition of all threads together; empty: no claim.
    std::optional<Text> flops, reads, writes, chain;
    std::optional<DeclaredBeyond> reads_beyond, writes_beyond;
    std::optional<Text> arithmetic;  ///< f64 or f32: the type that all of the kernel computes in
    std::optional<Text> threads;     ///< an expression, or "all"; empty: one, unless a parameter says more
    std::optional<Text> tolerance;   ///< relative to the largest element of an array; empty: by the flops
    Text call;                       ///< an expression statement of the language
    std::optional<Text> reference;
    /// OpenCL: work items in up to three dimensions, by numbers and parameters; global ones are rounded up to
    /// a multiple of the local ones. Without local ones the device chooses.
    std::vector<Text> global, local;
    std::vector<Text> flags;  ///< words
    std::optional<Text> compiler;
    /// Of a program alone: how it is run and built, where the time of a run comes from (empty: the clock on
    /// the wall), and what tells whether a run was right (empty: its exit status; else a file that it
    /// writes).
    std::optional<Text> command, build, time, verify;
    bool has_check = false;  ///< of functions alone: one of them says whether an answer is right

    const DeclaredArray* array(std::string_view name) const;
    const DeclaredParameter* parameter(std::string_view name) const;
    /// The parameter of kind threads; nullptr when there is none.
    const DeclaredParameter* thread_parameter() const;
};

/// Throws InputError: "FILE:LINE:COLUMN: " and what to do.
[[noreturn]] void refuse(const std::string& file, const Text& at, const std::string& what);
/// "FILE:LINE:COLUMN:", or "FLAG:" where it was given on the command line or in a JSON document.
std::string place_of(const std::string& file, const Text& at);

/// Reads the annotations of a source; `file` names it, and by its ending says what language it is. Throws
/// InputError with file, line and column for what cannot be read: an unknown word, a name that is there
/// already, a type that is none, a call that is missing.
Declaration declaration_from(const std::string& source, const std::string& file);

/// The same of the description of a program, whose lines are annotations (program_description.h).
Declaration description_from(const std::vector<Text>& lines, const std::string& file);

/// The same of functions of the program that tunes, whose lines were composed of its calls.
Declaration functions_from(const std::vector<Text>& lines, const std::string& name);

/// Whether nothing of it but the declaration is known: what it computes with, and how many threads it takes.
inline bool is_declared_alone(Language language) {
    return language == Language::program || language == Language::function;
}

/// The same of annotations wherever they stand. `document`: the place of the JSON document that gives what
/// the source does not say (kernel_document.h), for messages about what is missing.
Declaration declaration_of(const std::vector<Text>& lines, const std::string& file, Language language,
                           const std::optional<Text>& document);

/// The language of a source, by the ending of its name; nullopt: it is no source of a kernel.
std::optional<Language> language_of(std::string_view name);

}  // namespace rooftune::external
