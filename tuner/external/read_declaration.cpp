// The words of annotations. Each begins with what it declares; a mistake is told with file, line and column.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "kernels/runtime/nearest.h"
#include "models/space.h"
#include "tuner/external/cursor.h"
#include "tuner/external/declaration.h"
#include "tuner/external/opencl_call.h"
#include "tuner/external/program_template.h"

namespace rooftune::external {
namespace {

constexpr std::size_t kMostValues = 127;  // of a parameter, as in models/space.h

std::optional<std::int64_t> whole(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

class DeclarationReader {
public:
    DeclarationReader(const std::string& file, Language language, std::optional<Text> document = {})
        : document_(std::move(document)) {
        d_.file = file;
        d_.language = language;
    }

    Declaration all(const std::vector<Text>& lines) {
        if (is_program()) {
            for (const Text& line : lines) read(line);
            check_capacities();
            if (d_.language == Language::program) check_program(d_);
            check_language(d_);
            return std::move(d_);
        }
        if (lines.empty() && !document_)
            refuse(
                d_.file, {"", 1, 1},
                "it declares nothing; write comments like `// rooftune: call f(n, x)`, which `rooftune new "
                "FILE` shows");
        for (const Text& line : lines) read(line);
        check_capacities();
        if (d_.call.text.empty() && document_)
            refuse(
                d_.file, *document_,
                "nothing says how the kernel is called, neither a key nor an annotation of its source; add "
                "\"call\": \"f(n, x)\"");
        if (d_.call.text.empty())
            refuse(d_.file, lines.back(),
                   "no annotation says how the kernel is called; add one like `// rooftune: call f(n, x)`");
        if (std::none_of(d_.arrays.begin(), d_.arrays.end(),
                         [](const DeclaredArray& a) { return a.direction != Direction::in; }))
            refuse(d_.file, d_.call,
                   std::string("no array is written, so that nothing could be checked; declare one as out or "
                               "inout, like ") +
                       (document_ ? "\"arrays\": {\"y\": {\"direction\": \"out\", \"type\": \"f64\", "
                                    "\"count\": \"n\", \"all\": true}}"
                                  : "`// rooftune: out y f64[n] all`"));
        check_language(d_);
        check_answers();
        return std::move(d_);
    }

private:
    using Read = void (DeclarationReader::*)(Cursor&, const Text& word);

    void read(const Text& line) {
        using Self = DeclarationReader;
        static const std::map<std::string, Read> kWords = [] {
            std::map<std::string, Read> words;
            for (const char* word : {"flops", "reads", "writes", "chain", "threads", "tolerance", "reference",
                                     "compiler", "command", "build", "time", "verify"})
                words[word] = &Self::claim;
            for (const char* word : {"in", "out", "inout"}) words[word] = &Self::array;
            for (const char* word : {"size", "real"}) words[word] = &Self::number;
            for (const char* word : {"global", "local"}) words[word] = &Self::work_items;
            for (const char* word : {"reads_beyond", "writes_beyond"}) words[word] = &Self::beyond;
            words["parameter"] = &Self::parameter;
            words["matrix"] = &Self::matrix;
            words["where"] = &Self::rule;
            words["arithmetic"] = &Self::arithmetic;
            words["call"] = &Self::call;
            words["flags"] = &Self::flags;
            return words;
        }();
        Cursor cursor(d_.file, line);
        const Text word = cursor.word();
        const auto known = kWords.find(word.text);
        if (known == kWords.end() || !is_for_this(word.text)) {
            std::vector<std::string> words;
            for (const auto& [name, how] : kWords) {
                if (is_for_this(name)) words.push_back(name);
            }
            if (known != kWords.end())
                refuse(d_.file, word,
                       is_program()
                           ? "'" + word.text + "' is for kernels that are compiled here; a program has " +
                                 listed(words)
                           : "'" + word.text + "' is for programs, whose description is a file.rooftune");
            refuse(d_.file, word,
                   word.text.empty()
                       ? "an annotation begins with a word: " + listed(words)
                       : "'" + word.text + "' declares nothing; " + suggestion(word.text, words));
        }
        (this->*known->second)(cursor, word);
    }

    bool is_program() const { return is_declared_alone(d_.language); }

    // Words that only kernels have, and those that only programs have.
    bool is_for_this(const std::string& word) const {
        static const std::set<std::string> kKernels{"in",     "out",       "inout",    "chain",
                                                    "call",   "reference", "compiler", "flags",
                                                    "matrix", "global",    "local"};
        static const std::set<std::string> kPrograms{"command", "build", "time", "verify"};
        if (d_.language == Language::function && kPrograms.contains(word)) return false;
        return !(is_program() ? kKernels : kPrograms).contains(word);
    }

    void take_name(const Text& name) {
        const auto [at, is_new] = names_.emplace(name.text, name);
        if (is_new) return;
        if (document_)
            refuse(d_.file, name,
                   fmt::format("'{}' is declared already, {}; what the document says is added to what its "
                               "source says, so leave one of them out",
                               name.text, whereabouts(at->second)));
        refuse(d_.file, name,
               fmt::format("'{}' is declared already{}; give one of them another name", name.text,
                           name.flag.empty() ? ", " + whereabouts(at->second) : ""));
    }

    // "in line 3", or the other place.
    std::string whereabouts(const Text& at) const {
        if (!document_) return "in line " + std::to_string(at.line);
        std::string place = place_of(d_.file, at);
        place.pop_back();
        return place;
    }

    void number(Cursor& c, const Text& word) {
        const bool is_size = word.text == "size";
        const std::string form = is_size ? "size n = 1000" : "real a = 2.5";
        DeclaredNumber n;
        n.whole = is_size;
        n.name = c.name(form);
        take_name(n.name);
        // A problem's keys are its sizes and these.
        const bool is_key = d_.language == Language::function && n.name.text == kFunctionKey;
        if (is_key || n.name.text == "source" || n.name.text == "description" || n.name.text == "folder")
            refuse(d_.file, n.name,
                   "'" + n.name.text + "' means something else in a problem; give it another name");
        c.need('=', form);
        n.value = c.needed_rest(form);
        d_.numbers.push_back(std::move(n));
    }

    void array(Cursor& c, const Text& word) {
        const std::string form = word.text + " x f64[n], with all behind it where every element is needed";
        DeclaredArray a;
        a.direction = word.text == "in"    ? Direction::in
                      : word.text == "out" ? Direction::out
                                           : Direction::inout;
        a.name = c.name(form);
        take_name(a.name);
        const Text type = c.word();
        const std::optional<Element> element = element_from(type.text);
        if (!element) {
            static const std::vector<std::string> kTypes{"f64", "f32", "f16", "bf16", "i64", "i32",
                                                         "i16", "i8",  "u64", "u32",  "u16", "u8"};
            refuse(d_.file, type,
                   "'" + type.text + "' is no type of elements; " + suggestion(type.text, kTypes));
        }
        a.element = *element;
        c.need('[', form);
        a.count = c.until(']');
        c.need(']', form);
        if (a.count.text.empty())
            refuse(d_.file, a.count, "the number of elements is missing; write " + form);
        a.all = c.take_word("all");
        if (c.take('=')) {
            if (c.take_word("file")) {
                a.file = c.value();
                if (a.file->text.empty())
                    refuse(d_.file, *a.file, "a file is missing here; write = file x.npy");
                if (a.direction == Direction::inout)
                    refuse(
                        d_.file, *a.file,
                        "a file says what an array holds before a call, or after it: declare it in or out");
            } else if (a.direction == Direction::out) {
                c.fail(
                    "an array that is only written has no values before; declare it as inout, or leave them "
                    "out (= file y.npy says what it must hold after a call)");
            } else {
                a.fill = c.needed_rest("= i % 7, an expression of the sizes and the index i");
            }
        }
        c.finish(form);
        d_.arrays.push_back(std::move(a));
    }

    // Sizes and arrays of a matrix, as if they were declared one by one.
    void matrix(Cursor& c, const Text&) {
        const std::string form = "matrix A my.mtx, or matrix A my.mtx f32 i64 all";
        DeclaredMatrix m;
        m.name = c.name(form);
        take_name(m.name);
        m.file = c.value();
        if (m.file.text.empty()) refuse(d_.file, m.file, "the file is missing; write " + form);
        Element value = Element::f64, index = Element::i32;
        bool all = false;
        while (!c.at_end()) {
            const Text word = c.word();
            const std::optional<Element> type = element_from(word.text);
            if (word.text == "all") {
                all = true;
            } else if (type && is_real(*type)) {
                value = *type;
            } else if (type == Element::i32 || type == Element::i64) {
                index = *type;
            } else {
                refuse(d_.file, word,
                       "'" + word.text +
                           "' is neither a type of values (f64, f32, f16, bf16), nor one of indices (i32, "
                           "i64), nor "
                           "all; write " +
                           form);
            }
        }
        const int number = static_cast<int>(d_.matrices.size());
        const auto named = [&](const std::string& what) {
            Text name = m.name;
            name.text += "_" + what;
            take_name(name);
            return name;
        };
        for (const char* size : {"rows", "columns", "entries"})
            d_.numbers.push_back({named(size), {size, m.name.line, m.name.column}, true, number});
        const auto part = [&](const std::string& what, MatrixPart which, Element type,
                              const std::string& count) {
            DeclaredArray a;
            a.name = named(what);
            a.element = type;
            a.count = {m.name.text + count, m.name.line, m.name.column};
            a.all = all;
            a.matrix = number;
            a.part = which;
            d_.arrays.push_back(std::move(a));
        };
        part("start", MatrixPart::start, index, "_rows + 1");
        part("column", MatrixPart::column, index, "_entries");
        part("value", MatrixPart::value, value, "_entries");
        d_.matrices.push_back(std::move(m));
    }

    // Where the right answer is in files, nothing else says what it is.
    void check_answers() const {
        const auto has_answer = [](const DeclaredArray& a) {
            return a.direction == Direction::out && a.file;
        };
        const auto answer = std::find_if(d_.arrays.begin(), d_.arrays.end(), has_answer);
        if (answer == d_.arrays.end()) return;
        if (d_.reference)
            refuse(d_.file, *d_.reference,
                   "a file holds the right answer already, " + whereabouts(*answer->file) +
                       "; keep one of them");
        for (const DeclaredArray& a : d_.arrays) {
            if (a.direction != Direction::in && !has_answer(a))
                refuse(d_.file, a.name, "of this array no file says what is right; give it one as well");
            if (a.is_random())
                refuse(d_.file, a.name,
                       "the right answer is in a file, so that this array must hold what it was made for: "
                       "give it "
                       "a file or an expression");
        }
    }

    void parameter(Cursor& c, const Text&) {
        const std::string form =
            "parameter TILE 8 16 32, parameter TILE 16:1024:x2 or parameter OPT -O2 -O3 (flag)";
        DeclaredParameter p;
        p.name = c.name(form);
        take_name(p.name);
        if (is_program()) p.kind = ParameterKind::word;
        if (p.name.text == "threads") p.kind = ParameterKind::threads;
        while (!c.at_end()) {
            if (c.next() == '(') {
                kind(c, p);
                continue;
            }
            if (c.take_word("when")) {
                p.when = c.needed_rest("when TILE > 8");
                break;
            }
            const bool is_quoted = c.next() == '"' || c.next() == '\'';
            values(c.value(), p, is_quoted);
        }
        check_environment(p);
        if (p.kind == ParameterKind::threads && p.name.text != "threads")
            refuse(d_.file, p.name, "a parameter that is a number of threads is named threads");
        if (p.values.empty()) c.fail("a value is missing here; write " + form);
        if (d_.parameters.size() == kMaxParameters)
            refuse(d_.file, p.name,
                   fmt::format("there are {} parameters already, and no more are possible", kMaxParameters));
        d_.parameters.push_back(std::move(p));
    }

    // Runtimes read theirs once, when they are loaded: all variants would have those of the first.
    void check_environment(const DeclaredParameter& p) const {
        if (p.kind != ParameterKind::environment || is_program()) return;
        for (const std::string_view runtime : {"OMP_", "GOMP_", "KMP_", "LD_", "MALLOC_"}) {
            if (p.name.text.starts_with(runtime))
                refuse(d_.file, p.name,
                       p.name.text +
                           " is read once, when its runtime is loaded, and would be the same for all "
                           "variants; use a macro, or for the number of threads the parameter `threads`");
        }
    }

    void kind(Cursor& c, DeclaredParameter& p) {
        c.take('(');
        const Text word = c.word();
        static const std::vector<std::string> kKinds{"macro",       "flag",     "compiler",
                                                     "environment", "argument", "threads"};
        const auto known = std::find(kKinds.begin(), kKinds.end(), word.text);
        if (is_program() && word.text != "environment" && word.text != "threads")
            refuse(d_.file, word,
                   "'" + word.text + "' is no way to hand a parameter to a program; leave it out where {" +
                       p.name.text + "} stands in its command or build, or write (environment)");
        if (known == kKinds.end())
            refuse(
                d_.file, word,
                "'" + word.text + "' is no way to hand over a parameter; " + suggestion(word.text, kKinds));
        p.kind = static_cast<ParameterKind>(known - kKinds.begin());
        c.need(')', "(" + word.text + ")");
    }

    // A value, or a range first:last:step, where the step is +s or xs. In quotes it is a value.
    void values(const Text& text, DeclaredParameter& p, bool is_quoted) {
        const auto add = [&](std::string value) {
            const bool twice = std::any_of(p.values.begin(), p.values.end(),
                                           [&](const Text& known) { return known.text == value; });
            if (twice) refuse(d_.file, text, "the value '" + value + "' is there already; leave it out");
            if (p.values.size() == kMostValues)
                refuse(d_.file, text, fmt::format("more than {} values; take a larger step", kMostValues));
            p.values.push_back({std::move(value), text.line, text.column, text.flag});
        };
        const std::size_t first = text.text.find(':');
        const std::size_t second = first == std::string::npos ? first : text.text.find(':', first + 1);
        const std::string_view all = text.text;
        if (is_quoted || first == std::string::npos || !whole(all.substr(0, first))) return add(text.text);
        const std::string form = "16:1024:x2 or 1:8 or 0:64:+8";
        const auto from = whole(all.substr(0, first));
        const auto to =
            whole(all.substr(first + 1, second == std::string::npos ? second : second - first - 1));
        std::string_view step = second == std::string::npos ? "+1" : all.substr(second + 1);
        const bool times = step.starts_with('x');
        if (times || step.starts_with('+')) step.remove_prefix(1);
        const auto by = whole(step);
        if (!from || !to || !by || *by < (times ? 2 : 1) || *from > *to || (times && *from < 1))
            refuse(d_.file, text, "'" + text.text + "' is no range of values; write " + form);
        for (std::int64_t v = *from; v <= *to; v = times ? v * *by : v + *by) {
            add(std::to_string(v));
            if (v > (times ? *to / *by : *to - *by)) break;
        }
    }

    void rule(Cursor& c, const Text&) { d_.rules.push_back(c.needed_rest("where TILE * UNROLL <= 64")); }

    void claim(Cursor& c, const Text& word) {
        const std::map<std::string, std::optional<Text>*> places{
            {"flops", &d_.flops},         {"reads", &d_.reads},       {"writes", &d_.writes},
            {"chain", &d_.chain},         {"threads", &d_.threads},   {"tolerance", &d_.tolerance},
            {"reference", &d_.reference}, {"compiler", &d_.compiler}, {"command", &d_.command},
            {"build", &d_.build},         {"time", &d_.time},         {"verify", &d_.verify}};
        std::optional<Text>& place = *places.at(word.text);
        once(place, word);
        place = c.needed_rest(word.text == "flops"       ? "flops 2*n"
                              : word.text == "reference" ? "reference f_plain(n, x, y)"
                              : word.text == "command"   ? "command ./bench --tile {tile}"
                                                         : word.text + " and what it is");
    }

    // reads_beyond(w) 3*(8*n - w)
    void beyond(Cursor& c, const Text& word) {
        std::optional<DeclaredBeyond>& place =
            word.text == "reads_beyond" ? d_.reads_beyond : d_.writes_beyond;
        if (place) once(place->bytes, word);
        const std::string form = word.text + "(w) 8*n - w (w: the bytes of a cache)";
        DeclaredBeyond found;
        c.need('(', form);
        found.capacity = c.name(form);
        for (const char* taken : {"true", "false", "and", "or", "not"}) {
            if (found.capacity.text == taken)
                refuse(d_.file, found.capacity,
                       fmt::format("'{}' means something else in expressions; write {}", taken, form));
        }
        c.need(')', form);
        found.bytes = c.needed_rest(form);
        place = std::move(found);
    }

    // What is declared may stand before or behind.
    void check_capacities() const {
        for (const auto* beyond : {&d_.reads_beyond, &d_.writes_beyond}) {
            if (!*beyond) continue;
            const Text& name = (*beyond)->capacity;
            const auto known = names_.find(name.text);
            if (known == names_.end()) continue;
            refuse(d_.file, name,
                   fmt::format(
                       "'{}' is declared{}, too, and stands for the bytes of a cache here; give these "
                       "another name",
                       name.text, name.flag.empty() || document_ ? ", " + whereabouts(known->second) : ""));
        }
    }

    void arithmetic(Cursor& c, const Text& word) {
        once(d_.arithmetic, word);
        const Text type = c.word();
        if (type.text != "f64" && type.text != "f32")
            refuse(d_.file, type,
                   "'" + type.text + "' is no type that bounds are known for; write f64 or f32");
        d_.arithmetic = type;
        c.finish("arithmetic f64");
    }

    void call(Cursor& c, const Text& word) {
        if (!d_.call.text.empty()) once(d_.call, word);
        d_.call = c.needed_rest("call f(n, x, y)");
    }

    void work_items(Cursor& c, const Text& word) {
        const bool global = word.text == "global";
        std::vector<Text>& sizes = global ? d_.global : d_.local;
        if (!sizes.empty()) once(sizes.front(), word);
        const std::string form = global ? "global n, or global n, m" : "local WG, or local TX, TY";
        do {
            Text size = c.until(',');
            if (size.text.empty()) refuse(d_.file, size, "a size is missing here; write " + form);
            if (sizes.size() == 3)
                refuse(d_.file, size, "work items have three dimensions at most; leave this one out");
            sizes.push_back(std::move(size));
        } while (c.take(','));
    }

    void flags(Cursor& c, const Text& word) {
        if (!d_.flags.empty()) once(d_.flags.front(), word);
        while (!c.at_end()) d_.flags.push_back(c.value());
        if (d_.flags.empty()) c.fail("flags are missing here; write flags -O3 -march=native");
    }

    void once(const std::optional<Text>& known, const Text& word) const {
        if (known)
            refuse(d_.file, word,
                   document_ ? fmt::format("'{}' is said already, {}; leave one of them out", word.text,
                                           whereabouts(*known))
                             : fmt::format("'{}' stands in line {} already; keep one of them", word.text,
                                           known->line));
    }

    Declaration d_;
    std::optional<Text> document_;
    std::map<std::string, Text> names_;  ///< that are declared, and where
};

}  // namespace

Declaration declaration_from(const std::string& source, const std::string& file) {
    return DeclarationReader(file, language_of(file).value_or(Language::cpp)).all(annotations_of(source));
}

Declaration functions_from(const std::vector<Text>& lines, const std::string& name) {
    return DeclarationReader(name, Language::function).all(lines);
}

Declaration description_from(const std::vector<Text>& lines, const std::string& file) {
    return DeclarationReader(file, Language::program).all(lines);
}

Declaration declaration_of(const std::vector<Text>& lines, const std::string& file, Language language,
                           const std::optional<Text>& document) {
    return DeclarationReader(file, language, document).all(lines);
}

}  // namespace rooftune::external
